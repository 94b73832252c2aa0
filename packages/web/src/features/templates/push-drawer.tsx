import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { reasonText } from '../../ui/job-name.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { JobTag, Tag } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { ChangeTag, sumsText } from './change-state.tsx';
import { PushActions } from './push-actions.tsx';
import type { ChangeDetail } from './template-change.ts';

/** Poll interval in milliseconds while a push runs, besides live facts. */
const LOOK_MS = 2000;
const PAGE = 100;

export function PushDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const [going, setGoing] = useState(true);
  const { data, error, refetch } = useRead(
    '/api/v3/wireless_template/change/detail',
    { change_id: id },
    { refetchMs: going ? LOOK_MS : false },
  );
  if (data && data.open !== going) setGoing(data.open);
  return (
    <Dialog drawer title={t('change.title')} onClose={onClose}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading until={data !== undefined} lines={8}>
          {data && <Body change={data} />}
        </Loading>
      )}
    </Dialog>
  );
}

function Body({ change }: { change: ChangeDetail }) {
  const [shown, setShown] = useState(PAGE);
  // only the last round's stop matters: earlier ones were retried or resumed
  const stop = change.rounds.at(-1)?.stopped;
  const several = change.networks.length > 1;
  const worstFirst = change.devices.toSorted((a, b) => rank(a.status) - rank(b.status));
  return (
    <div className="stack">
      <div className="row row-wide">
        <strong>
          {change.takes_off
            ? t('change.off_of', { name: change.name })
            : t('change.version_of', { name: change.name, n: change.version })}
        </strong>
        <ChangeTag row={change} />
      </div>
      <p className="quiet" role="status">
        {sumsText(change)}
      </p>
      {stop && (
        <p className="notice notice-warn">
          {t('jobs.stopped_why', { decided: stop.decided, bad: stop.bad, unwell: stop.unwell.length })}{' '}
          {stop.unwell.slice(0, 5).map(({ name, reason }) => (
            <span key={name} className="small">
              {t('jobs.unwell', { name, reason: reasonText(reason) })}{' '}
            </span>
          ))}
        </p>
      )}
      <PushActions change={change} />
      <ol className="rounds small">
        {change.rounds.map((round) => (
          <li key={round.job_id ?? round.created_at}>
            <strong>
              {t(change.takes_off && round.cause === 'push' ? 'change.takes_off' : `change.cause_${round.cause}`)}
            </strong>
            <span className="dim">
              {t('change.round', { n: round.devices, by: round.created_by })} <RelativeTime at={round.created_at} />
            </span>
          </li>
        ))}
      </ol>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('change.device')}</th>
            {several && <th>{t('change.network')}</th>}
            <th>{t('change.wave')}</th>
            <th>{t('change.state')}</th>
          </tr>
        </thead>
        <tbody>
          {worstFirst.slice(0, shown).map((device) => (
            <tr key={device.serial}>
              <td className="ellipsis">{device.name}</td>
              {several && (
                <td className="ellipsis">{change.networks.find(({ gwid }) => gwid === device.gwid)?.name ?? '—'}</td>
              )}
              <td>{device.wave + 1}</td>
              <td>
                <DeviceTag device={device} />
                {device.reason && <div className="small dim">{reasonText(device.reason)}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {worstFirst.length > shown && (
        <Button onClick={() => setShown(shown + PAGE)}>{t('impact.more', { n: worstFirst.length - shown })}</Button>
      )}
    </div>
  );
}

function DeviceTag({ device: { cause, status, reason } }: { device: ChangeDetail['devices'][number] }) {
  const back = status === 'applied' || status === 'succeeded' || reason === 'job.unchanged';
  if (cause === 'reverse' && back) return <Tag tone="none">{t('change.reversed')}</Tag>;
  return <JobTag status={status as Parameters<typeof JobTag>[0]['status']} />;
}

const order = [
  'rejected',
  'failed',
  'reverted',
  'running',
  'waiting_offline',
  'queued',
  'cancelled',
  'applied',
  'skipped',
];
const rank = (status: string) => order.indexOf(status);
