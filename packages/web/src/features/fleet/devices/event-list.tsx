import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { t, textOf } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { mac } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { PlainPager } from '../../../ui/plain-pager.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { bandName } from './band-name.ts';
import { eventView } from './event-view.ts';

type Event = Data<'/api/v3/device/event/list'>['list'][number];

const limit = 50;
const types = ['unit', 'wired', 'wifi', 'health', 'device', 'log'] as const;

export function EventList(of: { serial: string } | { gwid: string }) {
  const [type, setType] = useState<(typeof types)[number] | ''>('');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useRead(
    '/api/v3/device/event/list',
    { ...of, page, limit, ...(type && { type }) },
    { keepPrevious: true },
  );
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / limit));
  return (
    <div className="stack stack-s">
      <div className="row">
        <SelectField
          small
          hideLabel
          label={t('events.type')}
          value={type}
          onChange={(value) => {
            setType(value);
            setPage(1);
          }}
          options={[
            { value: '', label: t('events.all') },
            ...types.map((value) => ({ value, label: t(`events.type_${value}`) })),
          ]}
        />
      </div>
      <Loading until={data !== undefined} lines={8}>
        {data?.total === 0 ? (
          <Empty icon="clock" title={t('events.none')} small>
            {t('events.none_body')}
          </Empty>
        ) : (
          <ul className="timeline">
            {data?.list.map((event) => (
              <li key={event.id}>
                <ShortTime at={event.at} />
                <span>
                  <EventSign event={event} /> <EventName event={event} />
                  {'gwid' in of && <span className="dim"> · {event.remark || mac(event.serial)}</span>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      <PlainPager page={page} pages={pages} onChange={setPage} />
    </div>
  );
}

function EventSign({ event: { type, payload } }: { event: Event }) {
  const { icon, tone } = eventView(type, payload);
  return (
    <span className={`sign sign-${tone}`}>
      <Icon name={icon} size={14} />
    </span>
  );
}

function EventName({ event: { type, payload } }: { event: Event }) {
  const text = textOf(`event_type.${type}`);
  const label = detailOf(payload);
  return (
    <>
      {text ? <span title={type}>{text}</span> : <span className="mono">{type}</span>}
      {label && <span className="dim"> · {label}</span>}
    </>
  );
}

function detailOf(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const reported = payload as Record<string, unknown>;
  const words = ['name', 'ssid', 'band', 'cause', 'error', 'sanity', 'log', 'line', 'subnet', 'lan'].flatMap((key) => {
    const value = reported[key];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return key === 'band' ? bandName(String(value)) : String(value).slice(0, 120);
  });
  return words.length > 0 ? words.join(' · ') : null;
}
