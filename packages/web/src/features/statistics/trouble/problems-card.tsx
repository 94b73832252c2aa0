import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { LevelTag } from '../../../ui/alarm-level.tsx';
import { count, duration, exactTime } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { StatusTag } from '../../../ui/status.tsx';
import { roles } from '../../../ui/table/roles.ts';
import { useNow } from '../../../ui/time.tsx';
import { kindText, nameText } from '../../alarms/index.ts';
import { StatCard } from '../stat-card.tsx';
import { useHome } from '../use-home.ts';
import { Rows } from './rows.tsx';

type Row = Data<'/api/v3/overview/problems'>['list'][number];
type Problem = Row['problems'][number];

/** Networks that the first screen has room for. */
const SHOWN = 4;

export function ProblemsCard() {
  const answer = useHome('/api/v3/overview/problems', {});
  const { data } = answer;
  return (
    <StatCard
      title={t('card.problems')}
      metric="problems"
      answer={answer}
      asOf={({ as_of }) => as_of}
      actions={data && data.total > 0 && <span className="figure">{count(data.total)}</span>}
      height={200}
      line={({ total, networks }) =>
        total === 0 ? (
          <>
            <strong>{t('problems.calm')}</strong>{' '}
            <span className="dim">{t('problems.calm_body', { n: networks })}</span>
          </>
        ) : null
      }
      lineIcon="check"
    >
      {({ list, total }) => (
        <>
          <Table rows={list.slice(0, SHOWN)} />
          {total > SHOWN && (
            <p className="small trouble-foot">
              <Link to="/alarm">{t('problems.more', { n: total - Math.min(SHOWN, list.length) })}</Link>
            </p>
          )}
        </>
      )}
    </StatCard>
  );
}

function clientsText({ gwid, clients }: Row): string {
  if (gwid === null) return '—';
  return clients === null ? t('trouble.unknown') : count(clients);
}

function Table({ rows }: { rows: readonly Row[] }) {
  const now = useNow();
  return (
    <Rows>
      <thead role={roles.rows}>
        <tr role={roles.row}>
          <th role={roles.column}>{t('trouble.network')}</th>
          <th role={roles.column}>{t('problems.level')}</th>
          <th role={roles.column}>{t('trouble.problem')}</th>
          <th role={roles.column}>{t('problems.lasts')}</th>
          <th role={roles.column} className="right">
            {t('trouble.clients')}
          </th>
        </tr>
      </thead>
      <tbody role={roles.rows}>
        {rows.map((row) => (
          <tr role={roles.row} key={row.gwid ?? ''}>
            <th role={roles.name} scope="row">
              {row.gwid ? (
                <Link to={`/network/${row.gwid}`} className="ellipsis" title={row.remark}>
                  {row.remark}
                </Link>
              ) : (
                t('alarm.account')
              )}
            </th>
            <td role={roles.cell} className="rows-second">
              {row.level ? <LevelTag level={row.level} /> : <StatusTag status="offline" />}
            </td>
            <td role={roles.cell} className="rows-second rows-wide">
              <What row={row} />
            </td>
            <td role={roles.cell} className="nowrap">
              {row.since ? (
                <time dateTime={row.since} title={exactTime(new Date(row.since))}>
                  {duration((now - Date.parse(row.since)) / 1000)}
                </time>
              ) : (
                t('trouble.unknown')
              )}
            </td>
            <td role={roles.cell} className="right" data-label={t('strip.clients')}>
              {clientsText(row)}
            </td>
          </tr>
        ))}
      </tbody>
    </Rows>
  );
}

function What({ row: { gwid, problems, total } }: { row: Row }) {
  const [worst] = problems;
  if (!worst) return null;
  return (
    <span className="row trouble-what">
      {worst.alarm_id ? (
        <Link to="/alarm" search={{ alarm: worst.alarm_id }} className="ellipsis">
          {textOf(worst)}
        </Link>
      ) : (
        <Link
          to={`/network/${gwid}`}
          search={{ tab: 'devices', ...(worst.serial ? { device: worst.serial } : {}) }}
          className="ellipsis"
        >
          {textOf(worst)}
        </Link>
      )}
      {total > 1 && (
        <Link to="/alarm" search={gwid ? { gwid } : {}} className="nowrap small">
          {t('problems.others', { n: total - 1 })}
        </Link>
      )}
    </span>
  );
}

function textOf(problem: Problem): string {
  if (problem.serial && problem.kind !== 'network_offline') {
    return t('problems.of_device', { what: kindText(problem), name: nameText(problem) });
  }
  return problem.devices > 1
    ? t('problems.of_devices', { what: kindText(problem), n: problem.devices })
    : kindText(problem);
}
