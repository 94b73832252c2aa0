import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSigned, type SignedVersion, upgradeTo } from '../../../edge/src/agent/upgrade.ts';
import { Versions } from '../../../edge/src/agent/versions.ts';
import { createAgentSigner } from './agent-signer.ts';
import { edgeBundlePath, mountEdgeBundle } from './edge-bundle.ts';

const signer = createAgentSigner(Buffer.alloc(32, 7));
const bundle = `console.log('1.2.3');\n`;
let folder: string;
let app: FastifyInstance;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-edge-dist-'));
  writeFileSync(join(folder, 'yunxun-edge.mjs'), bundle);
  writeFileSync(join(folder, 'version'), '1.2.3\n');
  app = fastify();
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function serve(from: string | null = folder): Promise<void> {
  mountEdgeBundle(app, from, signer);
  url = (await app.listen({ host: '127.0.0.1', port: 0 })) + edgeBundlePath;
}

const options = (signingKey: string) => ({
  versions: new Versions(join(folder, 'program')),
  running: '1.0.0',
  signingKey,
});

describe('the edge agent that a console gives', () => {
  test('is the built one, with a statement that the agent accepts for its upgrade', async () => {
    await serve();
    const given = await (await fetch(url)).text();
    const statement = (await (await fetch(`${url}.sig`)).json()) as SignedVersion;
    expect(given).toBe(bundle);
    expect(statement).toMatchObject({
      version: '1.2.3',
      sha256: createHash('sha256').update(bundle).digest('hex'),
    });
    expect(isSigned(statement, signer.publicKey)).toBe(true);
    expect(isSigned({ ...statement, version: '1.2.4' }, signer.publicKey)).toBe(false);
    expect(await upgradeTo(url, options(signer.publicKey))).toMatchObject({ error: 0 });
    expect(readFileSync(join(folder, 'program/current'), 'utf8')).toBe('1.2.3\n');
  });

  test('is refused by a box that pinned another installation’s key', async () => {
    await serve();
    const other = createAgentSigner(Buffer.alloc(32, 8)).publicKey;
    expect(await upgradeTo(url, options(other))).toEqual({
      error: 2,
      text: 'the signature is not by the key of the enrolment',
    });
  });

  test('is refused by the host if it was changed on the way', async () => {
    app.addHook('onSend', async (request, _reply, body) => (request.url.endsWith('.mjs') ? `${body};evil()` : body));
    await serve();
    expect(await upgradeTo(url, options(signer.publicKey))).toEqual({
      error: 2,
      text: 'the bundle is not the signed one',
    });
  });

  test('is not sent again to a client that has it', async () => {
    await serve();
    for (const address of [url, `${url}.sig`]) {
      const first = await fetch(address);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
      const again = await fetch(address, { headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await fetch(address, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    }
  });

  test('is one file: no path of a caller’s leads to another', async () => {
    await serve();
    for (const path of ['/edge/version', '/edge/../edge/version', '/edge/%2e%2e/version', '/edge/yunxun-edge.mjs%00'])
      expect((await app.inject(path)).statusCode).toBe(404);
  });

  test.each([
    ['was built without it', () => folder],
    ['has no folder of it', () => null],
  ])('is a 404 with a sentence where the console %s', async (_, from) => {
    rmSync(join(folder, 'yunxun-edge.mjs'));
    await serve(from());
    for (const address of [url, `${url}.sig`]) {
      const answer = await fetch(address);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('built without the edge agent');
    }
  });
});
