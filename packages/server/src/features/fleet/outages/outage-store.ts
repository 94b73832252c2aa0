import type { OutageCause } from '@yunxun/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { joinLatest, latestTerminals, latestTime } from '../../../telemetry/read.ts';
import { consoleGraceMs, plannedLimitMs } from './cause.ts';

const keepDays = 400;
const pruneBatch = 10_000;

export interface Outage {
  accountId: string;
  serial: string;
  began: Date;
  ended: Date;
  cause: OutageCause;
  /** Null for a plain reconnect. */
  bootReason: string | null;
}

/** Stores the clients of the last report before the return. */
export async function insertOutage(tx: Tx, outage: Outage): Promise<void> {
  await sql`
    insert into device_outage (account_id, serial, began_at, ended_at, cause, boot_reason, clients)
    select o.account_id, o.serial, ${outage.began}::timestamptz, ${outage.ended}::timestamptz, ${outage.cause}::text,
      ${outage.bootReason}::text, case when ${latestTime} <= ${outage.ended}::timestamptz then ${latestTerminals} end
    from device o ${joinLatest('o')} where o.account_id = ${outage.accountId} and o.serial = ${outage.serial}
    on conflict do nothing
  `.execute(tx);
}

/** Keeps causes by the console. */
export async function explainOutage(
  db: Tx | Kysely<unknown>,
  { accountId, serial, began }: Pick<Outage, 'accountId' | 'serial' | 'began'>,
  cause: OutageCause,
): Promise<void> {
  await sql`
    update device_outage set cause = ${cause}
    where account_id = ${accountId} and serial = ${serial} and began_at = ${began}
      and cause in ('power', 'link', 'unknown') and cause <> ${cause}
  `.execute(db);
}

/** Ends an open outage with the replacement. */
export async function carryOutages(tx: Tx, accountId: string, from: string, to: string, at: Date): Promise<void> {
  await sql`
    insert into device_outage (account_id, serial, began_at, ended_at, cause, boot_reason, clients)
    select o.account_id, ${to}, o.began_at, o.ended_at, o.cause, o.boot_reason, o.clients
    from device_outage o where o.account_id = ${accountId} and o.serial = ${from}
    union all
    select d.account_id, ${to}, d.offline_since, ${at}, 'unknown', null, ${latestTerminals}
    from device d ${joinLatest('d')} where d.account_id = ${accountId} and d.serial = ${from} and not d.online and d.offline_since < ${at}
    on conflict do nothing
  `.execute(tx);
}

/**
 * Selects `(serial, began_at, ended_at, cause, boot_reason, clients)` ending after `from`, or open without clients.
 * `devices`: condition on `o` (account_id, serial).
 * @param consoleUpSince when devices could connect again
 */
export function outagesSince(
  accountId: string,
  from: Date,
  { now, consoleUpSince, devices }: { now: Date; consoleUpSince: Date | null; devices: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const ms = (length: number) => sql`make_interval(secs => ${length / 1000})`;
  return sql`
    select o.serial, o.began_at, o.ended_at, o.cause, o.boot_reason, o.clients from device_outage o
    where o.account_id = ${accountId} and o.ended_at > ${from} and ${devices}
    union all
    select o.serial, o.offline_since, null, case
        when o.offline_cause = 'console'
          and ${now} <= greatest(o.offline_since, ${consoleUpSince}::timestamptz) + ${ms(consoleGraceMs)} then 'console'
        when (o.offline_cause = 'planned' or o.restarting_since >= o.offline_since - ${ms(plannedLimitMs)})
          and ${now} <= o.offline_since + ${ms(plannedLimitMs)} then 'planned'
        else 'unknown' end, null, null::integer
    from device o
    where o.account_id = ${accountId} and not o.online and o.offline_since < ${now} and ${devices}`;
}

export async function pruneOutages(db: Kysely<unknown>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keepDays * 86_400_000);
  for (let deleted = 0; ; ) {
    const { numAffectedRows } = await sql`
      delete from device_outage where ctid in (
        select ctid from device_outage where ended_at < ${before} limit ${pruneBatch})
    `.execute(db);
    const count = Number(numAffectedRows ?? 0);
    deleted += count;
    if (count < pruneBatch) return deleted;
  }
}
