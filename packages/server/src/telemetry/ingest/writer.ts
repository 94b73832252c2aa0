import type pg from 'pg';
import type { Rows } from './batch.ts';
import type { Stages } from './messages.ts';
import { stage } from './staging.ts';
import { clearNew, findEnded, statements } from './statements.ts';

/** Somebody else wrote of these devices since they were read: what was counted does not hold. */
export class Overtaken extends Error {
  constructor(readonly devices: readonly { accountId: string; serial: string }[]) {
    super('devices were written by another worker');
  }
}

/** A device, as statements name it. */
interface Named {
  accountId: string;
  serial: string;
}

/** The column of in_share that says how many sessions began. */
const shareSessions = 10;
/** Whether a row of in_share has bytes of a cable. */
const isCable = (share: readonly unknown[]) => share[12] === false && (share[6] !== 0 || share[7] !== 0);
/** Tables by day that ingest writes to. */
const byDay = ['device_sample', 'station_session', 'station_quarter', 'station_day'];

/**
 * Writes a batch in one transaction. @returns devices that are bound no longer, of which nothing was written
 * @throws Overtaken; errors of the database
 */
export async function writeBatch(
  db: pg.ClientBase,
  rows: Rows,
  clock: <T>(stage: keyof Stages, work: () => Promise<T>) => Promise<T>,
): Promise<{ accountId: string; serial: string }[]> {
  if (rows.in_device.length === 0) return [];
  const run = <R extends pg.QueryResultRow>(name: keyof typeof statements) =>
    db.query<R>({ name: `ingest-${name}`, text: statements[name] });
  await db.query('begin');
  try {
    await clock('copy', async () => {
      await stage(db, 'in_device', rows.in_device);
      await stage(db, 'in_sample', rows.in_sample);
      await stage(db, 'in_session', rows.in_session);
      await stage(db, 'in_share', rows.in_share);
    });
    const gone = await clock('write', async () => {
      if (rows.in_device.some(([, , baseAt]) => baseAt === null)) await run('holdNewcomers');
      const unheld = await run<Named>('writeCounters');
      const { rows: unbound } = await run<Named>('findPlaces');
      const isUnbound = ({ accountId, serial }: Named) =>
        unbound.some((one) => one.accountId === accountId && one.serial === serial);
      const overtaken = unheld.rows.filter((one) => !isUnbound(one));
      if (overtaken.length > 0) throw new Overtaken(overtaken);
      if (rows.in_sample.length > 0) {
        await run('writeSamples');
        await run('writeLatest');
      }
      if (rows.in_session.length > 0) {
        if (rows.in_session.some(([endedAt]) => endedAt !== null)) await run('removeEnded');
        await run('writeOpen');
        if (rows.in_session.some(([endedAt]) => endedAt !== null)) await run('writeEnded');
        if (rows.in_session.some(([endedAt, , fresh]) => endedAt === null && fresh)) await run('writeRoamed');
      }
      if (rows.in_share.length > 0) {
        await run('writeStations');
        if (rows.in_share.some(isCable)) await run('leaveToAir');
        await run('writeDays');
        if (rows.in_share.some((share) => share[shareSessions] !== 0)) {
          const earlier = await run<Earlier>('findEarlier');
          if (earlier.rows.length > 0) await clearLater(db, earlier.rows);
        }
        await run('writeQuarters');
      }
      return unbound;
    });
    await clock('commit', () => db.query('commit'));
    return gone;
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A terminal whose first day was told late; days as `YYYY-MM-DD`. */
interface Earlier {
  account_id: string;
  mac: string;
  first: string;
  last: string;
}

async function clearLater(db: pg.ClientBase, earlier: readonly Earlier[]): Promise<void> {
  const column = (key: keyof Earlier) => earlier.map((one) => one[key]);
  await db.query(clearNew, [column('account_id'), column('mac'), column('first'), column('last')]);
}

/**
 * Makes sure that the tables by day have a place for some days (UTC, `YYYY-MM-DD`); the days around them are made with
 * them, since an account's calendar may be a day before or behind.
 */
export async function makeDays(db: pg.ClientBase, days: Iterable<string>, made: Set<string>): Promise<void> {
  for (const day of days) {
    if (made.has(day)) continue;
    for (const table of byDay)
      await db.query('select platform.make_partitions($1, $2::date - 1, $2::date + 1)', [table, day]);
    made.add(day);
  }
}

/** An event whose session the history may have. */
export interface Told {
  id: number;
  accountId: string;
  serial: string;
  mac: string;
  bssid: string;
  /** When the session began and, of a leave, ended. */
  from: Date;
  to: Date;
  joins: boolean;
}

/** Which events the history has already: for certain, or (false) by the beginning of their session. */
export async function knownSessions(db: pg.ClientBase, told: readonly Told[]): Promise<Map<number, boolean>> {
  if (told.length === 0) return new Map();
  const column = <K extends keyof Told>(key: K) => told.map((one) => one[key]);
  const { rows } = await db.query<{ id: number; exact: boolean }>({
    name: 'ingest-ended',
    text: findEnded,
    values: [
      ...[column('id'), column('accountId'), column('serial'), column('mac'), column('bssid')],
      ...[column('from'), column('to'), column('joins')],
    ],
  });
  return new Map(rows.map(({ id, exact }) => [id, exact]));
}
