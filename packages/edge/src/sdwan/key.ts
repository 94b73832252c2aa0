import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeDurably } from '../apply/durable.ts';

/** DER prefix of a PKCS #8 X25519 private key (RFC 8410); the 32 key bytes follow. */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
const keyBytes = 32;

/** Returns the public half (base64), making the key if absent; mode 0600. */
export function ownPublicKey(file: string): string {
  const known = readPrivate(file);
  if (known !== null) return publicOf(known);
  const made = generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-keyBytes);
  writeDurably(file, `${made.toString('base64')}\n`, 0o600);
  return publicOf(made);
}

function readPrivate(file: string): Buffer | null {
  try {
    const bytes = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    return bytes.length === keyBytes ? bytes : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function publicOf(bytes: Buffer): string {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, bytes]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-keyBytes).toString('base64');
}
