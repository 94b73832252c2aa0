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

type Stay = Data<'/api/v3/user_online/history'>['list'][number];

const step = 20;

export function Stays({ mac: address }: { mac: string }) {
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
  const stays = data ? [...data.open, ...data.list] : [];
  return (
    <Loading until={data !== undefined} lines={6}>
      <div className="stack">
        {stays.length === 0 ? (
          <p className="small dim">{t('users.stay_none')}</p>
        ) : (
          <>
            <div>
              <Button icon="download" onClick={() => void save()}>
                {t('table.export')}
              </Button>
            </div>
            <ol className="users-stays">
              {stays.map((stay) => (
                <StayItem key={`${stay.serial}${stay.bssid}${stay.started_at}${stay.ended_at}`} stay={stay} />
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

function StayItem({ stay }: { stay: Stay }) {
  const place = [stay.device ?? mac(stay.serial), stay.ssid, stay.band === null ? null : bandName(stay.band)]
    .filter(Boolean)
    .join(' · ');
  const end = stay.ended_at ? new Date(stay.ended_at) : new Date();
  const seconds = (end.getTime() - Date.parse(stay.started_at)) / 1000;
  return (
    <li>
      <span className="spread">
        <strong>
          {stay.end_reason ? t('users.left', { place, reason: t(`users.end_${stay.end_reason}`) }) : place}
        </strong>
        {stay.ended_at ? (
          <ShortTime at={stay.ended_at} />
        ) : (
          <Tag tone="ok" shape="dot">
            {t('users.stay_now')}
          </Tag>
        )}
      </span>
      <span className="small dim">
        {stay.down === null || stay.up === null
          ? t('users.stay_uncounted', { time: duration(seconds) })
          : t('users.stay_facts', { time: duration(seconds), down: bytes(stay.down), up: bytes(stay.up) })}
      </span>
      {stay.rssi_mean !== null && stay.rssi_min !== null && (
        <span className="small dim">
          {t('users.stay_signal', { mean: Math.round(stay.rssi_mean), worst: stay.rssi_min })}
        </span>
      )}
      <span className="spread small">
        <span className="dim">{t('users.login')}</span>
        <ShortTime at={stay.started_at} />
      </span>
    </li>
  );
}
