import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestSession } from '@yunxun/edge/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedText } from '../../../packages/edge/src/agent/upgrade.ts';
// @ts-expect-error a build script without types
import { buildEdge } from '../../../scripts/build-edge.mjs';
import { type LabBox, startBox } from './box.ts';
import { type Lab, startLab } from './lab.ts';

const pair = generateKeyPairSync('ed25519');
const files = new Map<string, string>();
let lab: Lab;
let box: LabBox;
let server: Server;

beforeAll(async () => {
  lab = await startLab({ console: true });
  const signingKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  box = await startBox(lab, { signingKey, supervised: true });
  server = createServer((request, response) => {
    const body = files.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((ready) => {
    server.listen(0, lab.console!, ready);
  });
});

afterAll(async () => {
  await box?.stop();
  await lab?.stop();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

/** Publishes a version as a console does, and orders the box to it. */
async function upgrade(session: TestSession, version: string, bundle: string): Promise<void> {
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const signature = sign(null, Buffer.from(signedText({ version, sha256 })), pair.privateKey).toString('base64');
  files.set(`/${version}.mjs`, bundle);
  files.set(`/${version}.mjs.sig`, JSON.stringify({ version, sha256, signature }));
  const uri = `http://${lab.console}:${(server.address() as AddressInfo).port}/${version}.mjs`;
  const reply = await session.command('upgrade', { uri, when: 0 });
  expect(reply, box.log()).toMatchObject({ status: { error: 0, text: `version ${version} starts now` } });
}

/** The next session's first word. */
async function returned(): Promise<{ session: TestSession; firmware: unknown; reason: unknown }> {
  const session = await box.console.connected();
  const { params } = await session.message('connect');
  return { session, firmware: params.firmware, reason: params.reason };
}

it('upgrades itself by order, and from a version that does not come up it is back by itself', async () => {
  const first = await box.start();
  const [built] = [join(lab.folder, 'next')];
  await buildEdge('9.0.1', built);
  const next = returned();
  await upgrade(first, '9.0.1', readFileSync(join(built, 'yunxun-edge.mjs'), 'utf8'));
  const second = await next;
  expect(second).toMatchObject({ firmware: 'Yunxun edge 9.0.1', reason: 'upgrade' });

  const back = returned();
  await upgrade(
    second.session,
    '9.0.2',
    "if (process.argv[2] === 'version') console.log('9.0.2'); else process.exit(1);",
  );
  const third = await back;
  expect(third).toMatchObject({ firmware: 'Yunxun edge 9.0.1', reason: 'upgradefailed' });
  await third.session.until(() =>
    third.session.messages.some(({ params }) =>
      JSON.stringify(params).includes('"unit.upgrade-returned","payload":{"version":"9.0.2"}'),
    ),
  );
});
