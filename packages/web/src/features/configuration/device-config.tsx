import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { reasonText } from '../../ui/job-name.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { SyncChip, Tag, type Tone } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { findingText } from './finding.ts';
import { Override } from './override.tsx';

const tones: Record<string, Tone> = {
  applied: 'ok',
  sent: 'brand',
  waiting: 'warn',
  rejected: 'bad',
  failed: 'bad',
  superseded: 'none',
};

export function DeviceConfig({ serial, routes }: { serial: string; routes: boolean }) {
  const { data, error, refetch } = useRead('/api/v3/device/config/get', { serial });
  const [all, setAll] = useState(false);
  const [editing, setEditing] = useState(false);
  const mayWrite = useMay('config.write');
  const retry = useWrite('/api/v3/device/config/retry', [
    '/api/v3/device/config/get',
    '/api/v3/ap/detail',
    '/api/v3/job/list',
  ]);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  if (!data) return <Loading until={false}>{null}</Loading>;
  return (
    <section className="stack stack-s">
      <div className="section-title">
        <h3>{t('device.config')}</h3>
        <span className="row">
          <SyncChip
            state={data.state}
            trialUntil={data.trial_until}
            returnedAt={data.returned_at}
            reason={data.reasons[0] ?? null}
          />
          {mayWrite && data.can_retry && (
            <Button
              icon="refresh"
              busy={retry.isPending}
              onClick={() => retry.mutate({ serial }, { onSuccess: ({ job_id }) => openJobs(job_id) })}
            >
              {t('device.config_retry')}
            </Button>
          )}
        </span>
      </div>
      {data.state === null && <p className="small dim">{t('device.config_none')}</p>}
      <FirstContact data={data} />
      {data.reasons.length > 0 && (
        <div className="notice notice-bad">
          <div>
            <strong>{t('device.config_reasons')}</strong>
            {data.reasons.map((reason) => (
              <p key={reason}>{reasonText(reason)}</p>
            ))}
          </div>
        </div>
      )}
      {data.findings.length > 0 && (
        <ul className="small quiet">
          {data.findings.map((finding) => (
            <li key={`${finding.code}${finding.field}`}>{findingText(finding)}</li>
          ))}
        </ul>
      )}
      <div className="row row-wide">
        {mayWrite && (
          <Button kind="link" onClick={() => setEditing(true)}>
            {t('override.open')}
          </Button>
        )}
        {data.state !== null && !all && (
          <Button kind="link" onClick={() => setAll(true)}>
            {t('device.versions')}
          </Button>
        )}
      </div>
      {editing && <Override serial={serial} routes={routes} onClose={() => setEditing(false)} />}
      {all && <Versions serial={serial} />}
    </section>
  );
}

function FirstContact({ data }: { data: Data<'/api/v3/device/config/get'> }) {
  const { state, awaits_report: awaits, first_contact: contact } = data;
  if (awaits) return <p className="notice small">{t('device.awaits_report')}</p>;
  const why = contact?.outcome === 'left' && state === null ? contact.reason : null;
  return (
    <>
      {why && (
        <p className="notice small">{t('device.left_alone', { why: textOf(`config.contact.reason.${why}`) ?? why })}</p>
      )}
      {contact?.lan && <p className="small dim">{t('device.own_lan', { lan: contact.lan })}</p>}
    </>
  );
}

function Versions({ serial }: { serial: string }) {
  const { data } = useRead('/api/v3/device/config/versions', { serial, page: 1, limit: 10 });
  return (
    <table className="plain-table">
      <tbody>
        {data?.list.map((row) => (
          <tr key={row.uuid}>
            <td>
              <ShortTime at={row.created_at} />
            </td>
            <td>
              {t('device.version_by', { who: row.author, cause: textOf(`config.cause.${row.cause}`) ?? row.cause })}
            </td>
            <td>
              <Tag tone={tones[row.outcome] ?? 'none'}>{t(`version.${row.outcome}`)}</Tag>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
