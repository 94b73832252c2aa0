import { type Insertable, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { voidSessions } from './radius/proof-voids.ts';
import { portal, type SessionTable } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

export type Session = Selectable<SessionTable>;
export type NewSession = Insertable<SessionTable>;

/** For a gateway to take a grant. */
export const offerSeconds = 60;

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await portal(tx).insertInto('portal_session').values(session).execute();
}

const ofSite = (tx: Tx, { accountId, gwid }: SiteKey) =>
  portal(tx).selectFrom('portal_session').selectAll().where('account_id', '=', accountId).where('gwid', '=', gwid);

export async function findSession(tx: Tx, site: SiteKey, id: string, lock = false): Promise<Session | null> {
  const query = ofSite(tx, site).where('id', '=', id);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

export async function findTicket(tx: Tx, site: SiteKey, ticket: string): Promise<Session | null> {
  return (await ofSite(tx, site).where('ticket', '=', ticket).forUpdate().executeTakeFirst()) ?? null;
}

export async function onlineOf(
  tx: Tx,
  site: SiteKey,
  deviceKey: Buffer,
  identity: Buffer,
  now: Date,
): Promise<Session | null> {
  const row = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('identity_hash', '=', identity)
    .where('state', '=', 'online')
    .where(sql<boolean>`(expires_at is null or expires_at > ${now})`)
    .orderBy('made_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function boughtSession(
  tx: Tx,
  site: SiteKey,
  deviceKey: Buffer,
  entitlementId: string,
  now: Date,
): Promise<Session | null> {
  const row = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('entitlement_id', '=', entitlementId)
    .where('state', '<>', 'ended')
    .where(
      sql<boolean>`case when state = 'online' then expires_at is null or expires_at > ${now} else offer_until > ${now} end`,
    )
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function lastGranted(tx: Tx, site: SiteKey, deviceKey: Buffer, from: Date): Promise<Session | null> {
  const row = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('granted_at', '>=', from)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns whether the device was online by the method, and with the identity if given. */
export async function provedBy(
  tx: Tx,
  site: SiteKey,
  deviceKey: Buffer,
  { method, identity }: { method: string; identity: Buffer | null },
): Promise<boolean> {
  const row = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('method', '=', method as SessionTable['method'])
    .where(sql<boolean>`(${identity}::bytea is null or identity_hash = ${identity}::bytea)`)
    .where('granted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the device's session that `claimDevice` has ended. */
export async function lastRefused(tx: Tx, site: SiteKey, deviceKey: Buffer, from: Date): Promise<Session | null> {
  const row = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('granted_at', 'is', null)
    .where('end_reason', 'in', ['devices', 'times'])
    .where('ended_at', '>=', from)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function onlineByMac(tx: Tx, site: SiteKey, mac: string, now: Date): Promise<Session | null> {
  const row = await ofSite(tx, site)
    .where('mac', '=', mac)
    .where('verified', '=', true)
    .where('state', '=', 'online')
    .where(sql<boolean>`(expires_at is null or expires_at > ${now})`)
    .orderBy('granted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

const backWithinMs = 10 * 60_000;

/** Returns the session of a device that is at an access point again, or at another; reopens it if it has just left. */
export async function goingOn(tx: Tx, site: SiteKey, mac: string, now: Date): Promise<Session | null> {
  const here = await onlineByMac(tx, site, mac, now);
  if (here) return here;
  const left = await ofSite(tx, site)
    .where('mac', '=', mac)
    .where('verified', '=', true)
    .where('end_reason', '=', 'lost_carrier')
    .where('ended_at', '>=', new Date(now.getTime() - backWithinMs))
    .orderBy('ended_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return left && (await resumeSession(tx, left, now, 'lost_carrier')) ? left : null;
}

type Sessions = SelectQueryBuilder<{ portal_session: SessionTable }, 'portal_session', object>;

/** Online, or a grant may still be taken. */
const holds = (now: Date) => sql<boolean>`(
  (state = 'online' and (expires_at is null or expires_at > ${now}))
  or (state in ('waiting', 'offered') and offer_until > ${now})
  or (state = 'ended' and end_reason = 'gateway' and (expires_at is null or expires_at > ${now})))`;

export type SameDevice = { id: string } | { mac: string } | null;

/** Counts devices that hold a place. An openNDS leave frees none: without a secret, the visitor may have sent it. */
export async function countDevices(
  tx: Tx,
  site: SiteKey,
  { identity, deviceKey, same }: { identity: Buffer; deviceKey: Buffer; same: SameDevice },
  now: Date,
) {
  const isSame =
    same === null ? sql`false` : 'id' in same ? sql`id = ${same.id}` : sql`coalesce(mac, '') = ${same.mac}`;
  const row = await (ofSite(tx, site) as unknown as Sessions)
    .clearSelect()
    .select(sql<number>`count(distinct device_key)::int`.as('devices'))
    .where('identity_hash', '=', identity)
    .where('device_key', '<>', deviceKey)
    .where(sql<boolean>`not ${isSame}`)
    .where(holds(now))
    .executeTakeFirstOrThrow();
  return row.devices;
}

/** Finds online sessions only. */
export function otherDevices(tx: Tx, site: SiteKey, identity: Buffer, deviceKey: Buffer): Promise<Session[]> {
  return ofSite(tx, site)
    .where('identity_hash', '=', identity)
    .where('device_key', '<>', deviceKey)
    .where('state', '=', 'online')
    .forUpdate()
    .execute();
}

/** Reopens a session that ended for want of reports, or for `reason`; false without place or time. */
export async function resumeSession(tx: Tx, session: Session, now: Date, reason = 'not_seen'): Promise<boolean> {
  const { account_id: accountId, gwid, device_key: deviceKey, identity_hash: identity } = session;
  if (session.end_reason !== reason || (session.expires_at && session.expires_at <= now)) return false;
  const site = { accountId, gwid };
  const successor = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('made_at', '>', session.made_at)
    .where('granted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (
    successor ||
    (identity && (await countDevices(tx, site, { identity, deviceKey, same: null }, now)) >= session.devices)
  )
    return false;
  return changeSession(tx, session, ['ended'], { state: 'online', ended_at: null, end_reason: null });
}

export async function bytesOfEntitlement(tx: Tx, accountId: string, id: string): Promise<number> {
  const row = await portal(tx)
    .selectFrom('portal_session')
    .select(sql<string>`coalesce(sum(up_bytes + down_bytes), 0)`.as('bytes'))
    .where('account_id', '=', accountId)
    .where('entitlement_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(row.bytes);
}

/** Counts sign-ins and extensions; by device without an identity. */
export async function countSignIns(
  tx: Tx,
  site: SiteKey,
  guest: { identity: Buffer | null; deviceKey: Buffer; method: string },
  since: Date,
  now: Date,
): Promise<number> {
  const query = (ofSite(tx, site) as unknown as Sessions)
    .clearSelect()
    .select(
      sql<number>`coalesce(sum((made_at >= ${since} and moved_from is null)::int
        + (select count(*)::int from unnest(extended_at) extended (at) where at >= ${since})), 0)::int`.as('times'),
    )
    .where('method', '=', guest.method as SessionTable['method'])
    .where(sql<boolean>`greatest(made_at, extended_at[cardinality(extended_at)]) >= ${since}`)
    .where(sql<boolean>`(granted_at is not null or (state in ('waiting', 'offered') and offer_until > ${now}))`);
  const row = await (guest.identity
    ? query.where('identity_hash', '=', guest.identity)
    : query.where('device_key', '=', guest.deviceKey)
  ).executeTakeFirstOrThrow();
  return row.times;
}

/** Milliseconds that requests may overtake each other. */
const overtakingMs = 60_000;

/** Keeps one session per client. A sign-in dated in the past ends none that began later. */
export async function replaceSessions(tx: Tx, { accountId, gwid }: SiteKey, deviceKey: Buffer, now: Date) {
  const replaced = await portal(tx)
    .updateTable('portal_session')
    .set({ state: 'ended', ended_at: now, end_reason: 'replaced', credential: null })
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('device_key', '=', deviceKey)
    .where('state', '<>', 'ended')
    .where('made_at', '<=', new Date(now.getTime() + overtakingMs))
    .returning(['account_id', 'id', 'method'])
    .execute();
  voidSessions(tx, replaced);
}

export type SessionChange = Partial<
  Pick<
    SessionTable,
    | ('state' | 'credential' | 'gateway_hash' | 'rhid' | 'offer_until' | 'granted_at' | 'expires_at' | 'ended_at')
    | ('end_reason' | 'acct_session_id' | 'ip' | 'mac' | 'verified' | 'device_key' | 'last_seen')
  > & { active_at: Date; up_bytes: number; down_bytes: number; counters: Session['counters'] }
>;

/** Returns whether it was in one of the states. */
export async function changeSession(
  tx: Tx,
  { account_id, id }: Pick<Session, 'account_id' | 'id'>,
  from: readonly SessionTable['state'][],
  change: SessionChange,
): Promise<boolean> {
  const changed = await portal(tx)
    .updateTable('portal_session')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returning(['account_id', 'id', 'method'])
    .execute();
  const endsOtherwise = change.expires_at !== undefined && change.state !== 'online';
  if (change.state === 'ended' || endsOtherwise) voidSessions(tx, changed);
  return changed.length > 0;
}

/** Returns whether it was online. */
export async function extendSession(tx: Tx, { account_id, id }: Session, until: Date, now: Date): Promise<boolean> {
  const extended = await portal(tx)
    .updateTable('portal_session')
    .set({ expires_at: until, extended_at: sql<Date[]>`extended_at || ${now}::timestamptz` })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'online')
    .returning(['account_id', 'id', 'method'])
    .execute();
  voidSessions(tx, extended);
  return extended.length > 0;
}

/** Counts no sign-in; returns whether it was online. */
export async function setEnd(tx: Tx, session: Session, until: Date): Promise<boolean> {
  return changeSession(tx, session, ['online'], { expires_at: until });
}

export async function movedTo(tx: Tx, site: SiteKey, deviceKey: Buffer, now: Date): Promise<Session | null> {
  const row = await ofSite(tx, site)
    .where('device_key', '=', deviceKey)
    .where('moved_from', 'is not', null)
    .where('state', '=', 'waiting')
    .where('offer_until', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Picks at random: abandoned grants must not delay others. */
export async function openOffers(tx: Tx, site: SiteKey, gatewayHash: string, now: Date, limit: number) {
  return ofSite(tx, site)
    .where('gateway_hash', '=', gatewayHash)
    .where('state', '=', 'offered')
    .where('offer_until', '>', now)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}

export async function offersOf(tx: Tx, site: SiteKey, gatewayHash: string, rhids: readonly string[]) {
  return ofSite(tx, site)
    .where('gateway_hash', '=', gatewayHash)
    .where('rhid', 'in', [...rhids])
    .where('state', '=', 'offered')
    .forUpdate()
    .execute();
}

/** System transaction. */
export async function endExpired(tx: Tx, now: Date): Promise<void> {
  const ended = { state: 'ended', ended_at: now, credential: null } as const;
  const expired = await portal(tx)
    .updateTable('portal_session')
    .set({ ...ended, end_reason: 'expired' })
    .where('state', '=', 'online')
    .where('expires_at', '<=', now)
    .returning(['account_id', 'id', 'method'])
    .execute();
  voidSessions(tx, expired);
  await portal(tx)
    .updateTable('portal_session')
    .set({ ...ended, end_reason: 'not_taken' })
    .where('state', 'in', ['waiting', 'offered'])
    .where('offer_until', '<=', now)
    .execute();
}

/** Online since before `granted`. */
export function onlineSessions(tx: Tx, site: SiteKey, granted: Date): Promise<Session[]> {
  return ofSite(tx, site).where('state', '=', 'online').where('granted_at', '<', granted).execute();
}

export async function listOnline(
  tx: Tx,
  site: SiteKey,
  now: Date,
  {
    matching,
    limit,
    offset,
    sort,
    order,
  }: {
    matching: RawBuilder<boolean>;
    limit: number;
    offset: number;
    sort: 'granted_at' | 'expires_at' | 'up_bytes' | 'down_bytes';
    order: 'asc' | 'desc';
  },
): Promise<{ rows: Session[]; total: number }> {
  const query = ofSite(tx, site)
    .where('state', '=', 'online')
    .where(sql<boolean>`(expires_at is null or expires_at > ${now})`)
    .where(matching);
  const rows = await query
    .orderBy(sql`${sql.ref(sort)} ${sql.raw(order)} nulls last`)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await (query as unknown as Sessions)
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function knownSessions(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await portal(tx)
    .selectFrom('portal_session')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}
