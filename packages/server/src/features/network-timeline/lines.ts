import type { networkTimeline as contract, DataOf, TimelineHours, TrafficSource } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { closedUntil } from '../../telemetry/read/air.ts';
import { type Measures, type SeriesRow, series } from '../../telemetry/read/index.ts';
import { fleetGateways } from '../fleet/index.ts';
import { scoredMeasures, scoreOfBucket } from '../wireless-monitor/index.ts';

type Timeline = DataOf<typeof contract.networkTimeline>;
export type TimelineLines = Pick<
  Timeline,
  'from' | 'to' | 'step_s' | 'traffic_source' | 'down' | 'up' | 'clients' | 'utilization' | 'score' | 'latency' | 'loss'
>;
type Line = Timeline['down'];

const minute = 60_000;
const hour = 60 * minute;

/** Step read, and buckets answered, milliseconds. */
const cuts: Readonly<Record<TimelineHours, { step: '5m' | '1h'; read: number; bucket: number }>> = {
  24: { step: '5m', read: 5 * minute, bucket: 5 * minute },
  168: { step: '1h', read: hour, bucket: hour },
  720: { step: '1h', read: hour, bucket: 2 * hour },
};

const bytesRead = ['down', 'up'] as const;
const wanRead = ['wanDown', 'wanUp'] as const;
const airRead = ['clients2g', 'clients5g', 'clients6g', 'util2g', 'util5g', 'util6g'] as const;
const uplinkRead = ['wanLatency', 'wanLoss'] as const;
const networkRead = [
  ...new Set([...bytesRead, ...airRead, ...scoredMeasures, ...uplinkRead]),
] satisfies (keyof Measures)[];

/** Ends with counted data. Traffic of the gateway's WAN ports, else of radios. A bucket without reports is a gap. */
export async function linesOf(
  tx: Tx,
  accountId: string,
  { gwid, hours, now }: { gwid: string; hours: TimelineHours; now: Date },
): Promise<TimelineLines> {
  const { step, read, bucket } = cuts[hours];
  const to = await closedUntil(tx, 'network', now);
  const from = new Date(Math.ceil(to.getTime() / bucket) * bucket - hours * hour);
  const span = { from, to, step };
  const rows = await series(tx, accountId, { scope: 'network', ids: [gwid], ...span, want: networkRead });
  const gateway = await fleetGateways.ofNetwork(tx, accountId, gwid);
  const wan = gateway
    ? await series(tx, accountId, { scope: 'device', ids: [gateway], gwids: [gwid], ...span, want: wanRead })
    : [];
  const source = sourceOf(wan, rows);

  /** Puts the rows of each bucket together; one without rows is a gap. */
  function line<R extends { bucket: Date }>(from_: readonly R[], value: (rows: readonly R[]) => number | null): Line {
    const within = new Map<number, R[]>();
    for (const row of from_) {
      const place = Math.floor((row.bucket.getTime() - from.getTime()) / bucket);
      within.set(place, [...(within.get(place) ?? []), row]);
    }
    const places = Math.ceil((to.getTime() - from.getTime()) / bucket);
    return Array.from({ length: places }, (_, place) => {
      const own = within.get(place);
      return own ? value(own) : null;
    });
  }

  /** Computes mean bit/s; the last row may be cut short. */
  function rate<K extends keyof Measures>(from_: readonly SeriesRow<K>[], measure: K): Line {
    return line(from_, (own) => {
      const bytes = own.reduce((sum, row) => sum + Number(row[measure] ?? 0), 0);
      const ms = own.reduce((sum, { bucket: begin }) => sum + Math.min(read, to.getTime() - begin.getTime()), 0);
      return Math.round((bytes * 8000) / ms);
    });
  }

  const air = (value: (row: SeriesRow<(typeof networkRead)[number]>) => number | null) =>
    line(rows, (own) => mean(own.map(value)));
  const reported = rows.some((row) => airRead.some((measure) => Boolean(row[measure])));
  const none = line(rows, () => null);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    step_s: bucket / 1000,
    traffic_source: source,
    down: source === 'wan' ? rate(wan, 'wanDown') : source === 'radio' ? rate(rows, 'down') : none,
    up: source === 'wan' ? rate(wan, 'wanUp') : source === 'radio' ? rate(rows, 'up') : none,
    clients: reported ? air(clientsOf) : none,
    utilization: {
      '2.4G': air(({ util2g }) => util2g),
      '5G': air(({ util5g }) => util5g),
      '6G': air(({ util6g }) => util6g),
    },
    score: air(scoreOfBucket),
    latency: air(({ wanLatency }) => wanLatency),
    loss: air(({ wanLoss }) => wanLoss),
  };
}

function sourceOf(
  wan: readonly SeriesRow<(typeof wanRead)[number]>[],
  rows: readonly SeriesRow<(typeof networkRead)[number]>[],
): TrafficSource {
  if (wan.some(({ wanDown, wanUp }) => wanDown + wanUp > 0)) return 'wan';
  return rows.some(({ down, up }) => down + up > 0) ? 'radio' : 'none';
}

/** Wireless clients of all bands; null where no device reported any band. */
function clientsOf(row: Pick<Measures, 'clients2g' | 'clients5g' | 'clients6g'>): number | null {
  const known = [row.clients2g, row.clients5g, row.clients6g].filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

/** The mean of what is known, one decimal; null where nothing is. */
function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 10) / 10;
}
