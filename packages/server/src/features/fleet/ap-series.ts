import type { fleetAir as contract, DataOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { closedUntil } from '../../telemetry/read/air.ts';
import { type Measures, series } from '../../telemetry/read/index.ts';
import { placesTaken } from './events/event-store.ts';

type Series = DataOf<typeof contract.apSeries>;

const bucketMs = 300_000;
const buckets = 288;
const want = [
  'clients',
  'clients2g',
  'clients5g',
  'clients6g',
  'down',
  'up',
  'cpu',
  'mem',
  'util2g',
  'util5g',
  'util6g',
  'noise2g',
  'noise5g',
  'noise6g',
] satisfies (keyof Measures)[];
type Want = (typeof want)[number];

/**
 * Returns 24 rolled-up hours; null is a gap. Before a replacement, the replaced device's values: the replacement was
 * elsewhere.
 */
export async function apSeries(tx: Tx, accountId: string, now: Date, serial: string): Promise<Series> {
  const to = await closedUntil(tx, 'device', now);
  const from = new Date(to.getTime() - buckets * bucketMs);
  const before = await placesTaken(tx, accountId, serial, from);
  const turns = [...before, { serial, until: to }];
  const ids = [...new Set(turns.map((turn) => turn.serial))];
  const rows = await series(tx, accountId, { scope: 'device', ids, from, to, step: '5m', want });
  const at = new Map<number, (typeof rows)[number]>();
  let since = from.getTime();
  for (const turn of turns) {
    for (const row of rows.filter(({ id }) => id === turn.serial)) {
      const begin = row.bucket.getTime();
      if (begin + bucketMs > since && begin < turn.until.getTime()) at.set((begin - from.getTime()) / bucketMs, row);
    }
    since = turn.until.getTime();
  }
  const line = (measure: Want) => Array.from({ length: buckets }, (_, place) => at.get(place)?.[measure] ?? null);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    step_s: bucketMs / 1000,
    terminals: { '2.4G': line('clients2g'), '5G': line('clients5g'), '6G': line('clients6g') },
    all_terminals: line('clients'),
    down: line('down'),
    up: line('up'),
    utilization: { '2.4G': line('util2g'), '5G': line('util5g'), '6G': line('util6g') },
    noise: { '2.4G': line('noise2g'), '5G': line('noise5g'), '6G': line('noise6g') },
    cpu: line('cpu'),
    memory: line('mem'),
  };
}
