import { sql } from 'kysely';
import pg from 'pg';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { kyselyOnClient } from '../../platform/database/kysely.ts';
import { chunksOf, makeStaging, type StagingTable, stageText } from '../ingest/rows/staging.ts';
import type { Rows } from '../ingest/rows/written.ts';
import { findEarlierDays, type StatementName, statements } from '../ingest/statements.ts';
import { clearLater, type Earlier } from '../ingest/writer.ts';
import { progressOf, rollUpSpan } from '../rollups.ts';
import { retentionLock } from '../row-retention.ts';
import { closeUplinkDays } from '../uplink-days.ts';
import { countDay } from '../users-day.ts';
import { readEquipment } from './equipment.ts';
import type { Equipment } from './places.ts';
import { writeSessions } from './sessions.ts';

export type DayText = Record<StagingTable, Buffer[]>;

export interface PastDay {
  /** `YYYY-MM-DD` in `zone`. */
  day: string;
  zone: string;
  accountIds: readonly string[];
  now: Date;
}

export interface PastWriter {
  quarterDays: number;
  equipment(accountId: string): Promise<Equipment>;
  /** Earliest written day's beginning; null before the first. */
  until(): Promise<Date | null>;
  /** Writes a day with its rollups, users and uplink flow, all or nothing. */
  write(day: PastDay, text: DayText): Promise<void>;
  close(): Promise<void>;
}

const hour = 3_600_000;
/** Milliseconds after midnight, as in users-day.ts. */
const countedAfter = hour / 6;
const finalAfter = 3 * hour;
const progressName = 'past';

export const noText = (): DayText => ({
  in_device: [],
  in_sample: [],
  in_revision: [],
  in_session: [],
  in_share: [],
});

export function addText(text: DayText, rows: Rows): void {
  for (const table of Object.keys(rows) as StagingTable[]) text[table].push(...chunksOf(rows[table]));
}

/** Uses a connection of its own. Nothing is dropped for its age before `close`. */
export async function openPastWriter(connection: pg.ClientConfig, onLost: (error: Error) => void): Promise<PastWriter> {
  const client = new pg.Client({ ...connection, application_name: 'yunxun_past' });
  client.on('error', onLost);
  await client.connect();
  await client.query('select pg_advisory_lock_shared($1)', [retentionLock]);
  await makeStaging(client);
  const db = kyselyOnClient(client);
  const run = <R extends pg.QueryResultRow>(name: StatementName) => client.query<R>(statements[name]);
  const kept = await client.query<{ name: string; days: number }>('select name, days from platform.partitioned');

  async function makeDays({ day }: PastDay): Promise<void> {
    // its calendar day touches two UTC days
    for (const { name } of kept.rows)
      await client.query('select platform.make_partitions($1, $2::date - 1, $2::date + 1)', [name, day]);
  }

  async function writeRows({ day, zone }: PastDay, text: DayText): Promise<string[]> {
    for (const table of Object.keys(text) as StagingTable[])
      if (text[table].length > 0) await stageText(client, table, text[table]);
    await run('findPlaces');
    await run('dropUnassigned');
    await run('writeSamples');
    if (text.in_revision.length > 0) await run('reviseSamples');
    await writeSessions(client, startOfDay(addDays(day, 1), zone));
    await run('writeStations');
    await run('writeDays');
    const { rows } = await client.query<Earlier>(findEarlierDays);
    const changed = await clearLater(client, rows);
    await run('writeQuarters');
    return changed;
  }

  return {
    quarterDays: kept.rows.find(({ name }) => name === 'station_quarter')?.days ?? 0,
    equipment: (accountId) => readEquipment(client, accountId),
    until: () => db.transaction().execute((tx) => progressOf(tx, progressName)),
    async write(of, text) {
      await makeDays(of);
      await db.transaction().execute(async (tx) => {
        await sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(tx);
        const changed = await writeRows(of, text);
        await finish(tx, of, changed);
      });
    },
    async close() {
      await client.end();
    },
  };
}

async function finish(tx: Tx, { day, zone, accountIds, now }: PastDay, changed: readonly string[]): Promise<void> {
  const [from, to] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
  await rollUpSpan(tx, from, new Date(Math.min(+to, +now)));
  const isOver = +to + countedAfter <= +now;
  const counted = await sql<{ day: string }>`
    select distinct to_char(day, 'YYYY-MM-DD') as day from users_day where account_id = any(${accountIds}::uuid[])
  `.execute(tx);
  const again = counted.rows.filter((one) => changed.includes(one.day)).map((one) => one.day);
  for (const one of [...(isOver ? [day] : []), ...again]) {
    const final = +startOfDay(addDays(one, 1), zone) + finalAfter <= +now;
    await countDay(
      tx,
      one,
      accountIds.map((account_id) => ({ account_id, final })),
    );
  }
  const rolled = await progressOf(tx, 'rollup_network_1h');
  if (rolled && rolled >= to)
    for (const accountId of accountIds)
      await closeUplinkDays(tx, { accountId, zone, from: day, before: addDays(day, 1) });
  await sql`
    insert into platform.rollup_progress (name, until) values (${progressName}, ${from})
    on conflict (name) do update set until = excluded.until
  `.execute(tx);
}
