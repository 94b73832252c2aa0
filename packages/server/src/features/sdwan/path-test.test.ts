import type { DataOf, sdwan } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { sdwanFixture } from './testing/sdwan-fixture.ts';

type Result = DataOf<typeof sdwan.pathTestResult>;

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;
let id: string;
/** Answer of the gateway of site 1, and the parameters of the last test that it got. */
let output = '';
let asked: Record<string, unknown> = {};

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
  const { serial } = sites[1]!;
  server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async (rpc) => {
    const { params } = rpc as { params: Record<string, unknown> };
    if (params.tool === 'path') asked = params;
    return { serial, uuid: 1, status: { error: 0, text: 'Success', tool: { output } } };
  });
});
afterAll(() => server.stop());

const lost = '3 packets transmitted, 0 received, 100% packet loss';

async function test(answer: string, more: object = {}): Promise<Result> {
  output = answer;
  const { call, sites } = fixture;
  const from = sites[1]!.gwid;
  const target = '10.7.2.10';
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

it('calls it the firewall when tunnels and routes are up and nothing answers', async () => {
  const key = fixture.sites[2]!.gwid;
  expect(await test(lost)).toMatchObject({ tunnel: 'ok', route: 'ok', firewall: 'failed', failed_at: key });
});

it('connects to a TCP port, and distinguishes a closed one from an unreachable one', async () => {
  const closed = await test(`10.7.2.10:80 seq=1 ECONNREFUSED\n${lost}`, { port: 80 });
  expect(asked).toMatchObject({ tool: 'path', port: 80 });
  expect(closed).toMatchObject({ tunnel: 'ok', route: 'ok', firewall: 'unknown', reason: 'sdwan.test_refused' });
  expect(await test(lost, { port: 80 })).toMatchObject({ firewall: 'failed' });
});

it('names the tunnel that is down', async () => {
  const { reportAll, sites } = fixture;
  await reportAll(id, [0], (peer) => peer !== sites[2]!.publicKey);
  expect(await test(lost)).toMatchObject({ tunnel: 'failed', route: 'skipped', failed_at: sites[2]!.gwid });
  await reportAll(id, [0]);
});
