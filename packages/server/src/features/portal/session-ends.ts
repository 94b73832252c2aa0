import type { PortalGateway } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { reportingBy } from './adapters/index.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { voidProofs, voidSessions } from './radius/proof-voids.ts';
import type { Session } from './session-store.ts';
import { portal } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

/** Ends a session at its gateway (RFC 5176). */
export type Disconnect = (
  accountId: string,
  gwid: string,
  acctSessionId: string,
) => Promise<'acknowledged' | 'refused' | 'unreachable'>;

export interface SessionEndDeps {
  database: Database;
  disconnect: Disconnect;
  gateways: Pick<EdgeGateways, 'order'>;
}

/** Background task: orders gateways to end sessions that the console has ended. */
export const sessionEndTask = 'portal-session-end';

export interface EndedSessions extends SiteKey {
  gateway: PortalGateway;
  ids: readonly string[];
}

/** Sessions whose gateways are ordered at once. */
const atOnce = 10;

/** Report by accounting, and take orders as RFC 5176 says. */
export const byRadius: ReadonlySet<PortalGateway | undefined> = new Set(reportingBy('accounting'));

export const takesEnd = (session: Pick<Session, 'mac' | 'acct_session_id'>, gateway: PortalGateway | undefined) =>
  gateway === 'edge' ? session.mac !== null : byRadius.has(gateway) && session.acct_session_id !== null;

/** openNDS takes no orders. */
export async function endAtGateway(
  { gateways, disconnect }: Pick<SessionEndDeps, 'disconnect' | 'gateways'>,
  site: SiteKey,
  { ticket, mac, acct_session_id: acct }: Session,
  gateway: PortalGateway | undefined,
): Promise<'acknowledged' | 'refused' | 'unreachable' | 'unsupported'> {
  if (gateway === 'edge' && mac !== null) return gateways.order(site, { tool: 'captive', op: 'revoke', ticket, mac });
  if (byRadius.has(gateway) && acct !== null) return disconnect(site.accountId, site.gwid, acct);
  return 'unsupported';
}

export async function enqueueSessionEnds(tx: Tx, ended: EndedSessions): Promise<void> {
  if (ended.ids.length > 0 && (ended.gateway === 'edge' || byRadius.has(ended.gateway)))
    await enqueue(tx, sessionEndTask, ended);
}

/** A gateway that is offline now is corrected by its next report, or by the end of the grant. */
export function createSessionEnds(deps: SessionEndDeps) {
  return async ({ gateway, ids, ...site }: EndedSessions): Promise<void> => {
    const { accountId, gwid } = site;
    const sessions = await deps.database.withTenant({ accountId, userId: null, gwids: null }, (tx) =>
      portal(tx)
        .selectFrom('portal_session')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('gwid', '=', gwid)
        .where('id', 'in', [...ids])
        .where('state', '=', 'ended')
        .execute(),
    );
    for (let first = 0; first < sessions.length; first += atOnce)
      await Promise.all(
        sessions.slice(first, first + atOnce).map((session) => endAtGateway(deps, site, session, gateway)),
      );
  };
}

/** Ends all open sessions of a network; returns those that a gateway may know. */
export async function endOpen(tx: Tx, { accountId, gwid }: SiteKey, now: Date, reason: string): Promise<string[]> {
  const rows = await portal(tx)
    .updateTable('portal_session')
    .set({ state: 'ended', ended_at: now, end_reason: reason, credential: null })
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('state', '<>', 'ended')
    .returning('id')
    .execute();
  voidProofs(tx, accountId, [`site ${gwid}`]);
  return rows.map(({ id }) => id);
}

/**
 * Minutes without a report. `reported`: of the session by a gateway that reports each (agent once a minute, RADIUS
 * accounting every five), or of a polling openNDS. `unreported`: of a session that no gateway ever reports.
 */
export const silence = { reported: 30, unreported: 24 * 60 } as const;

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

/**
 * Ends sessions that no report confirms any more; system transaction. An openNDS session with a time limit ends by that
 * alone. `since`: the console receives reports since then, and silence before is its own.
 */
export async function endSilent(tx: Tx, now: Date, since: Date | null): Promise<void> {
  if (since && since > minutesBefore(now, silence.reported)) return;
  const reported = minutesBefore(now, silence.reported);
  const unreported = minutesBefore(now, silence.unreported);
  const { rows } = await sql<{ account_id: string; id: string; method: string }>`
    update portal_session s set state = 'ended', ended_at = ${now}, end_reason = 'not_seen', credential = null
    from portal_site p
    where p.account_id = s.account_id and p.gwid = s.gwid and s.state = 'online'
      and case
        when p.gateway = 'edge' then coalesce(s.last_seen, s.granted_at) < ${reported}
        when p.gateway = any(${reportingBy('accounting')}::text[]) then s.last_seen < case when s.last_seen > s.granted_at then ${reported}::timestamptz else ${unreported}::timestamptz end
        when s.expires_at is not null then false
        when p.gateway = any(${reportingBy('polling')}::text[]) then
          greatest(s.last_seen, s.granted_at, p.seen_at) < ${reported} or s.last_seen < ${unreported}
        else s.last_seen < ${unreported} end
    returning s.account_id, s.id, s.method`.execute(tx);
  voidSessions(tx, rows);
}
