import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { stampOf } from '../../platform/calendar.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { invalid } from '../../platform/failure.ts';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** With the format version. */
const head = 'YUNXUN-BACKUP-1';
const saltBytes = 16;
/** 64 MiB, about 0.2 s per guess (RFC 7914). */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const context = 'yunxun backup file 1';
const nameLength = 64;

/** Uses the password only, no keys of the account. */
export async function toFile(text: string, password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const sealed = createSealer(await keyOf(password, salt)).seal(text, context);
  const body = Buffer.concat([salt, sealed]).toString('base64');
  return `${head}\n${body.replace(/(.{76})/g, '$1\n')}\n`;
}

/** @throws Invalid for other files and wrong passwords */
export async function fromFile(file: string, password: string): Promise<string> {
  const [first, ...rest] = file.trim().split(/\r?\n/);
  const body = Buffer.from(rest.join(''), 'base64');
  if (first !== head || body.length <= saltBytes) invalid('file', 'validation.backupFile');
  const key = await keyOf(password, body.subarray(0, saltBytes));
  try {
    return createSealer(key).open(body.subarray(saltBytes), context).toString('utf8');
  } catch {
    return invalid('password', 'validation.backupPassword');
  }
}

/** Returns network and local time, safe for file systems. */
export function fileName(network: string, at: Date, zone: string): string {
  const end = `-${stampOf(at, zone)}.yunxun`;
  const clean = network.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+/, '');
  return [...(clean || 'network')].slice(0, nameLength - end.length).join('') + end;
}

function keyOf(password: string, salt: Buffer): Promise<Buffer> {
  return derive(password.normalize('NFC'), salt, 32, cost);
}
