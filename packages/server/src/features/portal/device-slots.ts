import type { PortalGateway } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { clientSightings, type Sighting } from '../../telemetry/read/index.ts';
import { byRadius, enqueueSessionEnds } from './session-ends.ts';
import { changeSession, countDevices, otherDevices, type SameDevice, type Session } from './session-store.ts';
import type { SiteKey } from './visit-store.ts';

/** Milliseconds without a sign of a device after which it counts as gone; null: its gateway sends no signs. */
function quietMs(gateway: PortalGateway, session: Session): number | null {
  if (gateway === 'edge') return 3 * 60_000;
  // two accounting reports, which come every five minutes, may be lost
  return byRadius.has(gateway) && isAccounted(session) ? 11 * 60_000 : null;
}

/** A gateway without accounting is as silent about a device that is there. */
function isAccounted({ last_seen: seen, granted_at: granted }: Session): boolean {
  return seen !== null && granted !== null && seen > granted;
}

/**
 * Returns whether a guest has a place for one more device. Sessions whose devices are gone give way, longest silent
 * first: a phone that comes back with another private MAC is a new device here, and its old one is gone.
 */
export async function takeSlot(
  tx: Tx,
  site: SiteKey,
  gateway: PortalGateway,
  guest: { identity: Buffer; deviceKey: Buffer; devices: number; same: SameDevice },
  now: Date,
): Promise<boolean> {
  const { identity, deviceKey, devices, same } = guest;
  let surplus = (await countDevices(tx, site, { identity, deviceKey, same }, now)) + 1 - devices;
  if (surplus <= 0) return true;
  const gone = await goneAmong(tx, site, gateway, await otherDevices(tx, site, identity, deviceKey), now);
  if (gone.length < surplus) return false;
  const ids: string[] = [];
  for (const session of gone) {
    if (surplus === 0) break;
    await changeSession(tx, session, ['online'], { state: 'ended', ended_at: now, end_reason: 'moved' });
    ids.push(session.id);
    surplus -= 1;
  }
  await enqueueSessionEnds(tx, { ...site, gateway, ids });
  return true;
}

const lastSign = ({ active_at: active, granted_at: granted }: Session) =>
  Math.max(active?.getTime() ?? 0, granted?.getTime() ?? 0);

async function goneAmong(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  gateway: PortalGateway,
  sessions: readonly Session[],
  now: Date,
): Promise<Session[]> {
  // an unverified MAC may be another's
  const verified = sessions.filter(({ verified: isVerified, mac }) => isVerified && mac !== null);
  if (verified.length === 0) return [];
  const since = new Date(Math.min(...verified.map(lastSign)));
  const macs = verified.map(macOf);
  const seen = await clientSightings(tx, accountId, { gwid, macs, since });
  return verified
    .filter((session) => isGone(session, seen.get(macOf(session)), gateway, now))
    .toSorted((a, b) => lastSign(a) - lastSign(b));
}

const macOf = ({ mac }: Session) => mac!.replaceAll(':', '');

function isGone(session: Session, sighting: Sighting | undefined, gateway: PortalGateway, now: Date): boolean {
  if (sighting === 'present') return false;
  const last = lastSign(session);
  if (sighting && sighting.leftAt.getTime() >= last) return true;
  const quiet = quietMs(gateway, session);
  // accounting says that the gateway still has the device
  const sign = byRadius.has(gateway) ? Math.max(last, session.last_seen?.getTime() ?? 0) : last;
  return quiet !== null && now.getTime() - sign >= quiet;
}
