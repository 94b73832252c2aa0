import type { Tx } from '../../platform/database/index.ts';
import { dayStartOf } from './day-start.ts';
import { takeSlot } from './device-slots.ts';
import { lockIdentity } from './methods/proof.ts';
import type { PortalSecrets } from './secrets.ts';
import { changeSession, countSignIns, replaceSessions, type Session } from './session-store.ts';
import { findSite } from './site-store.ts';
import { deviceKeyOf } from './source.ts';
import { changeVisit, type SiteKey } from './visit-store.ts';

type UsedUp = 'devices' | 'times';

/**
 * Takes RADIUS' MAC as the session's device, whose page knew only a challenge: its sign-ins and places count from here.
 * Returns what to store, or the limit that is used up: the session has ended then.
 */
export async function claimDevice(
  tx: Tx,
  secrets: PortalSecrets,
  site: SiteKey,
  { session, mac, now }: { session: Session; mac: string; now: Date },
): Promise<Pick<Session, 'mac' | 'verified' | 'device_key'> | UsedUp> {
  const deviceKey = deviceKeyOf(secrets, site, { verified: true, mac, client: '' });
  await lockIdentity(tx, deviceKey);
  const device = { mac, verified: true, device_key: deviceKey };
  const refused = await refusalOf(tx, site, session, deviceKey, now);
  if (refused) {
    const ended = { state: 'ended', ended_at: now, credential: null, end_reason: refused, ...device } as const;
    await changeSession(tx, session, ['offered'], ended);
    const tried = { at: now, way: session.method, subject: null };
    await changeVisit(tx, site, session.visit_id, { failure: refused }, tried);
    return refused;
  }
  await replaceSessions(tx, site, deviceKey, now);
  return device;
}

async function refusalOf(
  tx: Tx,
  site: SiteKey,
  { id, identity_hash: identity, method, devices, times_per_day: times }: Session,
  deviceKey: Buffer,
  now: Date,
): Promise<UsedUp | null> {
  if (identity) {
    await lockIdentity(tx, identity);
    const { gateway } = (await findSite(tx, site.accountId, site.gwid))!;
    const guest = { identity, deviceKey, devices, same: { id } };
    return (await takeSlot(tx, site, gateway, guest, now)) ? null : 'devices';
  }
  if (times === 0) return null;
  const dayStart = await dayStartOf(tx, site.accountId, now);
  return (await countSignIns(tx, site, { identity, deviceKey, method }, dayStart, now)) >= times ? 'times' : null;
}
