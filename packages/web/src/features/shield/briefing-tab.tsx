import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Failed } from '../../ui/empty.tsx';
import { count, mac as macText, shortTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ListTable } from './domain-lists.tsx';
import { stateText } from './shield.ts';
import './shield.css';

type Briefing = Data<'/api/v3/cloud_security/briefing'>;

const periods = ['1', '7', '30'] as const;

export function BriefingTab() {
  const [search, change] = useSearch();
  const days = oneOf(search.days, periods) ?? '7';
  const { data, error, refetch } = useRead('/api/v3/cloud_security/briefing', { days }, { keepPrevious: true });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading until={false}>{null}</Loading>;
  const counted = data.counted_from !== null;
  return (
    <div className="stack">
      <Choice
        label={t('shield.days')}
        value={days}
        options={periods.map((value) => ({ value, label: t(`shield.days_${value}`) }))}
        onChange={(value) => change({ days: value === '7' ? undefined : value })}
      />
      <Figures data={data} />
      <Card title={t('shield.chart')}>
        <BarChart
          label={t('shield.chart')}
          places={data.by_day.map(({ day }) => day.slice(5))}
          placeTitle={t('shield.day')}
          series={[
            { key: 'blocked', name: t('shield.blocked'), values: data.by_day.map((row) => row.blocked) },
            { key: 'monitored', name: t('shield.monitored_short'), values: data.by_day.map((row) => row.monitored) },
          ]}
          format={count}
          none={t(counted ? 'shield.none' : 'shield.not_counted')}
          why={data.by_day.map(() => t('shield.before_counting'))}
        />
        {data.counted_from && (
          <p className="small dim">{t('shield.counted_since', { since: shortTime(new Date(data.counted_from)) })}</p>
        )}
        <p className="small dim">{t('shield.queries_note')}</p>
      </Card>
      <div className="shield-cards">
        <Top
          counted={counted}
          title={t('shield.top_domains')}
          columns={[t('shield.domain'), t('shield.category'), t('shield.queries')]}
        >
          {data.top_domains.map(({ domain, category, queries }) => [
            domain || t('shield.others'),
            t(`shield.category_${category}`),
            count(queries),
          ])}
        </Top>
        <Top
          counted={counted}
          title={t('shield.top_terminals')}
          columns={[t('shield.terminal'), t('shield.network'), t('shield.queries')]}
        >
          {data.top_terminals.map(({ mac, network, queries }) => [
            mac ? macText(mac) : t('shield.unknown_terminal'),
            network,
            count(queries),
          ])}
        </Top>
        <Top counted={counted} title={t('shield.top_networks')} columns={[t('shield.network'), t('shield.queries')]}>
          {data.networks.map(({ name, queries }) => [name, count(queries)])}
        </Top>
        <Top counted={counted} title={t('shield.top_categories')} columns={[t('shield.category'), t('shield.queries')]}>
          {data.categories.map(({ category, queries }) => [t(`shield.category_${category}`), count(queries)])}
        </Top>
      </div>
      <Unprotected data={data} />
      <Card title={t('shield.list_ages')}>
        {data.lists.length === 0 ? <p>{t('shield.lists_none')}</p> : <ListTable lists={data.lists} may={false} />}
      </Card>
    </div>
  );
}

function Figures({ data: { blocked, monitored } }: { data: Briefing }) {
  const figures = [
    [t('shield.today'), blocked.today],
    [t('shield.week'), blocked.week],
    [t('shield.month'), blocked.month],
    [t('shield.monitored'), monitored],
  ] as const;
  return (
    <div className="shield-figures">
      {figures.map(([title, queries]) => (
        <Card key={title} title={title}>
          <p className="figure">{queries === null ? '—' : count(queries)}</p>
          {queries === null && <p className="small dim">{t('shield.not_counted')}</p>}
        </Card>
      ))}
    </div>
  );
}

function Top(props: {
  title: string;
  columns: readonly string[];
  counted: boolean;
  children: readonly (readonly ReactNode[])[];
}) {
  const { title, columns, children } = props;
  return (
    <Card title={title}>
      {children.length === 0 ? (
        <p className="quiet">{t(props.counted ? 'shield.none' : 'shield.not_counted')}</p>
      ) : (
        <div className="table-scroll">
          <table className="plain-table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {children.map((cells) => (
                <tr key={cells.join(' ')}>
                  {cells.map((cell, at) => (
                    <td key={columns[at]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

function Unprotected({ data }: { data: Briefing }) {
  const { unprotected, unprotected_total: total } = data;
  return (
    <Card title={t('shield.unprotected')}>
      <p className="quiet">{t('shield.protected', { n: data.protected_total })}</p>
      {total === 0 && <p>{t('shield.unprotected_none')}</p>}
      <ul>
        {unprotected.map((row) => (
          <li key={row.gwid}>
            <Link to={`/network/${row.gwid}`}>{row.name}</Link> <span className="dim">{stateText(row)}</span>
          </li>
        ))}
      </ul>
      {total > unprotected.length && (
        <p className="dim">{t('shield.unprotected_more', { n: total - unprotected.length })}</p>
      )}
    </Card>
  );
}
