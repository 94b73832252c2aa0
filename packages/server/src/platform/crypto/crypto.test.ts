import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../failure.ts';
import { createSealer, loadMasterKey, newToken, SealError, tokenHash } from './index.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { createQueue } from './queue.ts';

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
    expect(readdirSync(join(folder, 'new'))).toEqual(['master.key']);
  });

  it('is one key for processes that make it at the same moment', async () => {
    const file = join(folder, 'race', 'master.key');
    const module = pathToFileURL(join(import.meta.dirname, 'index.ts')).href;
    const load = `const { loadMasterKey } = await import('${module}'); console.log(loadMasterKey(process.argv[1]).toString('hex'));`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', load, file];
    const keys = await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args)));
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
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

describe('a queue', () => {
  function pending() {
    let end = () => {};
    let fail = () => {};
    const promise = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = () => reject(new Error('broken'));
    });
    return { promise, end, fail };
  }
  const turns = async () => {
    for (let at = 0; at < 10; at += 1) await Promise.resolve();
  };

  it('runs so many at once, the others in order, and refuses what is too much', async () => {
    const queued = createQueue(2, 2);
    const jobs = Array.from({ length: 6 }, pending);
    const begun: number[] = [];
    const asked = jobs.map(({ promise }, at) =>
      queued(() => {
        begun.push(at);
        return promise;
      }).catch((error: Error) => error),
    );
    await turns();
    expect(begun).toEqual([0, 1]);
    for (const at of [4, 5]) expect(await asked[at]).toMatchObject({ code: 'unavailable' });
    jobs[1]!.fail();
    expect(await asked[1]).not.toBeInstanceOf(Failure);
    await turns();
    expect(begun).toEqual([0, 1, 2]);
    for (const { end } of jobs) end();
    await Promise.all(asked);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(await queued(async () => 'room again')).toBe('room again');
  });
});
