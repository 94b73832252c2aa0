import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';

export interface AgentSigner {
  /** Ed25519, SPKI in PEM; pinned at enrolment. */
  readonly publicKey: string;
  /** Signs a version and its bundle's hex SHA-256; base64. */
  sign(version: string, sha256: string): string;
}

const purpose = 'yunxun edge agent signing key';
/** PKCS#8 prefix of an Ed25519 key (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives the key from the master key (HKDF-SHA-256): equal in all processes and restores, without a second secret. */
export function createAgentSigner(masterKey: Buffer): AgentSigner {
  const seed = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), purpose, 32));
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    // checked by signedText in packages/edge/src/agent/upgrade.ts
    sign: (version, sha256) => sign(null, Buffer.from(`yunxun-edge\n${version}\n${sha256}\n`), key).toString('base64'),
  };
}
