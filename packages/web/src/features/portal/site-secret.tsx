import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { minuteTime } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

interface Props {
  gwid: string;
  site: Data<'/api/v3/portal/site'>['site'];
  onSettings: (settings: string | null) => void;
  onChange: () => Promise<void>;
}

export function SiteSecret({ gwid, site, onSettings, onChange }: Props) {
  const may = useMay('config.write');
  const mayShow = useMay('config.secret');
  const { busy, send } = useForm<never>();
  const isPushed = site.gateway === 'edge' || site.access_points !== null;
  const renew = () =>
    ask({
      title: t('site_portal.secret_renew_title'),
      body: t(isPushed ? 'site_portal.secret_renew_push' : 'site_portal.secret_renew_body'),
      confirm: t('site_portal.secret_renew'),
      act: async () => {
        const { settings, job_id: jobId } = await call('/api/v3/portal/secret/renew', { gwid });
        if (settings === null) await onChange();
        else onSettings(settings);
        if (jobId) openJobs(jobId);
      },
    });
  const endOld = () =>
    ask({
      title: t('site_portal.secret_end_title'),
      body: t('site_portal.secret_end_body'),
      confirm: t('site_portal.secret_end'),
      danger: true,
      act: async () => {
        await call('/api/v3/portal/secret/end', { gwid });
        await onChange();
        notify('ok', t('site_portal.secret_ended'));
      },
    });
  const show = () =>
    send({}, async () => onSettings((await call('/api/v3/portal/settings/reveal', { gwid })).settings));
  return (
    <>
      {site.settings_changed && <p role="status">{t('site_portal.settings_changed')}</p>}
      {site.old_secret_since !== null && (
        <p role="status">{t('site_portal.secret_old', { time: minuteTime(new Date(site.old_secret_since)) })}</p>
      )}
      <div className="row">
        {mayShow && !isPushed && (
          <Button busy={busy} onClick={() => void show()}>
            {t('site_portal.settings_show')}
          </Button>
        )}
        {may && <Button onClick={renew}>{t('site_portal.secret_renew')}</Button>}
        {may && site.old_secret_since !== null && <Button onClick={endOld}>{t('site_portal.secret_end')}</Button>}
      </div>
    </>
  );
}
