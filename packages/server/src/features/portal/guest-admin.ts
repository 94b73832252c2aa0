import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import { record } from '../logs/index.ts';
import { dayStartOf } from './day-start.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { extendHindranceOf } from './reception/extend-session.ts';
import type { PortalSecrets } from './secrets.ts';
import { reportedBytes } from './session-bytes.ts';
import { type Disconnect, endAtGateway, takesEnd } from './session-ends.ts';
import { sessionsMatching } from './session-search.ts';
import { changeSession, findSession, listOnline } from './session-store.ts';
import { findSite } from './site-store.ts';
import { countFailures, countVisits } from './visit-store.ts';

type Contract = typeof contract;

export interface GuestAdminDeps {
  clock: Clock;
  disconnect: Disconnect;
  secrets: PortalSecrets;
  gateways: Pick<EdgeGateways, 'order'>;
}

export function createGuestAdmin({ clock, disconnect, secrets, gateways }: GuestAdminDeps) {
  return {
    async list(tx: Tx, accountId: string, input: InputOf<Contract['online']>): Promise<DataOf<Contract['online']>> {
      const { gwid, page = 1, limit = 10, keyword = '', sort = 'granted_at', order = 'desc' } = input;
      const site = await findSite(tx, accountId, gwid);
      if (!site) return { list: [], total: 0 };
      const matching = sessionsMatching(secrets, accountId, keyword);
      const asked = { matching, limit, offset: (page - 1) * limit, sort, order };
      const { rows, total } = await listOnline(tx, { accountId, gwid }, clock.now(), asked);
      const list = rows.map((session) => ({
        id: session.id,
        mac: session.mac,
        verified: session.verified,
        ip: session.ip,
        method: session.method,
        identity: session.identity,
        ...reportedBytes(session),
        granted_at: session.granted_at!.toISOString(),
        expires_at: session.expires_at?.toISOString() ?? null,
        extend_hindrance: extendHindranceOf(session, site),
        signs_out: takesEnd(session, site.gateway),
      }));
      return { list, total };
    },

    async funnel(tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['funnel']>> {
      const from = await dayStartOf(tx, accountId, clock.now());
      const site = { accountId, gwid };
      const counts = await countVisits(tx, site, from);
      const steps = (['seen', 'opened', 'tried', 'online'] as const).map((step) => ({ step, visits: counts[step] }));
      return { steps, failures: await countFailures(tx, site, from) };
    },

    /** @throws Failure notFound if not online */
    async kick(
      inTenant: InTenant,
      acting: Acting,
      { gwid, id }: InputOf<Contract['kick']>,
    ): Promise<DataOf<Contract['kick']>> {
      const site = { accountId: acting.accountId, gwid };
      const { session, gateway } = await inTenant(async (tx) => ({
        session: await findSession(tx, site, id),
        gateway: (await findSite(tx, site.accountId, gwid))?.gateway,
      }));
      if (session?.state !== 'online') throw new Failure('notFound');
      const answer = await endAtGateway({ gateways, disconnect }, site, session, gateway);
      const result = answer === 'acknowledged' ? 'disconnected' : answer;
      await inTenant(async (tx) => {
        if (result === 'disconnected') {
          const ended = { state: 'ended', ended_at: clock.now(), end_reason: 'kicked' } as const;
          // the accounting stop may precede the answer
          await changeSession(tx, session, ['online', 'ended'], ended);
        }
        await record(tx, acting, {
          action: 'portal.kick',
          object: { type: 'portal_guest', id, name: session.identity ?? session.mac ?? id },
          gwid,
          after: { result },
          command: true,
          result: result === 'disconnected' ? 'success' : 'failed',
        });
      });
      return { result };
    },
  };
}
