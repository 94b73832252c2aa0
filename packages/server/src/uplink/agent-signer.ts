import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';

/** Signs versions of the edge agent for this installation's boxes. */
export interface AgentSigner {
  /** What boxes pin at enrolment: Ed25519, SPKI in PEM. */
  readonly publicKey: string;
  /** The signature over a version and the SHA-256 (hexadecimal) of its bundle, base64. */
  sign(version: string, sha256: string): string;
}

const purpose = 'yunxun edge agent signing key';
/** What stands before the 32 bytes of an Ed25519 key in PKCS#8 (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The installation's signer. Its key is derived from the master key (HKDF-SHA-256): it is the same in every process and
 * after every restore that has `master.key`, and there is no second secret to keep.
 */
export function createAgentSigner(masterKey: Buffer): AgentSigner {
  const seed = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), purpose, 32));
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    // the text that the agent checks: packages/edge/src/agent/upgrade.ts, signedText
    sign: (version, sha256) => sign(null, Buffer.from(`yunxun-edge\n${version}\n${sha256}\n`), key).toString('base64'),
  };
}
