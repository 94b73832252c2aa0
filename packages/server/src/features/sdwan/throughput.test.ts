import type { DataOf, fleetTools, sdwan } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { sdwanFixture } from './testing/sdwan-fixture.ts';

type Detail = DataOf<typeof fleetTools.toolDetail>;
type Network = DataOf<typeof sdwan.networkDetail>;
type Asked = Record<string, unknown>;

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;
let id: string;
let asked: { at: number; params: Asked }[] = [];
let refusal: string | null = null;

beforeAll(async () => {
  server = await startTestServer();
  fixture = await sdwanFixture(server, 3);
  const { call, node, deployStar, owner, sites } = fixture;
  await call('order/create', { kind: 'trial' });
  id = await deployStar('Branches', [node(0), node(1), node(2)]);
  await server.db.database.systemPool.query(
    `update device set capabilities = capabilities #- '{yunxun,abilities,iperf}' where serial = $1`,
    [sites[2]!.serial],
  );
  for (const [at, { serial }] of sites.entries())
    server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async (rpc) => {
      const { params } = rpc as { params: Asked };
      if (params.tool === 'throughput') asked.push({ at, params });
      const reply = (status: object) => ({ serial, uuid: 1, status });
      if (refusal && params.act === 'run') return reply({ error: 1, text: refusal });
      const throughput = { mbps: params.reverse ? 40.5 : 20.25, retransmits: 3, loss_pct: null, jitter_ms: null };
      return reply({ error: 0, text: 'Success', tool: params.act === 'run' ? { throughput } : {} });
    });
});
beforeEach(() => {
  asked = [];
  refusal = null;
});
afterAll(() => server.stop());

const key = (at: number) => fixture.sites[at]!.gwid;
const start = (from: number, to: number, more: object = {}) =>
  fixture.call<{ run_id: string }>('throughput', { id, from: key(from), to: key(to), ...more });

async function over(run: string): Promise<Detail> {
  let detail: Detail | undefined;
  await expect
    .poll(async () => {
      detail = (await server.call<Detail>('/api/v3/network/tool/detail', { id: run }, fixture.owner)).data;
      return ['done', 'failed'].includes(detail.state);
    })
    .toBe(true);
  return detail!;
}

it('lets the other end serve each way once, on the addresses of the tunnel', async () => {
  const { code, message, data } = await start(1, 0, { seconds: 3, mbps: 50 });
  expect(code, message).toBe(2000);
  const { throughput } = await over(data.run_id);
  expect(throughput).toEqual({
    up: { mbps: 20.25, retransmits: 3, loss_pct: null, jitter_ms: null },
    down: { mbps: 40.5, retransmits: 3, loss_pct: null, jitter_ms: null },
  });
  const nodes = (await fixture.call<Network>('network/detail', { id })).data.nodes;
  const [hub, branch] = [0, 1].map((at) => nodes.find((node) => node.key === key(at))!.address);
  expect(
    asked.map(({ at, params: { act, own, peer, seconds, mbps, reverse } }) => [
      at,
      act,
      own,
      peer,
      seconds,
      mbps,
      reverse,
    ]),
  ).toEqual([
    [0, 'serve', hub, branch, 3, undefined, undefined],
    [1, 'run', branch, hub, 3, 50, false],
    [0, 'serve', hub, branch, 3, undefined, undefined],
    [1, 'run', branch, hub, 3, 50, true],
  ]);
  expect(new Set(asked.map(({ params }) => params.port)).size).toBe(2);
});

it('says in the words of the gateway why it failed', async () => {
  refusal = 'iperf3: unable to connect to server';
  const { data } = await start(1, 0);
  expect(await over(data.run_id)).toMatchObject({ state: 'failed', reason: refusal, throughput: { up: null } });
});

it('is refused without a tunnel, without iperf3, and over UDP without a cap', async () => {
  expect(await start(1, 2)).toMatchObject({ code: 4114, data: { reason: 'no_tunnel' } });
  expect(await start(0, 2)).toMatchObject({ code: 4114, data: { reason: 'no_iperf', gwid: key(2) } });
  expect(await start(1, 0, { udp: true })).toMatchObject({ status: 422 });
  expect(await start(1, 1)).toMatchObject({ status: 422 });
  const nodes = (await fixture.call<Network>('network/detail', { id })).data.nodes;
  expect(nodes.map(({ measures }) => measures).toSorted()).toEqual([false, true, true]);
});

it('cannot be begun as a tool of a device', async () => {
  const { serial } = fixture.sites[1]!;
  const input = { serial, tool: 'throughput', target: '100.64.0.1' };
  expect((await server.call('/api/v3/network/tool/run', input, fixture.owner)).status).toBe(422);
});
