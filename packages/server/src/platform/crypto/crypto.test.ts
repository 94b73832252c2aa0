import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSealer, loadMasterKey, newToken, SealError, tokenHash } from './index.ts';
import { hashPassword, verifyPassword } from './password.ts';

const folder = mkdtempSync(join(tmpdir(), 'yunxun-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a sealer', () => {
  const sealer = createSealer(Buffer.alloc(32, 1));

  it('opens what it sealed, in its own context only, and nothing that was altered', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), fc.nat(), (bytes, context, at) => {
        const plain = Buffer.from(bytes);
        const sealed = sealer.seal(plain, context);
        expect(sealer.open(sealed, context)).toEqual(plain);
        expect(() => sealer.open(sealed, `${context}.`)).toThrow(SealError);
        expect(() => createSealer(Buffer.alloc(32, 2)).open(sealed, context)).toThrow(SealError);
        const altered = Buffer.from(sealed);
        altered[at % altered.length]! ^= 1;
        expect(() => sealer.open(altered, context)).toThrow(SealError);
      }),
    );
  });
});

describe('the master key', () => {
  it('is made once, for its owner’s eyes only', () => {
    const file = join(folder, 'new', 'master.key');
    const key = loadMasterKey(file);
    expect(key).toHaveLength(32);
    expect(loadMasterKey(file)).toEqual(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is refused when the file holds something else', () => {
    const file = join(folder, 'broken.key');
    writeFileSync(file, 'not a key');
    expect(() => loadMasterKey(file)).toThrow(/does not hold a master key/);
  });
});

it('keeps of a token only its hash', () => {
  const { token, hash } = newToken();
  expect(tokenHash(token)).toEqual(hash);
  expect(hash.toString('base64url')).not.toContain(token);
});

it('checks passwords, and refuses every one where there is none', async () => {
  const hash = await hashPassword('correct1horse');
  expect(await verifyPassword(hash, 'correct1horse')).toBe(true);
  expect(await verifyPassword(hash, 'correct2horse')).toBe(false);
  expect(await verifyPassword(null, 'no account has this hash')).toBe(false);
});
