import { sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import type { GuestSystem } from './reception/guest-system.ts';
import { portal } from './tables.ts';

export interface SiteKey {
  accountId: string;
  gwid: string;
}

export interface Visit extends SiteKey {
  id: string;
  at: Date;
  /** If the sign-in page is not shown. */
  failure: string | null;
  device: VisitDevice | null;
}

export interface VisitDevice {
  device_key: Buffer;
  mac: string | null;
  ip: string | null;
  verified: boolean;
  system: GuestSystem | null;
}

export const newVisit = (
  { accountId, gwid }: SiteKey,
  at: Date,
  failure: string | null,
  device: VisitDevice | null,
): Visit => ({ accountId, gwid, id: newId(at.getTime()), at, failure, device });

const noDevice = { device_key: null, mac: null, ip: null, verified: false, system: null };

/** Nothing waits for visits: the transaction is not flushed to disk. */
export async function insertVisits(tx: Tx, visits: readonly Visit[]): Promise<void> {
  if (visits.length === 0) return;
  await portal(tx)
    .insertInto('portal_visit')
    .values(
      visits.map(({ accountId: account_id, device, ...visit }) => ({
        account_id,
        ...visit,
        ...(device ?? noDevice),
        opened_at: null,
        tried_at: null,
        online_at: null,
      })),
    )
    .returning(sql`set_config('synchronous_commit', 'off', true)`.as('unflushed'))
    .execute();
}

export type VisitChange = { opened_at?: Date; tried_at?: Date; online_at?: Date; failure?: string | null };

/** `subject`: keyed hash of the code, number or name that was typed. */
export interface Tried {
  at: Date;
  way: string;
  subject: Buffer | null;
}

export async function changeVisit(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  id: string | null,
  change: VisitChange,
  tried: Tried | null = null,
) {
  if (id === null) return;
  if (change.failure && tried) await insertTry(tx, { accountId, gwid }, id, change.failure, tried);
  await portal(tx)
    .updateTable('portal_visit')
    .set(change)
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('id', '=', id)
    .execute();
}

/** Of a visit: rows that an attacker can write are bounded by its visits. */
const maxTries = 8;

async function insertTry(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  visit: string,
  reason: string,
  { at, way, subject }: Tried,
): Promise<void> {
  // a visit may be pruned, or its writing have failed
  await sql`insert into portal_try (account_id, id, gwid, visit_id, at, way, subject_hash, reason)
    select account_id, ${newId(at.getTime())}::uuid, gwid, id, ${at}::timestamptz, ${way}, ${subject}::bytea, ${reason}
    from portal_visit where account_id = ${accountId} and gwid = ${gwid} and id = ${visit}
      and (select count(*) from portal_try where account_id = ${accountId} and visit_id = ${visit}) < ${maxTries}`.execute(
    tx,
  );
}

export interface FunnelCounts {
  seen: number;
  opened: number;
  tried: number;
  online: number;
}

/** Counts a later step for earlier ones: the stylesheet may be cached. */
export async function countVisits(tx: Tx, { accountId, gwid }: SiteKey, from: Date): Promise<FunnelCounts> {
  const { rows } = await sql<FunnelCounts>`
    select count(*)::int as seen, count(coalesce(opened_at, tried_at, online_at))::int as opened,
      count(coalesce(tried_at, online_at))::int as tried, count(online_at)::int as online
    from portal_visit where account_id = ${accountId} and gwid = ${gwid} and at >= ${from}`.execute(tx);
  return rows[0]!;
}

export async function countFailures(tx: Tx, { accountId, gwid }: SiteKey, from: Date) {
  const { rows } = await sql<{ reason: string; visits: number }>`
    select failure as reason, count(*)::int as visits from portal_visit
    where account_id = ${accountId} and gwid = ${gwid} and at >= ${from} and failure is not null and online_at is null
    group by 1 order by 2 desc, 1`.execute(tx);
  return rows;
}
