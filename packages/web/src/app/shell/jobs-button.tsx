import { IconButton } from '../../ui/button.tsx';
import { JobDrawerHost } from '../../ui/job-drawer-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { t } from '../i18n.ts';
import { useRead } from '../use-call.ts';

export function JobsButton() {
  const { data } = useRead('/api/v3/job/list', { page: 1, limit: 10, open: true });
  const running = data?.total ?? 0;
  return (
    <span className="job-bell">
      <IconButton
        icon="tasks"
        label={running > 0 ? t('header.jobs_running', { n: running }) : t('header.jobs')}
        onClick={() => openJobs(null)}
      />
      {running > 0 && (
        <span className="count" aria-hidden="true">
          {running > 99 ? '99+' : running}
        </span>
      )}
      <JobDrawerHost />
    </span>
  );
}
