import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { LevelTag, levels } from '../../../ui/alarm-level.tsx';
import { Swatch } from '../../../ui/chart/frame.tsx';
import { Sparkline } from '../../../ui/chart/sparkline.tsx';
import { bytes, count, duration } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { StatusTag } from '../../../ui/status.tsx';
import { roles } from '../../../ui/table/roles.ts';
import { StatCard } from '../stat-card.tsx';
import { useHome } from '../use-home.ts';
import { Rows } from './rows.tsx';

type Row = Data<'/api/v3/overview/ranking'>['list'][number];

const REFRESH_MS = 60_000;
/** Places in the palette. */
const CLIENTS = 0;
const TRAFFIC = 2;
const weekS = 7 * 86_400;
const consoleGapS = 3600;

export function RankingCard() {
  const answer = useHome('/api/v3/overview/ranking', {}, { refreshMs: REFRESH_MS });
  const { data } = answer;
  return (
    <StatCard
      title={t('card.ranking')}
      metric="ranking"
      answer={answer}
      asOf={({ as_of }) => as_of}
      actions={
        data && (
          <Link to="/networks" className="small">
            {t('ranking.all', { n: data.total })}
          </Link>
        )
      }
      height={320}
    >
      {({ list }) => (
        <Rows>
          <thead role={roles.rows}>
            <tr role={roles.row}>
              <th role={roles.column}>{t('trouble.network')}</th>
              <th role={roles.column}>{t('ranking.status')}</th>
              <th role={roles.column}>{t('ranking.alarms')}</th>
              <th role={roles.column} className="right">
                {t('ranking.availability')}
              </th>
              <th role={roles.column}>{t('ranking.out')}</th>
              <th role={roles.column}>
                <Swatch color={CLIENTS} /> {t('ranking.clients')}
              </th>
              <th role={roles.column}>
                <Swatch color={TRAFFIC} /> {t('ranking.traffic')}
              </th>
            </tr>
          </thead>
          <tbody role={roles.rows}>
            {list.map((row) => (
              <Line key={row.gwid} row={row} />
            ))}
          </tbody>
        </Rows>
      )}
    </StatCard>
  );
}

function Line({ row }: { row: Row }) {
  const alarms = levels.filter((level) => row.alarms[level] > 0);
  return (
    <tr role={roles.row}>
      <th role={roles.name} scope="row">
        <Link to={`/network/${row.gwid}`} className="ellipsis" title={row.remark}>
          {row.remark}
        </Link>
      </th>
      <td role={roles.cell}>
        <Link to={`/network/${row.gwid}`} search={{ tab: 'devices' }}>
          <StatusTag status={row.status} />
        </Link>
      </td>
      <td role={roles.cell} className="rows-second" data-label={t('ranking.alarms')}>
        {alarms.length === 0 ? (
          <span className="dim">{t('ranking.no_alarms')}</span>
        ) : (
          <Link to="/alarm" search={{ gwid: row.gwid }} className="row ranking-alarms">
            {alarms.map((level) => (
              <span key={level} className="nowrap">
                <LevelTag level={level} /> {count(row.alarms[level])}
              </span>
            ))}
          </Link>
        )}
      </td>
      <td role={roles.cell} className="rows-second right nowrap" data-label={t('ranking.availability')}>
        {row.availability === null ? t('trouble.unknown') : `${row.availability}%`}
        {row.availability !== null && row.measured_s < weekS - consoleGapS && (
          <div className="small dim">{t('outages.measured', { time: duration(row.measured_s) })}</div>
        )}
      </td>
      <td role={roles.cell} className="rows-second nowrap" data-label={t('ranking.out')}>
        {row.availability === null ? (
          <span className="dim">{t('trouble.unknown')}</span>
        ) : row.out_s === 0 ? (
          <span className="dim">{t('ranking.not_out')}</span>
        ) : (
          <Link to={`/network/${row.gwid}`} search={{ tab: 'events' }}>
            {duration(row.out_s)}
          </Link>
        )}
      </td>
      <td role={roles.cell} className="rows-second" data-label={t('ranking.clients')}>
        <Curve values={row.clients} color={CLIENTS} text={count} name={t('ranking.clients')} />
      </td>
      <td role={roles.cell} className="rows-second" data-label={t('ranking.traffic')}>
        <Curve values={row.traffic} color={TRAFFIC} text={bytes} name={t('ranking.traffic')} />
      </td>
    </tr>
  );
}

function Curve(props: {
  values: readonly (number | null)[];
  color: number;
  text: (value: number) => string;
  name: string;
}) {
  const { values, color, text, name } = props;
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return <span className="dim">{t('ranking.no_reports')}</span>;
  const label = t('ranking.curve', { name, last: text(known.at(-1)!), most: text(Math.max(...known)) });
  return (
    <span title={label}>
      <Sparkline label={label} values={values} color={color} />
    </span>
  );
}
