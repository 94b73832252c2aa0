import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useSearch } from '../../../app/search.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { count, duration, shortTime } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { OutageCauseText } from '../../../ui/outage-cause.tsx';
import { fetchFile } from '../../../ui/table/csv.ts';
import { roles } from '../../../ui/table/roles.ts';
import { ShortTime } from '../../../ui/time.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { StatCard } from '../stat-card.tsx';
import { useHome } from '../use-home.ts';
import { Rows } from './rows.tsx';

type Night = Data<'/api/v3/overview/night'>;
type Network = Night['list'][number];
type Trouble = Network['troubles'][number];

const REFRESH_MS = 60_000;
/** Rows that the first screen has room for. */
const ROWS = 4;
const NIGHTS = 14;
const LAST_DAY = '24h';

const dayBefore = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

export function NightCard() {
  const [search, change] = useSearch();
  const wanted = search.night ?? '';
  const chosen = wanted === LAST_DAY || isDay(wanted) ? wanted : '';
  const input = chosen === LAST_DAY ? { last_day: true } : chosen ? { night: chosen } : {};
  const answer = useHome('/api/v3/overview/night', input, { refreshMs: REFRESH_MS });
  const { data } = answer;
  const [fetching, setFetching] = useState(false);
  const toFile = async () => {
    setFetching(true);
    try {
      fetchFile((await call('/api/v3/overview/night/export', { ...input, format: 'csv' })).url);
    } catch (error) {
      notifyError(error);
    } finally {
      setFetching(false);
    }
  };
  return (
    <StatCard
      title={t('card.outages')}
      metric="night"
      answer={answer}
      asOf={({ as_of }) => as_of}
      actions={
        <span className="row">
          <SelectField
            small
            hideLabel
            label={t('night.choose')}
            value={chosen}
            options={optionsOf(data?.latest ?? null, chosen)}
            onChange={(night) => change({ night: night || undefined })}
          />
          <Button icon="download" busy={fetching} onClick={() => void toFile()}>
            {t('night.export')}
          </Button>
        </span>
      }
      height={200}
      line={(night) =>
        night.total === 0 && night.planned_total === 0 ? (
          <>
            {night.networks > 0 && <strong>{t('night.none')}</strong>} <Measured night={night} />
          </>
        ) : null
      }
      lineIcon={data && data.networks > 0 ? 'check' : undefined}
    >
      {(night) => <Content night={night} />}
    </StatCard>
  );
}

function optionsOf(latest: string | null, chosen: string): { value: string; label: string }[] {
  const nights = latest ? Array.from({ length: NIGHTS - 1 }, (_, index) => dayBefore(latest, index + 1)) : [];
  if (chosen && chosen !== LAST_DAY && !nights.includes(chosen)) nights.push(chosen);
  return [
    { value: '', label: t('night.last') },
    { value: LAST_DAY, label: t('night.last_day') },
    ...nights.map((day) => ({
      value: day,
      label: t('night.of', { from: dayBefore(day).slice(5), to: day.slice(5) }),
    })),
  ];
}

function Measured({ night }: { night: Night }) {
  const from = shortTime(new Date(night.from));
  const to = shortTime(new Date(night.to));
  const measured = { networks: night.networks, devices: night.devices, from, to };
  return (
    <span className="small dim">
      {night.networks === 0 ? t('night.unmeasured', { from, to }) : t('night.measured', measured)}
      {night.running && <> {t('night.running')}</>}
      {night.console_s > 0 && <> {t('outages.console_s', { time: duration(night.console_s) })}</>}
    </span>
  );
}

function Content({ night }: { night: Night }) {
  return (
    <>
      {night.total === 0 ? (
        <p>{t('night.none')}</p>
      ) : (
        <Troubles networks={night.list} total={night.total} label={t('card.outages')} />
      )}
      <p className="trouble-foot">
        <Measured night={night} />
      </p>
      {night.planned_total > 0 && (
        <details className="night-planned">
          <summary className="small">{t('night.planned', { n: night.planned_total })}</summary>
          <Troubles networks={night.planned} total={night.planned_total} label={t('night.planned_title')} />
        </details>
      )}
    </>
  );
}

function Troubles({ networks, total, label }: { networks: readonly Network[]; total: number; label: string }) {
  const [all, setAll] = useState(false);
  const first = firstRows(networks);
  const shown = all ? networks : first;
  return (
    <>
      <Rows label={label}>
        <thead role={roles.rows}>
          <tr role={roles.row}>
            <th role={roles.column}>{t('trouble.network')}</th>
            <th role={roles.column}>{t('night.problem')}</th>
            <th role={roles.column}>{t('outages.began')}</th>
            <th role={roles.column}>{t('outages.ended')}</th>
            <th role={roles.column}>{t('outages.length')}</th>
            <th role={roles.column}>{t('night.devices')}</th>
            <th role={roles.column} className="right">
              {t('trouble.clients')}
            </th>
          </tr>
        </thead>
        <tbody role={roles.rows}>
          {shown.map(({ gwid, remark, troubles }) =>
            troubles.map((trouble, index) => (
              <tr role={roles.row} key={`${gwid} ${trouble.alarm} ${trouble.cause} ${trouble.planned}`}>
                {index === 0 && (
                  <th role={roles.name} scope="rowgroup" rowSpan={troubles.length}>
                    <Link to={`/network/${gwid}`} search={{ tab: 'events' }} className="ellipsis" title={remark}>
                      {remark}
                    </Link>
                  </th>
                )}
                <Line trouble={trouble} />
              </tr>
            )),
          )}
        </tbody>
      </Rows>
      {networks.length > first.length && (
        <p className="small trouble-foot">
          <Button kind="link" onClick={() => setAll(!all)}>
            {all ? t('night.fewer') : t('night.all', { n: networks.length })}
          </Button>
        </p>
      )}
      {all && total > networks.length && (
        <p className="small dim">{t('night.in_file', { n: total - networks.length })}</p>
      )}
    </>
  );
}

/** At least one network, and whole ones. */
function firstRows(networks: readonly Network[]): readonly Network[] {
  let rows = 0;
  return networks.filter(({ troubles }, place) => {
    rows += troubles.length;
    return place === 0 || rows <= ROWS;
  });
}

function Line({ trouble }: { trouble: Trouble }) {
  const { alarm, cause, planned, whole, devices, clients, clients_unknown: unknown } = trouble;
  return (
    <>
      <td role={roles.cell} className="rows-wide">
        {planned === 'maintenance' ? (
          t('night.maintenance')
        ) : cause ? (
          <OutageCauseText cause={cause} />
        ) : (
          t(`alarm.kind_${alarm!}`)
        )}
      </td>
      <td role={roles.cell} className="rows-second">
        <ShortTime at={trouble.began_at} />
      </td>
      <td role={roles.cell} className="rows-second rows-until">
        {trouble.ended_at === null ? t('night.lasts') : <ShortTime at={trouble.ended_at} />}
      </td>
      <td role={roles.cell} className="nowrap">
        {trouble.times > 1
          ? t('night.several', { time: duration(trouble.seconds), n: trouble.times })
          : duration(trouble.seconds)}
      </td>
      <td role={roles.cell} className="rows-second" data-label={whole ? undefined : t('night.devices')}>
        {whole ? t('night.whole', { n: devices }) : count(devices)}
      </td>
      <td role={roles.cell} className="rows-second right" data-label={t('strip.clients')}>
        {clients === null
          ? t('trouble.unknown')
          : unknown > 0
            ? t('night.clients_some', { clients: count(clients), n: unknown })
            : count(clients)}
      </td>
    </>
  );
}
