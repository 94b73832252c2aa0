import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/index.ts';

/** Writers of past days share it; nothing is dropped meanwhile. */
export const retentionLock = 0x79756e_04;

const atOnce = 5000;
const dayMs = 86_400_000;

/** Covers daily totals and clients, which are kept at least as long as their sessions and visits. */
export async function deleteExpiredRows(
  database: Database,
  clock: Clock,
): Promise<{ terminals: number; days: number }> {
  const begun = await database.withSystem((tx) => bounds(tx, clock.now()));
  let terminals = 0;
  for (let more = true; more; ) {
    const gone = await unlessHeld(database, (tx) => forgetTerminals(tx, begun.terminals));
    terminals += gone;
    more = gone === atOnce;
  }
  const days = await unlessHeld(database, async (tx) => {
    let gone = 0;
    for (const table of ['users_day', 'uplink_day']) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} d using account_calendar a
        where d.account_id = a.account_id and d.day < ${begun.days}::date
      `.execute(tx);
      gone += Number(numAffectedRows);
    }
    return gone;
  });
  return { terminals, days };
}

async function bounds(tx: Tx, now: Date): Promise<{ terminals: string; days: string }> {
  const { rows } = await sql<{ terminals: number; days: number }>`
    select greatest((select days from platform.kept where name = 'station'),
        (select max(days) from platform.partitioned where name in ('station_day', 'station_session'))) as terminals,
      (select days from platform.partitioned where name = 'rollup_account_1d') as days
  `.execute(tx);
  const first = (days: number) => new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
  return { terminals: first(rows[0]!.terminals), days: first(rows[0]!.days) };
}

/** Skips while past days are written. */
async function unlessHeld(database: Database, work: (tx: Tx) => Promise<number>): Promise<number> {
  return database.withSystem(async (tx) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${retentionLock}) as free`.execute(
      tx,
    );
    return rows[0]!.free ? work(tx) : 0;
  });
}

/** Deletes absent clients per account, to use the index. */
async function forgetTerminals(tx: Tx, before: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from station s using (
      select one.account_id, one.mac from account_calendar a
      cross join lateral (
        select s.account_id, s.mac from station s
        where s.account_id = a.account_id and s.last_seen < ${`${before}T00:00:00Z`}::timestamptz
          and not exists (select from station_open o where o.account_id = s.account_id and o.mac = s.mac)
        order by s.last_seen limit ${atOnce}) one
      limit ${atOnce}) old
    where s.account_id = old.account_id and s.mac = old.mac and s.last_seen < ${`${before}T00:00:00Z`}::timestamptz
  `.execute(tx);
  return Number(numAffectedRows);
}
