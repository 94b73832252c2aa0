import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestSession } from '@yunxun/edge/testing';
import { expect, it } from 'vitest';
import { signedText } from '../../../packages/edge/src/agent/upgrade.ts';
// @ts-expect-error a build script without types
import { buildEdge } from '../../../scripts/build-edge.mjs';
import { type LabHost, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

const pair = generateKeyPairSync('ed25519');
const files = new Map<string, string>();
let lab: Lab;
let host: LabHost;
let server: Server;

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  const signingKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  host = own(await startHost(lab, { signingKey, supervised: true }));
  const httpServer = createServer((request, response) => {
    const body = files.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  server = httpServer;
  own({
    stop() {
      httpServer.closeAllConnections();
      return new Promise((done) => httpServer.close(done));
    },
  });
  await new Promise<void>((ready) => {
    httpServer.listen(0, lab.console!, ready);
  });
});

async function upgrade(session: TestSession, version: string, bundle: string): Promise<void> {
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const signature = sign(null, Buffer.from(signedText({ version, sha256 })), pair.privateKey).toString('base64');
  files.set(`/${version}.mjs`, bundle);
  files.set(`/${version}.mjs.sig`, JSON.stringify({ version, sha256, signature }));
  const uri = `http://${lab.console}:${(server.address() as AddressInfo).port}/${version}.mjs`;
  const reply = await session.command('upgrade', { uri, when: 0 });
  expect(reply, host.log()).toMatchObject({ status: { error: 0, text: `version ${version} starts now` } });
}

/** Waits for version and reason; an earlier session may be of the old version. */
async function says(firmware: string, reason: string): Promise<void> {
  const connects = () =>
    host.console.sessions.flatMap(({ messages }) => messages.filter(({ method }) => method === 'connect'));
  await expect
    .poll(() => connects().map(({ params }) => params))
    .toContainEqual(expect.objectContaining({ firmware, reason }));
}

it('upgrades itself by order, and from a version that does not come up it is back by itself', async () => {
  const first = await host.start();
  const built = join(lab.folder, 'next');
  await buildEdge('9.0.1', built);
  await upgrade(first, '9.0.1', readFileSync(join(built, 'yunxun-edge.mjs'), 'utf8'));
  await says('Yunxun edge 9.0.1', 'upgrade');

  const second = await host.session();
  await upgrade(second, '9.0.2', "if (process.argv[2] === 'version') console.log('9.0.2'); else process.exit(1);");
  await says('Yunxun edge 9.0.1', 'upgradefailed');
  const returned = '"unit.upgrade-returned","payload":{"version":"9.0.2"}';
  const logged = () =>
    host.console.sessions.flatMap(({ messages }) => messages.map(({ params }) => JSON.stringify(params)));
  await expect.poll(logged).toContainEqual(expect.stringContaining(returned));
});
