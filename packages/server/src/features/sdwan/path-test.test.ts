import type { DataOf, sdwan } from '@yunxun/contract';
import type { EdgeHopResult } from '@yunxun/contract/device';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { sdwanFixture } from './testing/sdwan-fixture.ts';

type Result = DataOf<typeof sdwan.pathTestResult>;

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;
let id: string;
type Host = NonNullable<EdgeHopResult['host']>;

let output = '';
let host: Host | null = null;
let cut: number[] = [];
let old = false;
let asked: Record<string, unknown> = {};
let hops: (Record<string, unknown> | null)[] = [];

beforeAll(async () => {
  server = await startTestServer();
  fixture = await sdwanFixture(server, 3);
  const { call, node, deployStar, reportAll, owner, sites } = fixture;
  await call('order/create', { kind: 'trial' });
  id = await deployStar('Branches', [
    node(0),
    node(1, { lans: [{ prefix: '10.9.0.0/24', as: '10.7.1.0/24' }] }),
    node(2),
  ]);
  await reportAll(id, [0, 1, 2]);
  for (const [at, { serial }] of sites.entries())
    server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async (rpc) => {
      const { params } = rpc as { params: Record<string, unknown> };
      const reply = (status: object) => ({ serial, uuid: 1, status });
      if (params.tool === 'path') {
        asked = params;
        return reply({ error: 0, text: 'Success', tool: { output } });
      }
      hops[at] = params;
      if (old) return reply({ error: 2, text: 'this gateway has no such tool' });
      const isCut = (address: string) => cut.includes(at) || cut.some((one) => address.endsWith(`.${one + 1}`));
      const tunnels = (params.peers as string[]).map((address) => ({ address, answers: !isCut(address) }));
      return reply({ error: 0, text: 'Success', tool: { hop: { tunnels, host: params.host ? host : null } } });
    });
});
afterAll(() => server.stop());

const lost = '3 packets transmitted, 0 received, 100% packet loss';
const refused = `10.7.2.10:80 seq=1 ECONNREFUSED\n${lost}`;

async function test(answer: string, more: { port?: number; target?: string } = {}): Promise<Result> {
  output = answer;
  hops = [null, null, null];
  const { call, sites } = fixture;
  const from = sites[1]!.gwid;
  const target = more.target ?? '10.7.2.10';
  const run = await call<{ run_id: string }>('path_test', { id, from, target, ...more });
  expect(run.code, run.message).toBe(2000);
  const result = async () =>
    (await call<Result>('path_test/result', { id, from, target, run_id: run.data.run_id })).data;
  await expect.poll(async () => (await result()).done).toBe(true);
  return result();
}

it('sends its probes from the LAN of the site, and finds the way through the centre', async () => {
  const found = await test('3 packets transmitted, 3 received, 0% packet loss\nrtt min/avg/max = 1.0/2.5/3.0 ms');
  expect(asked).toMatchObject({ tool: 'path', target: '10.7.2.10', sources: ['10.9.0.0/24'] });
  expect(asked).not.toHaveProperty('port');
  expect(found).toMatchObject({ tunnel: 'ok', route: 'ok', firewall: 'ok', rtt_ms: 2.5, loss_pct: 0 });
  expect(found.path).toEqual([1, 0, 2].map((at) => fixture.sites[at]!.gwid));
});

it('lets each gateway of the path probe its tunnels, and the last one examine the host', async () => {
  await test(lost);
  const [centre, near, far] = hops as { own: string; peers: string[]; host?: string }[];
  expect(near).toEqual({ tool: 'hop', own: near!.own, peers: [centre!.own] });
  expect(centre!.peers.toSorted()).toEqual([near!.own, far!.own].toSorted());
  expect(far).toMatchObject({ peers: [centre!.own], host: '10.7.2.10' });
});

const up = { tunnel: 'ok', route: 'ok' };
it.each<[string, Host, string, object]>([
  ['no such host', { present: false, ping: false, tcp: null }, lost, { host: 'failed', reason: 'sdwan.test_no_host' }],
  ['no reply', { present: true, ping: false, tcp: null }, lost, { firewall: 'unknown', reason: 'sdwan.test_no_reply' }],
  ['dropped', { present: true, ping: true, tcp: null }, lost, { firewall: 'failed', reason: 'sdwan.test_dropped' }],
  [
    'a dropped port',
    { present: true, ping: true, tcp: 'open' },
    lost,
    { firewall: 'failed', reason: 'sdwan.test_dropped' },
  ],
  [
    'a silent port',
    { present: true, ping: true, tcp: 'silent' },
    lost,
    { host: 'ok', reason: 'sdwan.test_port_silent' },
  ],
  ['closed', { present: true, ping: true, tcp: 'closed' }, refused, { firewall: 'ok', reason: 'sdwan.test_closed' }],
  [
    'rejected',
    { present: true, ping: true, tcp: 'open' },
    refused,
    { firewall: 'failed', reason: 'sdwan.test_rejected' },
  ],
])('tells apart: %s', async (_what, found, answer, verdict) => {
  host = found;
  expect(await test(answer, found.tcp === null ? {} : { port: 80 })).toMatchObject({ ...up, ...verdict });
});

it('names the tunnel that does not answer now, whatever the last reports say', async () => {
  cut = [2];
  const key = fixture.sites[2]!.gwid;
  const down = { tunnel: 'failed', route: 'skipped', failed_at: key, reason: 'sdwan.test_tunnel_down' };
  expect(await test(lost)).toMatchObject(down);
  cut = [];
});

it('calls a host unknown that an old agent cannot examine, and goes by reports then', async () => {
  old = true;
  expect(await test(lost)).toMatchObject({ ...up, firewall: 'unknown', reason: 'sdwan.test_unasked' });
  const { reportAll, sites } = fixture;
  await reportAll(id, [0], (peer) => peer !== sites[2]!.publicKey);
  expect(await test(lost)).toMatchObject({ tunnel: 'failed', route: 'skipped', failed_at: sites[2]!.gwid });
  await reportAll(id, [0]);
  old = false;
});

it('says when no site has the target', async () => {
  expect(await test(lost, { target: '10.200.0.1' })).toMatchObject({ route: 'failed', reason: 'sdwan.test_no_route' });
});
