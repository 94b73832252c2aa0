import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { GuestAccounting } from '../../radius/index.ts';
import { macOf } from '../adapters/adapter.ts';
import { addBytes } from '../session-bytes.ts';
import type { Session } from '../session-store.ts';
import type { SiteKey } from '../visit-store.ts';
import { voidSessions } from './proof-voids.ts';

export interface Accounted {
  place: SiteKey;
  event: GuestAccounting;
}

const columns = [
  'account_id',
  'gwid',
  'id',
  'state',
  'method',
  'ticket',
  'device_key',
  'identity_hash',
  'devices',
  'made_at',
  'granted_at',
  'expires_at',
  'ended_at',
  'end_reason',
  'acct_session_id',
  'last_seen',
  'active_at',
  'ip',
  'max_bytes',
  'up_bytes',
  'down_bytes',
  'counters',
] as const;

/** What a report reads and changes. */
export type AccountedSession = Pick<Session, (typeof columns)[number]>;

/** Of a report: its session's id, and the session unless another transaction holds it. */
export type Found = ({ found: string } & AccountedSession) | { found: string; id: null } | { found: null };

/**
 * Finds and locks sessions, by place in the list. A ticket is its User-Name; sessions of an account share theirs, and are
 * found by Acct-Session-Id, or by the MAC: one without an id, or one that has moved on from it. `is not distinct from`
 * keeps planners from indexes that begin with account and network: they would read all of it. A lock is taken or
 * skipped, so that a batch never waits for one that waits for it.
 */
export async function findAccounted(tx: Tx, reports: readonly Accounted[]): Promise<Found[]> {
  const column = <T>(read: (report: Accounted) => T) => reports.map(read);
  const { rows } = await sql<Found>`
    with found as (
      select k.at, k.account_id, coalesce(
        (select s.id from portal_session s
          where s.account_id = k.account_id and s.gwid is not distinct from k.gwid and s.ticket = k.username),
        (select a.id from (
          (select s.id, s.made_at from portal_session s
            where s.account_id = k.account_id and s.gwid is not distinct from k.gwid and s.method = 'account' and s.acct_session_id = k.acct
            order by s.made_at desc limit 1)
          union all
          (select s.id, s.made_at from portal_session s
            where s.account_id = k.account_id and s.gwid is not distinct from k.gwid and s.method = 'account' and s.state = 'online'
              and s.mac = k.mac and (s.acct_session_id is null or s.counters ? k.counter)
            order by s.made_at desc limit 1)
        ) a order by a.made_at desc limit 1)
      ) as id
      from unnest(
        ${column(({ place }) => place.accountId)}::uuid[], ${column(({ place }) => place.gwid)}::uuid[],
        ${column(({ event }) => event.username)}::text[], ${column(({ event }) => event.acctSessionId)}::text[],
        ${column(({ event: { mac } }) => (mac === null ? null : macOf(mac)))}::text[],
        ${column(({ event }) => event.counter)}::text[]
      ) with ordinality as k(account_id, gwid, username, acct, mac, counter, at)
    ), held as (
      select ${sql.join(columns.map((name) => sql.ref(`s.${name}`)))} from portal_session s
      join (select distinct account_id, id from found where id is not null) f
        on s.account_id = f.account_id and s.id = f.id
      for update of s skip locked
    )
    select found.id as found, held.* from found left join held on held.id = found.id order by found.at
  `.execute(tx);
  return rows;
}

export function accountedBy(session: AccountedSession, event: GuestAccounting, now: Date): AccountedSession {
  const { counter, upBytes: up, downBytes: down, acctSessionId, kind } = event;
  const isByTicket = session.ticket === event.username;
  // requests without an id also come from the access point where the device is
  const isUnplaced = session.acct_session_id === null && !isByTicket;
  const isElsewhere = session.acct_session_id !== acctSessionId && !isUnplaced;
  const isKnown = counter in session.counters;
  // another report has just given it an id
  if (isElsewhere && !isKnown && !isByTicket && session.method === 'account') return session;
  const counted = { ...session, ...addBytes(session, { counter, up, down, whenLower: 'late' }) };
  // the console ended it first, or the report is late
  if (session.state === 'ended') return session.granted_at ? counted : session;
  if (session.state !== 'online') return session;
  // an access point that the guest has left for another reports on until it misses the device
  if (isElsewhere && isKnown) return counted;
  const seen: AccountedSession = {
    ...counted,
    acct_session_id: acctSessionId,
    last_seen: now,
    ip: event.ip ?? session.ip,
    active_at: counted.up_bytes > session.up_bytes ? now : session.active_at,
  };
  const isUsed = session.max_bytes > 0 && seen.up_bytes + seen.down_bytes >= session.max_bytes;
  if (kind !== 'stop' && !isUsed) return seen;
  return {
    ...seen,
    state: 'ended',
    ended_at: now,
    end_reason: kind === 'stop' ? (event.cause ?? 'gateway') : 'data_used',
  };
}

export async function writeAccounted(tx: Tx, sessions: readonly AccountedSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const column = <K extends keyof AccountedSession>(key: K) => sessions.map((session) => session[key]);
  await sql`
    update portal_session s set
      state = v.state, ended_at = v.ended_at, end_reason = v.end_reason, acct_session_id = v.acct_session_id,
      last_seen = v.last_seen, active_at = v.active_at, ip = v.ip,
      up_bytes = v.up_bytes, down_bytes = v.down_bytes, counters = v.counters::jsonb
    from unnest(
      ${column('account_id')}::uuid[], ${column('id')}::uuid[], ${column('state')}::text[],
      ${column('ended_at')}::timestamptz[], ${column('end_reason')}::text[], ${column('acct_session_id')}::text[],
      ${column('last_seen')}::timestamptz[], ${column('active_at')}::timestamptz[], ${column('ip')}::text[],
      ${column('up_bytes')}::bigint[], ${column('down_bytes')}::bigint[],
      ${sessions.map(({ counters }) => JSON.stringify(counters))}::text[]
    ) as v(account_id, id, state, ended_at, end_reason, acct_session_id, last_seen, active_at, ip, up_bytes, down_bytes, counters)
    where s.account_id = v.account_id and s.id = v.id`.execute(tx);
  voidSessions(
    tx,
    sessions.filter(({ state }) => state === 'ended'),
  );
}

/** It ended for want of reports, or at the access point that the guest has left, and here is a report. */
export function returns(session: AccountedSession, { kind, acctSessionId }: GuestAccounting): boolean {
  const { state, end_reason: reason, acct_session_id: last } = session;
  if (state !== 'ended' || kind === 'stop') return false;
  return reason === 'not_seen' || (reason === 'lost_carrier' && last !== acctSessionId);
}
