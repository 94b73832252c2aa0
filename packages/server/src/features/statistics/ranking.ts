import { type Actor, type AlarmLevel, allows, home as contract, type DataOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { floorTo, hour } from '../../telemetry/layers.ts';
import { type SeriesRow, series } from '../../telemetry/read/index.ts';
import { incidents } from '../alarms/index.ts';
import { deviceOutages, fleetNetworks } from '../fleet/index.ts';
import { wirelessOf } from './hourly-clients.ts';

type NetworkAvailability = Awaited<ReturnType<typeof deviceOutages.availability>>[number];

type Ranking = DataOf<typeof contract.ranking>;
type Row = Ranking['list'][number];
type Counts = Readonly<Record<AlarmLevel, number>>;

const hours = 24;
const weekHours = 168;
const quiet: Counts = { FATAL: 0, MIDDLE: 0, GENERAL: 0 };
const read = ['networkWan', 'down', 'up', 'clients2g', 'clients5g', 'clients6g'] as const;

/** Reads series of the listed ones only. */
export async function networkRanking(tx: Tx, actor: Actor, now: Date): Promise<Ranking> {
  const { accountId } = actor;
  const networks = await deviceOutages.availabilityFor(tx, accountId, now, weekHours);
  const alarms = allows(actor, 'message.read') ? await incidents.byNetwork(tx, accountId) : new Map<string, Counts>();
  const alarmsOf = ({ gwid }: NetworkAvailability) => alarms.get(gwid) ?? quiet;
  const first = networks
    .toSorted((a, b) => byTrouble({ ...a, alarms: alarmsOf(a) }, { ...b, alarms: alarmsOf(b) }))
    .slice(0, contract.homeLimits.ranking);
  const gwids = first.map(({ gwid }) => gwid);
  const status = new Map((await fleetNetworks.rows(tx, accountId, now, gwids)).map((row) => [row.gwid, row.status]));
  const to = floorTo(hour, now);
  const from = new Date(to.getTime() - hours * hour);
  const lines = await series(tx, accountId, { scope: 'network', ids: gwids, from, to, step: '1h', want: read });
  return {
    as_of: now.toISOString(),
    from: from.toISOString(),
    list: first.map((network) => ({
      gwid: network.gwid,
      remark: network.remark,
      status: status.get(network.gwid) ?? 'never_connected',
      alarms: alarmsOf(network),
      availability: network.percent,
      measured_s: network.measured_s,
      out_s: network.out_s,
      planned_s: network.planned_s,
      ...linesOf(
        lines.filter(({ id }) => id === network.gwid),
        from,
      ),
    })),
    total: networks.length,
  };
}

function byTrouble(a: NetworkAvailability & { alarms: Counts }, b: NetworkAvailability & { alarms: Counts }): number {
  return (
    b.alarms.FATAL - a.alarms.FATAL ||
    b.alarms.MIDDLE - a.alarms.MIDDLE ||
    b.alarms.GENERAL - a.alarms.GENERAL ||
    b.out_s - b.planned_s - (a.out_s - a.planned_s) ||
    a.remark.localeCompare(b.remark) ||
    a.gwid.localeCompare(b.gwid)
  );
}

function linesOf(rows: readonly SeriesRow<(typeof read)[number]>[], from: Date): Pick<Row, 'clients' | 'traffic'> {
  const wan = rows.some(({ networkWan }) => networkWan > 0);
  const byHour = new Map(rows.map((row) => [row.bucket.getTime(), row]));
  const own = Array.from({ length: hours }, (_, place) => byHour.get(from.getTime() + place * hour));
  return {
    clients: own.map((row) => (row ? wirelessOf(row) : null)),
    traffic: own.map((row) => (row ? Math.round(wan ? row.networkWan : row.down + row.up) : null)),
  };
}
