import type pg from 'pg';
import type { ChangedNetwork, Stages } from './messages.ts';
import { stage } from './rows/staging.ts';
import type { Rows } from './rows/written.ts';
import { clearNew, findEnded, statements } from './statements.ts';

/** Another worker wrote these devices since they were read. */
export class WriteConflict extends Error {
  constructor(readonly devices: readonly { accountId: string; serial: string }[]) {
    super('devices were written by another worker');
  }
}

interface Named {
  accountId: string;
  serial: string;
}

const shareSessions = 10;
const isCable = (share: readonly unknown[]) => share[12] === false && (share[6] !== 0 || share[7] !== 0);
/** Partitioned by day. */
const byDay = ['device_sample', 'station_session', 'station_quarter', 'station_day'];

/**
 * @returns unbound devices, of which nothing was written, and networks with changed clients
 * @throws WriteConflict; errors of the database
 */
export async function writeBatch(
  db: pg.ClientBase,
  rows: Rows,
  clock: <T>(stage: keyof Stages, work: () => Promise<T>) => Promise<T>,
): Promise<{ gone: Named[]; changed: ChangedNetwork[] }> {
  if (rows.in_device.length === 0) return { gone: [], changed: [] };
  let changed: ChangedNetwork[] = [];
  const run = <R extends pg.QueryResultRow>(name: keyof typeof statements) =>
    db.query<R>({ name: `ingest-${name}`, text: statements[name] });
  await db.query('begin');
  try {
    await clock('copy', async () => {
      await stage(db, 'in_device', rows.in_device);
      await stage(db, 'in_sample', rows.in_sample);
      await stage(db, 'in_revision', rows.in_revision);
      await stage(db, 'in_session', rows.in_session);
      await stage(db, 'in_share', rows.in_share);
    });
    const gone = await clock('write', async () => {
      if (rows.in_device.some(([, , baseAt]) => baseAt === null)) await run('lockBaselines');
      const unheld = await run<Named>('writeCounters');
      const { rows: unbound } = await run<Named>('findPlaces');
      const isUnbound = ({ accountId, serial }: Named) =>
        unbound.some((one) => one.accountId === accountId && one.serial === serial);
      const conflicts = unheld.rows.filter((one) => !isUnbound(one));
      if (conflicts.length > 0) throw new WriteConflict(conflicts);
      if (rows.in_session.length + rows.in_share.length > 0) await run('dropUnassigned');
      if (rows.in_sample.length > 0) {
        await run('writeSamples');
        await run('writeLatest');
      }
      if (rows.in_revision.length > 0) await run('reviseSamples');
      if (rows.in_session.length > 0) {
        if (rows.in_session.some(([endedAt]) => endedAt !== null)) await run('removeEnded');
        await run('writeOpen');
        if (rows.in_session.some(([endedAt]) => endedAt !== null)) await run('writeEnded');
        if (rows.in_session.some(([endedAt, , fresh]) => endedAt === null && fresh)) await run('writeRoamed');
        if (rows.in_session.some(([endedAt, , fresh, news]) => endedAt !== null || fresh || news))
          changed = (await run<ChangedNetwork>('findChanged')).rows;
      }
      if (rows.in_share.length > 0) {
        await run('writeStations');
        if (rows.in_share.some(isCable)) await run('zeroWirelessDuplicates');
        await run('writeDays');
        if (rows.in_share.some((share) => share[shareSessions] !== 0)) {
          const earlier = await run<Earlier>('findEarlier');
          await clearLater(db, earlier.rows);
        }
        await run('writeQuarters');
      }
      return unbound;
    });
    await clock('commit', () => db.query('commit'));
    return { gone, changed };
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** `YYYY-MM-DD`. */
export interface Earlier {
  account_id: string;
  mac: string;
  first: string;
  last: string;
}

/** Takes "new" from days after the first. @returns them, `YYYY-MM-DD` */
export async function clearLater(db: pg.ClientBase, earlier: readonly Earlier[]): Promise<string[]> {
  if (earlier.length === 0) return [];
  const column = (key: keyof Earlier) => earlier.map((one) => one[key]);
  const asked = [column('account_id'), column('mac'), column('first'), column('last')];
  const { rows } = await db.query<{ day: string }>(clearNew, asked);
  return [...new Set(rows.map(({ day }) => day))];
}

/** Includes neighbouring days: local days differ from UTC. */
export async function ensureDays(db: pg.ClientBase, days: Iterable<string>, made: Set<string>): Promise<void> {
  for (const day of days) {
    if (made.has(day)) continue;
    for (const table of byDay)
      await db.query('select platform.make_partitions($1, $2::date - 1, $2::date + 1)', [table, day]);
    made.add(day);
  }
}

export interface EventKey {
  id: number;
  accountId: string;
  serial: string;
  mac: string;
  bssid: string;
  from: Date;
  to: Date;
  joins: boolean;
}

/** Returns true for events exactly in the history, false by their session's start. */
export async function knownSessions(db: pg.ClientBase, reported: readonly EventKey[]): Promise<Map<number, boolean>> {
  if (reported.length === 0) return new Map();
  const column = <K extends keyof EventKey>(key: K) => reported.map((one) => one[key]);
  const { rows } = await db.query<{ id: number; exact: boolean }>({
    name: 'ingest-ended',
    text: findEnded,
    values: [
      column('id'),
      column('accountId'),
      column('serial'),
      column('mac'),
      column('bssid'),
      column('from'),
      column('to'),
      column('joins'),
    ],
  });
  return new Map(rows.map(({ id, exact }) => [id, exact]));
}
