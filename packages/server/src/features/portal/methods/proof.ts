import type { PortalMethod, PortalMethodKind } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { Guess } from '../guest-limits.ts';
import type { PortalSecrets } from '../secrets.ts';
import { provedBy } from '../session-store.ts';
import type { SiteKey } from '../visit-store.ts';

export interface Proof {
  method: PortalMethodKind;
  /** Masked, for the operator. */
  identity: string | null;
  identityHash: Buffer | null;
  /** Of a masked identity, to keep sealed. */
  whole: string | null;
  minutes: number;
  devices: number;
  /** End of the voucher or account; null: none. */
  until: Date | null;
  /** With its own rates; null: the method's limits. */
  bought: { id: string; up_kbps: number; down_kbps: number; maxBytes: number } | null;
}

export interface Guessing {
  tx: Tx;
  secrets: PortalSecrets;
  site: SiteKey;
  /** Null unless its gateway vouches for the device. */
  device: Buffer | null;
}

export const plain = ({ kind, minutes, devices }: PortalMethod): Proof => ({
  method: kind,
  identity: null,
  identityHash: null,
  whole: null,
  minutes,
  devices,
  until: null,
  bought: null,
});

/** Serialises a guest's sign-ins, so that limits hold. */
export async function lockIdentity(tx: Tx, identity: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal ${identity.toString('hex')}`}, 0))`.execute(tx);
}

/** A device that was online with the identity waits for no turn. */
export async function guessAt(
  { tx, site, device }: Omit<Guessing, 'secrets'>,
  method: PortalMethodKind,
  subject: Guess['subject'] = null,
  identity: Buffer | null = null,
): Promise<Guess> {
  return { subject, isProved: device !== null && (await provedBy(tx, site, device, { method, identity })) };
}
