import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import { record } from '../logs/index.ts';
import { dayStartOf } from './day-start.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { guestOffline } from './reception/guest-offline.ts';
import { onlineGuests } from './reception/online-guests.ts';
import type { PortalSecrets } from './secrets.ts';
import { type Disconnect, endAtGateway } from './session-ends.ts';
import { changeSession, findSession } from './session-store.ts';
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
    list: (tx: Tx, accountId: string, input: InputOf<Contract['online']>) =>
      onlineGuests(tx, { clock, secrets }, accountId, input),

    async funnel(tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['funnel']>> {
      const from = await dayStartOf(tx, accountId, clock.now());
      const site = { accountId, gwid };
      const counts = await countVisits(tx, site, from);
      const steps = (['seen', 'opened', 'tried', 'online'] as const).map((step) => ({ step, visits: counts[step] }));
      return { steps, failures: await countFailures(tx, site, from) };
    },

    /** @throws Failure changedMeanwhile if not online */
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
      if (!session) throw new Failure('notFound');
      if (session.state !== 'online') throw guestOffline();
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
