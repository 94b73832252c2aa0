import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SignedVersion, signedText, type UpgradeOptions, upgradeTo } from './upgrade.ts';
import { Versions } from './versions.ts';

const pair = generateKeyPairSync('ed25519');
const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const program = (version: string) => `console.log('${version}');\n`;

function statement(version: string, bundle: string, key = pair.privateKey): SignedVersion {
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const signature = sign(null, Buffer.from(signedText({ version, sha256 })), key).toString('base64');
  return { version, sha256, signature };
}

let folder: string;
let server: Server;
let files: Record<string, string>;
let versions: Versions;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-upgrade-'));
  versions = new Versions(folder);
  versions.keep('0.1.0', program('0.1.0'));
  versions.install('0.1.0');
  files = {};
  server = createServer((request, response) => {
    const body = files[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200);
    response.end(body);
  });
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready);
  });
});

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await new Promise((done) => server.close(done));
});

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/yunxun-edge.mjs`;

function offer(bundle: string, signed: unknown): void {
  files = { '/yunxun-edge.mjs': bundle, '/yunxun-edge.mjs.sig': JSON.stringify(signed) };
}

function upgrade(options: Partial<UpgradeOptions> = {}) {
  const signingKey = publicPem(pair.publicKey);
  return upgradeTo(address(), { versions, running: '0.1.0', signingKey, ...options });
}

describe('upgrade of the agent', () => {
  it('makes a signed version the next one, on trial, and keeps the running one', async () => {
    offer(program('0.2.0'), statement('0.2.0', program('0.2.0')));
    expect(await upgrade()).toEqual({ error: 0, text: 'version 0.2.0 starts now' });
    expect([versions.current, versions.previous, versions.onTrial]).toEqual(['0.2.0', '0.1.0', true]);
    expect(existsSync(versions.bundle('0.1.0'))).toBe(true);
    versions.proven();
    expect(versions.onTrial).toBe(false);
  });

  it('deletes versions that are no rollback target once a version is proven', async () => {
    for (const next of ['0.2.0', '0.3.0']) {
      offer(program(next), statement(next, program(next)));
      expect((await upgrade({ running: versions.current ?? '' })).error).toBe(0);
      versions.proven();
    }
    expect(existsSync(versions.bundle('0.1.0'))).toBe(false);
    expect(existsSync(versions.bundle('0.2.0'))).toBe(true);
  });

  const stranger = generateKeyPairSync('ed25519');
  const good = statement('0.2.0', program('0.2.0'));
  it.each<[string, () => void, Partial<UpgradeOptions>, RegExp]>([
    ['another bundle than the signed one', () => offer(program('6.6.6'), good), {}, /not the signed one/],
    ['a signature by another key', () => offer('', statement('0.2.0', '', stranger.privateKey)), {}, /not by the key/],
    ['another version under the same signature', () => offer('', { ...good, version: '0.3.0' }), {}, /not by the key/],
    ['a version that is a path', () => offer('', { ...good, version: '../../etc' }), {}, /cannot be read/],
    ['no statement', () => offer('', null), {}, /cannot be read/],
    ['nothing at all', () => {}, {}, /answers 404/],
    ['the version that runs', () => offer('', statement('0.1.0', '')), {}, /runs already/],
    [
      'a program that does not start',
      () => offer('(', statement('0.2.0', '(')),
      {},
      /does not start as version 0\.2\.0/,
    ],
    [
      'a program of another version',
      () => offer(program('1.0.0'), statement('0.2.0', program('1.0.0'))),
      {},
      /start as/,
    ],
    ['a box without a pinned key', () => offer('', good), { signingKey: null }, /no signing key/],
    ['a box whose key is of another kind', () => offer('', good), { signingKey: 'x' }, /not by the key/],
  ])('refuses %s and changes nothing', async (_what, prepare, options, words) => {
    prepare();
    const answer = await upgrade(options);
    expect(answer.error).toBe(2);
    expect(answer.text).toMatch(words);
    expect([versions.current, versions.previous, versions.onTrial]).toEqual(['0.1.0', null, false]);
  });

  it('takes only addresses of the web', async () => {
    const options = { versions, running: '0.1.0', signingKey: publicPem(pair.publicKey) };
    expect((await upgradeTo('file:///etc/passwd', options)).text).toMatch(/only http/);
  });
});
