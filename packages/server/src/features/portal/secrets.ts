import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { createSealer } from '../../platform/crypto/index.ts';

/** Keys of the portal, derived from the master key. */
export interface PortalSecrets {
  /** Keyed hash of a voucher, number or MAC: without the master key, guesses cannot be tested against the table. */
  hash(accountId: string, kind: 'voucher' | 'member' | 'phone' | 'code' | 'device' | 'bought', value: string): Buffer;
  /** Encrypts what a page carries, for one network's key. */
  sealState(key: string, state: unknown): string;
  /** Returns null for anything that this installation did not seal for this network. */
  openState(key: string, sealed: string): unknown;
}

const maxState = 4096;

export function createPortalSecrets(masterKey: Buffer): PortalSecrets {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `portal ${use}`, 32));
  const hashKey = derive('hash');
  const sealer = createSealer(derive('state'));
  return {
    hash: (accountId, kind, value) => createHmac('sha256', hashKey).update(`${accountId}\n${kind}\n${value}`).digest(),
    sealState: (key, state) => sealer.seal(JSON.stringify(state), key).toString('base64url'),
    openState(key, sealed) {
      if (sealed.length > maxState || !/^[\w-]+$/.test(sealed)) return null;
      try {
        return JSON.parse(sealer.open(Buffer.from(sealed, 'base64url'), key).toString());
      } catch {
        return null;
      }
    },
  };
}

/** Returns 128 random bits as 22 characters of base64url. */
export const randomName = (): string => randomBytes(16).toString('base64url');
