import type { portalReception as contract, DataOf, InputOf, portal } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { InTenant } from '../../../platform/http/call.ts';
import { record } from '../../logs/index.ts';
import { adapters } from '../adapters/index.ts';
import type { EdgeGateways } from '../edge-gateway.ts';
import { secondsLeft } from '../grant.ts';
import { closingOf } from '../opening.ts';
import { publishedOf } from '../published.ts';
import { Refused } from '../refused.ts';
import { findSession, type Session, setEnd } from '../session-store.ts';
import { findSite } from '../site-store.ts';
import type { SiteTable } from '../tables.ts';
import type { PortalTemplates } from '../templates.ts';
import { guestOffline } from './guest-offline.ts';

type Contract = typeof contract.extend;
type Result = DataOf<Contract>['result'];
export type ExtendHindrance = (typeof portal.extendHindrances)[number];

export interface ExtendDeps {
  clock: Clock;
  templates: PortalTemplates;
  gateways: Pick<EdgeGateways, 'order'>;
}

export function extendHindranceOf(
  { expires_at: end, entitlement_id: bought, mac }: Session,
  { gateway }: Pick<SiteTable, 'gateway'>,
): ExtendHindrance | null {
  if (end === null) return 'unlimited';
  if (bought !== null) return 'bought';
  return adapters[gateway].takesOrders && mac !== null ? null : 'gateway';
}

export function createExtend({ clock, templates, gateways }: ExtendDeps) {
  /** Returns the end within the opening hours; null: they end by now. */
  async function endWith(tx: Tx, site: SiteTable, { expires_at: end }: Session, minutes: number): Promise<Date | null> {
    const wanted = new Date(end!.getTime() + minutes * 60_000);
    const published = await publishedOf(tx, templates, site);
    try {
      const closes = published && (await closingOf(tx, site.account_id, published.content, clock.now()));
      if (!closes || closes >= wanted) return wanted;
      return closes > end! ? closes : null;
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  /** @throws Failure changedMeanwhile if not online */
  return async (
    inTenant: InTenant,
    acting: Acting,
    { gwid, id, minutes }: InputOf<Contract>,
  ): Promise<DataOf<Contract>> => {
    const site = { accountId: acting.accountId, gwid };
    const found = await inTenant(async (tx) => {
      const session = await findSession(tx, site, id);
      const row = await findSite(tx, site.accountId, gwid);
      if (!session || !row) throw new Failure('notFound');
      if (session.state !== 'online') throw guestOffline();
      const hindrance = extendHindranceOf(session, row);
      const until = hindrance ? null : await endWith(tx, row, session, minutes);
      return { session, hindrance, until };
    });
    const { session, hindrance, until } = found;
    const note = (tx: Tx, result: Result, end: Date | null) =>
      record(tx, acting, {
        action: 'portal.extend',
        object: { type: 'portal_guest', id, name: session.identity ?? session.mac ?? id },
        gwid,
        before: { until: session.expires_at?.toISOString() ?? null },
        after: { minutes, result, until: end?.toISOString() ?? null },
        command: true,
        result: result === 'extended' ? 'success' : 'failed',
      });
    const unchanged = async (result: Result) => {
      await inTenant((tx) => note(tx, result, session.expires_at));
      return { result, until: session.expires_at?.toISOString() ?? null };
    };
    if (hindrance) return unchanged(hindrance);
    if (until === null) return unchanged('closing');
    const { ticket, up_kbps, down_kbps } = session;
    const mac = session.mac!;
    const seconds = secondsLeft(until, clock.now());
    const answer = await gateways.order(site, {
      tool: 'captive',
      op: 'grant',
      ticket,
      mac,
      seconds,
      up_kbps,
      down_kbps,
    });
    if (answer !== 'acknowledged') return unchanged(answer);
    return inTenant(async (tx) => {
      // it may have ended meanwhile: the next report revokes the grant
      const isSet = await setEnd(tx, session, until);
      const [result, end] = isSet ? (['extended', until] as const) : (['refused', session.expires_at] as const);
      await note(tx, result, end);
      return { result, until: end?.toISOString() ?? null };
    });
  };
}
