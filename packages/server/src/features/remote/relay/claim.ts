import type { Clock } from '../../../platform/clock.ts';
import { tokenHash } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { identifyPeer } from '../../../uplink/index.ts';
import { claimSession, findWaiting } from '../store.ts';
import type { RemoteSession } from '../tables.ts';

type Peer = ReturnType<typeof identifyPeer>;

export interface ClaimDeps {
  database: Database;
  clock: Clock;
  admission: {
    admit(peer: Extract<Peer, { fingerprint: string }>): Promise<{ accountId: string } | { refused: string }>;
  };
}

export class ClaimRefused extends Error {
  override readonly name = 'ClaimRefused';
}

/**
 * Uses up the token of a session. A certificate must be that of the session's device, and is needed by agents and by
 * access points that have one for this purpose.
 * @throws ClaimRefused
 */
export async function claim(
  { database, clock, admission }: ClaimDeps,
  peer: Peer,
  { id, token, isAgent }: { id: string; token: string; isAgent: boolean },
): Promise<RemoteSession> {
  const hash = tokenHash(token);
  const waiting = await database.withSystem((tx) => findWaiting(tx, id, hash));
  if (!waiting) throw new ClaimRefused('unknown session or token');
  const isProven = !('refused' in peer);
  if (isProven && peer.serial !== waiting.serial) throw new ClaimRefused('the certificate is that of another device');
  if (!isProven && (isAgent || waiting.needs_certificate)) throw new ClaimRefused(`certificate: ${peer.refused}`);
  if (isProven) {
    const verdict = await admission.admit(peer);
    if ('refused' in verdict) throw new ClaimRefused(`certificate: ${verdict.refused}`);
    if (verdict.accountId !== waiting.account_id) throw new ClaimRefused('the device belongs to another account');
  }
  const accountId = waiting.account_id;
  const row = await database.withSystem((tx) => claimSession(tx, { accountId, id, hash, now: clock.now() }));
  if (!row) throw new ClaimRefused('the token is used or over');
  return row;
}
