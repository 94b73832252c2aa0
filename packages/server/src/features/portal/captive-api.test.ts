import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as secure } from 'node:tls';
import { type EdgeCaptive, relayLine, relayText } from '@yunxun/contract/device';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import { makeCertificate, makeKey } from '../../../test/conformance/peer/identity.ts';
import { portalDraft, portalLimits } from '../../../test/portal-draft.ts';
import { startTestServer } from '../../../test/server.ts';
import { call, ended, fixture, running, stopFixture } from '../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../configuration/testing/gateway.ts';
import { hasPublicName } from './edge-section.ts';

const mac = '02:00:00:00:78:01';
const folder = mkdtempSync(join(tmpdir(), 'yunxun-captive-api-'));
const name = 'guests.example.org';
let front: Server;

/** `fetch` refuses the console's certificate. */
beforeAll(async () => {
  const tls = { certFile: join(folder, 'tls.pem'), keyFile: join(folder, 'tls.key') };
  const key = makeKey();
  writeFileSync(tls.certFile, makeCertificate({ commonName: name, key }));
  writeFileSync(tls.keyFile, key.keyPem);
  fixture.server = await startTestServer({ config: { tls, publicUrl: `https://${name}` } });
  const port = fixture.server.program.httpPort;
  front = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const asked = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false };
    const passed = request(asked, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve));
  fixture.server.url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  fixture.owner = await fixture.server.register();
});
afterAll(async () => {
  front.close();
  await stopFixture();
  rmSync(folder, { recursive: true, force: true });
});

let gateway: AccessPoint;
let gwid: string;
const section = () =>
  (JSON.parse(running(gateway)) as { 'third-party': { yunxun: { captive?: EdgeCaptive } } })['third-party'].yunxun
    .captive!;

interface Relayed {
  of?: string;
  at?: number;
  sig?: string;
}

function lineOf({ of = mac, at = Math.floor(Date.now() / 1000), sig }: Relayed = {}): string {
  const client = { mac: of, ip: '10.1.0.101', at, nonce: randomBytes(16).toString('base64url') };
  return relayLine(client, sig ?? createHmac('sha256', section().secret).update(relayText(client)).digest('base64url'));
}

/** Connects as through the gateway, which may send `line` first. */
function get(path: string, line = ''): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(fixture.server.program.portalPort, '127.0.0.1');
    socket.on('error', reject);
    socket.write(line);
    const asked = request({
      path,
      headers: { host: name, connection: 'close' },
      createConnection: () => secure({ socket, servername: name, rejectUnauthorized: false }),
    });
    asked.on('error', reject);
    asked.on('response', (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => {
        text += part.toString();
      });
      answer.on('end', () => resolve({ status: answer.statusCode!, type: answer.headers['content-type'] ?? '', text }));
    });
    asked.end();
  });
}

const api = () => new URL(section().api!).pathname;
async function status(line = lineOf()): Promise<Record<string, unknown>> {
  const { text, type } = await get(api(), line);
  expect(type).toBe('application/captive+json');
  return JSON.parse(text) as Record<string, unknown>;
}

it('is offered by a gateway that can name its clients, where the portal has a public name', async () => {
  const draft = portalDraft({
    methods: [{ kind: 'one_click', ...portalLimits, minutes: 30 }],
    jump: 'https://shop.example.com/today',
  });
  const { data: made } = await call<{ id: string }>('/api/v3/auth_template/create', { name: 'Lobby', ...draft });
  await call('/api/v3/auth_template/publish', { id: made.id, revision: 1 });
  const network = await gatewayNetwork();
  ({ gwid } = network);
  const abilities = { captive: true, nftset: true, captiveApi: true };
  gateway = await connectGateway(network.identity, undefined, {}, abilities);
  const saved = { gwid, version: 0, settings: settings() };
  await ended(await call<{ job_id: string }>('/api/v3/network/gateway/save', saved), 'applied');
  const captive = { lans: ['LAN'], exempt_macs: [], exempt_addresses: [] };
  const site = { gwid, enabled: true, template_id: made.id, gateway: 'edge', captive };
  await ended(await call<{ job_id: string }>('/api/v3/portal/site/save', site), 'applied');
  expect(section().api).toBe(section().page.replace(/edge$/, 'api'));
  const unfit = [
    `http://${name}`,
    'https://192.0.2.7',
    'https://portal',
    'https://portal.lan:8081',
    'https://[::1]',
    'https://gw.localdomain',
  ];
  expect(unfit.filter(hasPublicName)).toEqual([]);
});

it('sends a captured client to a page that knows it', async () => {
  const { 'user-portal-url': page, ...rest } = await status();
  expect(rest).toEqual({ captive: true, 'venue-info-url': 'https://shop.example.com/today' });
  expect(new URL(String(page)).host).toBe(new URL(section().page).host);
  const { pathname, search } = new URL(String(page));
  expect((await get(pathname + search)).text).toContain('name="state"');
});

it('answers a guest with its own figures, and no other client', async () => {
  await fixture.server.db.database.systemPool.query(
    `insert into portal_session (account_id, id, gwid, ticket, state, device_key, mac, verified, method, template_id,
       template_version, locale, minutes, up_kbps, down_kbps, devices, times_per_day, made_at, ready_at, offer_until,
       granted_at, expires_at, max_bytes, up_bytes, down_bytes)
     select account_id, gen_random_uuid(), gwid, 'a-ticket', 'online', '\\x01', $1, true, 'one_click', template_id,
       1, 'en', 30, 0, 0, 1, 0, now(), now(), now(), now(), now() + interval '10 minutes', 5000, 1000, 1500
     from portal_site where gwid = $2`,
    [mac, gwid],
  );
  const own = await status();
  expect(own).toMatchObject({ captive: false, 'can-extend-session': true, 'bytes-remaining': 2500 });
  expect(own['seconds-remaining']).toBeGreaterThan(500);
  const { pathname, search } = new URL(String(own['user-portal-url']));
  expect((await get(pathname + search)).text).toContain('value="extend"');
  expect(await status(lineOf({ of: '02:00:00:00:78:02' }))).toMatchObject({ captive: true });
});

it('does not answer a client that no gateway names now', async () => {
  const used = lineOf();
  await status(used);
  const old = Math.floor(Date.now() / 1000) - 1000;
  for (const line of ['', used, lineOf({ sig: 'x'.repeat(43) }), lineOf({ at: old })])
    expect((await get(api(), line)).status, line).toBe(404);
  // a visitor's own line
  await expect(get(api(), lineOf({ of: '02:00:00:00:78:02' }) + lineOf())).rejects.toThrow();
});
