import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { LevelShape, levelTone } from '../../../ui/alarm-level.tsx';
import { Button } from '../../../ui/button.tsx';
import { Sparkline } from '../../../ui/chart/sparkline.tsx';
import { count, duration, exactTime } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';
import { StatusSign, statusTone, type Tone } from '../../../ui/status.tsx';
import { useNow } from '../../../ui/time.tsx';
import { kindText, nameText } from '../../alarms/index.ts';
import { StatCard } from '../stat-card.tsx';
import { useHome } from '../use-home.ts';
import { FEW, TileGroups } from './tile-groups.tsx';
import './tiles.css';

type Tiles = Data<'/api/v3/overview/tiles'>;
type TileData = Tiles['list'][number];

export function TilesCard() {
  const answer = useHome('/api/v3/overview/tiles', {});
  const { data } = answer;
  return (
    <StatCard
      title={t('card.tiles')}
      metric="tiles"
      answer={answer}
      asOf={({ as_of }) => as_of}
      actions={
        data && (
          <Link to="/networks" className="small">
            {t('ranking.all', { n: data.total })}
          </Link>
        )
      }
      height={200}
      line={({ total }) => (total === 0 ? t('tiles.no_network') : null)}
    >
      {(tiles) => <Content tiles={tiles} />}
    </StatCard>
  );
}

/** Tiles above the groups, and on a phone. */
const SHOWN = 10;

function Content({ tiles: { list, groups, groups_total, troubled } }: { tiles: Tiles }) {
  const [all, setAll] = useState(false);
  const isGrouped = groups.length > 0;
  const shown = isGrouped && !all ? list.slice(0, SHOWN) : list;
  return (
    <>
      {shown.length > 0 && (
        <ul className="tiles" data-few={(!isGrouped && shown.length <= FEW) || undefined} data-all={all || undefined}>
          {shown.map((tile) => (
            <li key={tile.gwid} data-gwid={tile.gwid} data-tone={toneOf(tile)}>
              <Tile tile={tile} />
            </li>
          ))}
        </ul>
      )}
      {list.length > SHOWN && (
        <p className={isGrouped ? 'row small trouble-foot' : 'small trouble-foot tiles-phone'}>
          <Button kind="link" onClick={() => setAll(!all)}>
            {all ? t('night.fewer') : t('night.all', { n: list.length })}
          </Button>
          {troubled > list.length && <Link to="/alarm">{t('problems.more', { n: troubled - list.length })}</Link>}
        </p>
      )}
      {isGrouped && <TileGroups groups={groups} total={groups_total} />}
    </>
  );
}

/** Offline without a problem is excused. */
function toneOf({ problem, status }: TileData): Tone {
  if (problem) return problem.level ? levelTone(problem.level) : 'bad';
  return status === 'offline' ? 'none' : statusTone(status);
}

function Tile({ tile }: { tile: TileData }) {
  const { gwid, remark, status, problem, problems } = tile;
  return (
    <Link to={`/network/${gwid}`} className="tile">
      <h3 className="tile-name">
        {problem?.level ? (
          <span className={`sign sign-${levelTone(problem.level)}`}>
            <LevelShape level={problem.level} />
          </span>
        ) : (
          <StatusSign status={problem ? 'offline' : status} />
        )}
        <span className="ellipsis" title={remark}>
          {remark}
        </span>
        {problems > 1 && (
          <span className="small dim nowrap" title={t('problems.others', { n: problems - 1 })}>
            {`+${problems - 1}`}
          </span>
        )}
      </h3>
      <State tile={tile} />
      <p className="tile-figures small">
        <Figures tile={tile} />
      </p>
      <Curve values={tile.curve} reports={tile.clients !== null} />
    </Link>
  );
}

function State({ tile: { status, since, problem } }: { tile: TileData }) {
  const now = useNow();
  const begin = problem ? problem.since : since;
  const what = problem ? whatOf(problem) : t(`status.${status}`);
  const excused = !problem && status === 'offline';
  return (
    <p className="tile-state small" title={excused ? t('tiles.excused') : undefined}>
      <span className="ellipsis" title={what}>
        {what}
      </span>
      {begin && (
        <time className="nowrap" dateTime={begin} title={exactTime(new Date(begin))}>
          {duration((now - Date.parse(begin)) / 1000)}
        </time>
      )}
    </p>
  );
}

function whatOf(problem: NonNullable<TileData['problem']>): string {
  const isOfDevice = problem.serial && problem.kind !== 'network_offline';
  return isOfDevice ? t('problems.of_device', { what: kindText(problem), name: nameText(problem) }) : kindText(problem);
}

function Figures({
  tile: { status, clients, clients_hit: hit, latency_ms: latency, loss_percent: loss },
}: {
  tile: TileData;
}) {
  if (status === 'never_connected') return <span className="dim">{t('tiles.no_device')}</span>;
  return (
    <>
      {clients === null ? (
        hit !== null && <span>{t('tiles.hit', { n: hit })}</span>
      ) : (
        <span className="tile-clients" title={t('tiles.clients', { n: clients })}>
          <Icon name="users" size={14} />
          <span className="sr">{t('strip.clients')}</span>
          {count(clients)}
        </span>
      )}
      {status === 'online' &&
        (latency === null ? (
          <span className="dim" title={t('tiles.no_line')}>
            {t('tiles.unmeasured')}
          </span>
        ) : (
          <span title={t('tiles.line')}>
            {t('strip.line', { latency: Math.round(latency), loss: (loss ?? 0).toFixed(1) })}
          </span>
        ))}
    </>
  );
}

function Curve({ values, reports }: { values: readonly (number | null)[]; reports: boolean }) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0)
    return <span className="tile-none small dim">{t(reports ? 'strip.no_hour' : 'ranking.no_reports')}</span>;
  const label = t('tiles.curve', { last: count(known.at(-1)!), most: count(Math.max(...known)) });
  return (
    <span title={label}>
      <Sparkline label={label} values={values} color={0} fit />
    </span>
  );
}
