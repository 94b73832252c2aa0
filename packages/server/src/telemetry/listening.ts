import { type Kysely, sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';

/** Time in which nobody listened to devices. */
export interface Gap {
  from: Date;
  to: Date;
}

/**
 * The shortest gap that is one: processes say that they listen once a minute, and a device that is silent counts as there
 * for as long as this. Milliseconds.
 */
const shortestMs = 150_000;
/** Days that it is known who listened. */
const knownDays = 400;

/** Notes that a process has the device port open. */
export async function noteListening(db: Kysely<unknown>, node: string, at: Date): Promise<void> {
  await sql`
    with forgotten as (
      delete from platform.listening where until < ${at}::timestamptz - make_interval(days => ${knownDays}))
    insert into platform.listening (node, since, until) values (${node}, ${at}, ${at})
    on conflict (node) do update set until = greatest(listening.until, excluded.until)
  `.execute(db);
}

/** When no process listened since a moment, oldest first. What was before the first one that is known is no gap. */
export async function gapsSince(tx: Tx, since: Date, now: Date): Promise<Gap[]> {
  const { rows } = await sql<{ since: Date; until: Date }>`
    select since, until from platform.listening
    where until >= coalesce((select max(until) from platform.listening where until < ${since}), ${since}) and since <= ${now}
    order by since
  `.execute(tx);
  const gaps: Gap[] = [];
  let heard = rows[0]?.until.getTime() ?? now.getTime();
  for (const next of [...rows.slice(1), { since: now, until: now }]) {
    if (next.since.getTime() - heard >= shortestMs) gaps.push({ from: new Date(heard), to: next.since });
    heard = Math.max(heard, next.until.getTime());
  }
  return gaps;
}

/** Seconds of a stretch that lie in gaps. */
export function secondsUnheard(gaps: readonly Gap[], from: Date, to: Date): number {
  const within = ({ from: a, to: b }: Gap) =>
    Math.max(0, Math.min(b.getTime(), to.getTime()) - Math.max(a.getTime(), from.getTime()));
  return Math.round(gaps.reduce((all, gap) => all + within(gap), 0) / 1000);
}
