import type { portalReception as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import type { InTenant } from '../../../platform/http/call.ts';
import { record } from '../../logs/index.ts';
import type { EdgeGateways } from '../edge-gateway.ts';
import { putOnline, secondsAt } from '../grant.ts';
import { lockIdentity } from '../methods/proof.ts';
import { randomName } from '../secrets.ts';
import { allowance } from '../session-bytes.ts';
import { byRadius, enqueueSessionEnds } from '../session-ends.ts';
import {
  changeSession,
  findSession,
  insertSession,
  type NewSession,
  offerSeconds,
  replaceSessions,
  type Session,
} from '../session-store.ts';
import { findSite, noteMove } from '../site-store.ts';
import type { SiteTable } from '../tables.ts';
import type { SiteKey } from '../visit-store.ts';
import { guestOffline } from './guest-offline.ts';
import { findWaiting, type WaitingDevice } from './waiting-store.ts';

type Contract = typeof contract.move;
type Result = DataOf<Contract>['result'];

export interface MoveDeps {
  clock: Clock;
  gateways: Pick<EdgeGateways, 'order'>;
}

/** Seconds in which the new device may open its page. */
const readySeconds = 600;

function takenOver(old: Session, device: WaitingDevice, now: Date, state: 'waiting' | 'offered'): NewSession {
  const seconds = state === 'waiting' ? readySeconds : offerSeconds;
  return {
    account_id: old.account_id,
    id: newId(now.getTime()),
    gwid: old.gwid,
    ticket: randomName(),
    state,
    device_key: device.device_key,
    mac: device.mac,
    ip: device.ip,
    verified: device.verified,
    method: old.method,
    identity: old.identity,
    identity_hash: old.identity_hash,
    identity_sealed: old.identity_sealed,
    login_rules: old.login_rules,
    login_names: old.login_names,
    template_id: old.template_id,
    template_version: old.template_version,
    locale: old.locale,
    terms_id: old.terms_id,
    // the end is the old one's, however long it ran
    minutes: 0,
    up_kbps: old.up_kbps,
    down_kbps: old.down_kbps,
    devices: old.devices,
    times_per_day: old.times_per_day,
    credential: null,
    gateway_hash: null,
    rhid: null,
    made_at: now,
    ready_at: now,
    offer_until: new Date(now.getTime() + seconds * 1000),
    granted_at: null,
    expires_at: old.expires_at,
    ended_at: null,
    end_reason: null,
    entitlement_id: old.entitlement_id,
    max_bytes: allowance(old),
    acct_session_id: null,
    last_seen: null,
    visit_id: device.id,
    moved_from: old.id,
  };
}

export function createMove({ clock, gateways }: MoveDeps) {
  async function begin(tx: Tx, site: SiteKey, { id, visit }: InputOf<Contract>) {
    const now = clock.now();
    const row = await findSite(tx, site.accountId, site.gwid);
    const device = await findWaiting(tx, site, visit, now);
    if (!device) return invalid('visit', 'portal.device_not_waiting');
    // lock order of sign-ins: device, guest
    await lockIdentity(tx, device.device_key);
    const identity = (await findSession(tx, site, id))?.identity_hash;
    if (identity) await lockIdentity(tx, identity);
    const old = await findSession(tx, site, id, true);
    if (!old || !row) throw new Failure('notFound');
    if (old.state !== 'online') throw guestOffline();
    const byCommand = row.gateway === 'edge' && device.mac !== null;
    await replaceSessions(tx, site, device.device_key, now);
    const fresh = takenOver(old, device, now, byCommand ? 'offered' : 'waiting');
    await insertSession(tx, fresh);
    if (!byCommand) await noteMove(tx, row, fresh.offer_until);
    return { row, device, old, byCommand, fresh: (await findSession(tx, site, fresh.id))! };
  }

  async function endOld(tx: Tx, { gateway }: SiteTable, old: Session): Promise<void> {
    const ended = { state: 'ended', ended_at: clock.now(), end_reason: 'moved', credential: null } as const;
    await changeSession(tx, old, ['online'], ended);
    await enqueueSessionEnds(tx, { accountId: old.account_id, gwid: old.gwid, gateway, ids: [old.id] });
  }

  /** @throws Failure changedMeanwhile if not online; Invalid if the device no longer waits */
  return async (inTenant: InTenant, acting: Acting, input: InputOf<Contract>): Promise<DataOf<Contract>> => {
    const { gwid } = input;
    const site = { accountId: acting.accountId, gwid };
    const note = (tx: Tx, old: Session, device: WaitingDevice, result: Result) =>
      record(tx, acting, {
        action: 'portal.move',
        object: { type: 'portal_guest', id: old.id, name: old.identity ?? old.mac ?? old.id },
        gwid,
        before: { mac: old.mac },
        after: { mac: device.mac, result },
        command: true,
        result: result === 'online' || result === 'ready' ? 'success' : 'failed',
      });
    const { row, device, old, fresh, byCommand } = await inTenant(async (tx) => {
      const begun = await begin(tx, site, input);
      if (begun.byCommand) return begun;
      await endOld(tx, begun.row, begun.old);
      await note(tx, begun.old, begun.device, 'ready');
      return begun;
    });
    const old_ends = row.gateway === 'edge' || (byRadius.has(row.gateway) && old.acct_session_id !== null);
    if (!byCommand) return { result: 'ready', old_ends };
    const { ticket, up_kbps, down_kbps } = fresh;
    const seconds = secondsAt(fresh, clock.now());
    const client = { ticket, mac: device.mac!, seconds, up_kbps, down_kbps };
    const answer = await gateways.order(site, { tool: 'captive', op: 'grant', ...client });
    return inTenant(async (tx) => {
      const now = clock.now();
      const isTaken = answer === 'acknowledged';
      // one session goes to one device: another move may have taken it meanwhile
      const still = isTaken ? await findSession(tx, site, old.id, true) : null;
      const isOnline = still?.state === 'online' && (await putOnline(tx, fresh, now));
      if (isOnline) await endOld(tx, row, old);
      else await changeSession(tx, fresh, ['offered'], { state: 'ended', ended_at: now, end_reason: 'not_taken' });
      const result = isOnline ? 'online' : isTaken ? 'refused' : answer;
      await note(tx, old, device, result);
      return { result, old_ends };
    });
  };
}
