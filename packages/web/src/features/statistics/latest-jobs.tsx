import { t } from '../../app/i18n.ts';
import { Kept } from '../../ui/answer.tsx';
import { Failed } from '../../ui/empty.tsx';
import { aboutOf, shownStatus, sums } from '../../ui/job-bar.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { jobName } from '../../ui/job-name.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { JobTag } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useHome } from './use-home.ts';
import './attention.css';

export function LatestJobs() {
  const answer = useHome('/api/v3/job/list', { page: 1, limit: 5 });
  const { data, error, refetch } = answer;
  return (
    <Card
      title={t('card.jobs')}
      actions={
        data &&
        data.total > 0 && (
          <Link to="/jobs" className="small">
            {t('jobs.show_all')}
          </Link>
        )
      }
      flush
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined}>
          {data?.total === 0 ? (
            <p className="card-body small dim">{t('jobs.none_body')}</p>
          ) : (
            <ul className="latest-jobs">
              {data?.list.map((job) => (
                <li key={job.id}>
                  <button type="button" className="attention-line latest-job" onClick={() => openJobs(job.id)}>
                    <span className="row latest-name">
                      <strong className="ellipsis">{jobName(job.type, job.cause)}</strong>{' '}
                      <span className="ellipsis quiet">{aboutOf(job)}</span> <RelativeTime at={job.created_at} />
                    </span>
                    <span className="latest-sums small dim ellipsis">{sums(job)}</span>
                    <JobTag status={shownStatus(job)} />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Loading>
      )}
      <Kept answer={answer} />
    </Card>
  );
}
