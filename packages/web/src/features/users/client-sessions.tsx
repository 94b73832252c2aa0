import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { bytes, duration, mac } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { fetchFile } from '../../ui/table/csv.ts';
import { ShortTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { bandName } from './labels.ts';

type Session = Data<'/api/v3/user_online/history'>['list'][number];

const step = 20;

export function Sessions({ mac: address }: { mac: string }) {
  const [limit, setLimit] = useState(step);
  const { data, error, refetch } = useRead(
    '/api/v3/user_online/history',
    { mac: address, page: 1, limit },
    { keepPrevious: true },
  );
  const save = () =>
    call('/api/v3/user_online/export', { mac: address, format: 'csv' })
      .then(({ url }) => fetchFile(url))
      .catch(notifyError);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  const sessions = data ? [...data.open, ...data.list] : [];
  return (
    <Loading until={data !== undefined} lines={6}>
      <div className="stack">
        {sessions.length === 0 ? (
          <p className="small dim">{t('users.stay_none')}</p>
        ) : (
          <>
            <div>
              <Button icon="download" onClick={() => void save()}>
                {t('table.export')}
              </Button>
            </div>
            <ol className="users-stays">
              {sessions.map((session) => (
                <SessionItem
                  key={`${session.serial}${session.bssid}${session.started_at}${session.ended_at}`}
                  session={session}
                />
              ))}
            </ol>
          </>
        )}
        {data && data.list.length < data.total && limit < 200 && (
          <Button onClick={() => setLimit(Math.min(200, limit + step))}>{t('users.stay_more')}</Button>
        )}
      </div>
    </Loading>
  );
}

function SessionItem({ session }: { session: Session }) {
  const place = [
    session.device ?? mac(session.serial),
    session.ssid,
    session.band === null ? null : bandName(session.band),
  ]
    .filter(Boolean)
    .join(' · ');
  const end = session.ended_at ? new Date(session.ended_at) : new Date();
  const seconds = (end.getTime() - Date.parse(session.started_at)) / 1000;
  return (
    <li>
      <span className="spread">
        <strong>
          {session.end_reason ? t('users.left', { place, reason: t(`users.end_${session.end_reason}`) }) : place}
        </strong>
        {session.ended_at ? (
          <ShortTime at={session.ended_at} />
        ) : (
          <Tag tone="ok" shape="dot">
            {t('users.stay_now')}
          </Tag>
        )}
      </span>
      <span className="small dim">
        {session.down === null || session.up === null
          ? t('users.stay_uncounted', { time: duration(seconds) })
          : t('users.stay_facts', { time: duration(seconds), down: bytes(session.down), up: bytes(session.up) })}
      </span>
      {session.rssi_mean !== null && session.rssi_min !== null && (
        <span className="small dim">
          {t('users.stay_signal', { mean: Math.round(session.rssi_mean), worst: session.rssi_min })}
        </span>
      )}
      <span className="spread small">
        <span className="dim">{t('users.login')}</span>
        <ShortTime at={session.started_at} />
      </span>
    </li>
  );
}
