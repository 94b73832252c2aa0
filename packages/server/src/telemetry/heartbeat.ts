import { type Kysely, sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';

/** No process accepted devices. */
export interface Downtime {
  from: Date;
  to: Date;
}

/** Milliseconds. Heartbeats come every minute, and a silent device counts as online this long. */
const shortestMs = 150_000;
const knownDays = 400;

export async function writeHeartbeat(db: Kysely<unknown>, node: string, at: Date): Promise<void> {
  await sql`
    with forgotten as (
      delete from platform.listening where until < ${at}::timestamptz - make_interval(days => ${knownDays}))
    insert into platform.listening (node, since, until) values (${node}, ${at}, ${at})
    on conflict (node) do update set until = greatest(listening.until, excluded.until)
  `.execute(db);
}

/** Returns oldest first; the time before the first heartbeat is none. */
export async function downtimesSince(tx: Tx, since: Date, now: Date): Promise<Downtime[]> {
  const { rows } = await sql<{ since: Date; until: Date }>`
    select since, until from platform.listening
    where until >= coalesce((select max(until) from platform.listening where until < ${since}), ${since}) and since <= ${now}
    order by since
  `.execute(tx);
  const gaps: Downtime[] = [];
  let heard = rows[0]?.until.getTime() ?? now.getTime();
  for (const next of [...rows.slice(1), { since: now, until: now }]) {
    if (next.since.getTime() - heard >= shortestMs) gaps.push({ from: new Date(heard), to: next.since });
    heard = Math.max(heard, next.until.getTime());
  }
  return gaps;
}

export async function runningSince(tx: Tx, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(
      min(since) filter (where until >= ${new Date(now.getTime() - shortestMs)}::timestamptz), max(since)) as at
    from platform.listening where since <= ${now}
  `.execute(tx);
  return rows[0]?.at ?? null;
}

export function secondsOfDowntime(gaps: readonly Downtime[], from: Date, to: Date): number {
  const within = ({ from: a, to: b }: Downtime) =>
    Math.max(0, Math.min(b.getTime(), to.getTime()) - Math.max(a.getTime(), from.getTime()));
  return Math.round(gaps.reduce((all, gap) => all + within(gap), 0) / 1000);
}
