import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDir } from '../postgres/files.ts';

/** `context` is authenticated: values cannot move between records. */
export interface Sealer {
  seal(plain: Buffer | string, context: string): Buffer;
  /** @throws SealError if altered, or under another key or context */
  open(sealed: Buffer, context: string): Buffer;
}

export class SealError extends Error {
  constructor(context: string, cause: unknown) {
    super(
      `what was sealed as "${context}" does not open: master.key is not the one this database was written with, or the value was altered`,
      { cause },
    );
  }
}

const nonceBytes = 12;
const tagBytes = 16;

/** Uses AES-256-GCM; layout: nonce, tag, ciphertext. */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([
        typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
        cipher.final(),
      ]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
      } catch (error) {
        throw new SealError(context, error);
      }
    },
  };
}

/** Creates it at the first start, readable by its owner only. */
export function loadMasterKey(file: string): Buffer {
  if (!existsSync(file)) makeMasterKey(file);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${file} does not hold a master key (32 bytes in base64).`);
  chmodSync(file, 0o600);
  return key;
}

/** Creates the file durably; the first of concurrent starts counts. */
function makeMasterKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  syncDir(dirname(file));
}

/** The database stores the SHA-256. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: tokenHash(token) };
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
