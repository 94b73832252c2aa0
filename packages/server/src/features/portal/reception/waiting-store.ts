import { portalReception } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { readPage } from '../../../platform/database/page.ts';
import { macContaining } from '../../../platform/search/index.ts';
import { portal } from '../tables.ts';
import type { SiteKey } from '../visit-store.ts';
import type { GuestSystem } from './guest-system.ts';

interface Device {
  mac: string | null;
  verified: boolean;
  ip: string | null;
  system: GuestSystem | null;
}

export interface WaitingDevice extends Device {
  id: string;
  at: Date;
  device_key: Buffer;
  reason: string | null;
}

interface Try extends Device {
  id: string;
  at: Date;
  way: string | null;
  reason: string;
  online: boolean;
}

interface Asked {
  page: number;
  limit: number;
  keyword: string;
  order: 'asc' | 'desc';
}

const since = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

function deviceMatching(keyword: string, other = sql<boolean>`false`) {
  const text = keyword.trim().toLowerCase();
  if (text === '') return sql<boolean>`true`;
  const part = macContaining(text);
  const mac = part ? sql`replace(v.mac, ':', '') like ${part}` : sql`false`;
  return sql<boolean>`(strpos(lower(concat_ws(' ', v.mac, v.ip)), ${text}) > 0 or ${mac} or ${other})`;
}

const isOnline = (now: Date) => sql<boolean>`exists (
  select from portal_session s where s.account_id = v.account_id and s.gwid = v.gwid and s.device_key = v.device_key
    and s.state = 'online' and (s.expires_at is null or s.expires_at > ${now}))`;

const waiting = ({ accountId, gwid }: SiteKey, now: Date) => sql`
  select distinct on (v.device_key) v.*, v.failure as reason from portal_visit v
  where v.account_id = ${accountId} and v.gwid = ${gwid} and v.device_key is not null
    and v.at >= ${since(now, portalReception.receptionLimits.waitingMinutes)} and not ${isOnline(now)}
  order by v.device_key, v.at desc`;

export async function listWaiting(tx: Tx, site: SiteKey, now: Date, { keyword, order, ...paging }: Asked) {
  const found = sql`select v.* from (${waiting(site, now)}) v where ${deviceMatching(keyword)}`;
  return readPage<WaitingDevice>(tx, found, sql`at ${sql.raw(order)}, id`, paging);
}

export async function findWaiting(tx: Tx, site: SiteKey, id: string, now: Date): Promise<WaitingDevice | null> {
  const { rows } = await sql<WaitingDevice>`select * from (${waiting(site, now)}) v
    where device_key = (select device_key from portal_visit
      where account_id = ${site.accountId} and gwid = ${site.gwid} and id = ${id})`.execute(tx);
  return rows[0] ?? null;
}

/** Lists tries, and visits that failed before one. */
export async function listTries(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  now: Date,
  { keyword, order, subjects, device, ...paging }: Asked & { subjects: readonly Buffer[]; device: Buffer | null },
) {
  const from = since(now, portalReception.receptionLimits.triesHours * 60);
  const subject = sql<boolean>`t.subject_hash = any (${[...subjects]}::bytea[])`;
  const found = sql`
    select coalesce(t.id, v.id) as id, coalesce(t.at, v.at) as at, t.way, coalesce(t.reason, v.failure) as reason,
      v.mac, v.verified, v.ip, v.system, (v.device_key is not null and ${isOnline(now)}) as online
    from portal_visit v left join portal_try t on t.account_id = v.account_id and t.visit_id = v.id
    where v.account_id = ${accountId} and v.gwid = ${gwid} and v.at >= ${from}
      and (t.id is not null or v.failure is not null)
      and (${device}::bytea is null or v.device_key = ${device}::bytea)
      and ${deviceMatching(keyword, subject)}`;
  return readPage<Try>(tx, found, sql`at ${sql.raw(order)}, id`, paging);
}

export async function knownVisits(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await portal(tx)
    .selectFrom('portal_visit')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}
