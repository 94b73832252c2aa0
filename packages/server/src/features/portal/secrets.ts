import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { PortalMethodKind } from '@yunxun/contract';
import { createSealer } from '../../platform/crypto/index.ts';

type HashKind =
  | PortalMethodKind
  | 'member'
  | 'phone'
  | 'code'
  | 'device'
  | 'bought'
  | 'login'
  | 'login_rules'
  | 'login_email'
  | 'login_subject'
  | 'tried';

/** From the master key. */
export interface PortalSecrets {
  /** Hashes with the master key, without which guesses cannot be tested. */
  hash(accountId: string, kind: HashKind, value: string): Buffer;
  /** Encrypts for one network's key. */
  sealState(key: string, state: unknown): string;
  /** Returns null unless sealed here for this network. */
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

/** Returns 128 bits as 22 base64url characters. */
export const randomName = (): string => randomBytes(16).toString('base64url');
