import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { endDevices } from './device-client.ts';
import { connectGateways, keyOf } from './sdwan-gateways.ts';

let server: TestServer;
let fixture: Awaited<ReturnType<typeof connectGateways>>;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  fixture = await connectGateways(server, 3);
  await fixture.call('order/create', { kind: 'trial' });
  id = await fixture.deployStar(
    'Branches',
    [0, 1, 2].map((at) => fixture.node(at)),
  );
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const documentOf = async (at: number) => JSON.stringify((await fixture.documents(id)).get(fixture.gwids[at]!));
const newestJob = async () => (await fixture.detail(id)).job_id;
const stale = async () => (await fixture.detail(id)).stale;

async function followed(): Promise<number> {
  const { rows } = await server.db.database.systemPool.query<{ times: number }>(
    "select count(*)::int as times from operation_log where account_id = $1 and action = 'sdwan_network.follow'",
    [fixture.owner.accountId],
  );
  return rows[0]!.times;
}

it('pushes the neighbours of a gateway whose key changed, and is stale until then', async () => {
  const before = await newestJob();
  const { systemPool } = server.db.database;
  const held = await systemPool.connect();
  await held.query('begin');
  await held.query('select 1 from sdwan_network where id = $1 for update', [id]);
  fixture.report(1, { key: keyOf(9) });
  await expect.poll(stale).toEqual([fixture.gwids[0]]);
  expect(await documentOf(0)).not.toContain(keyOf(9));
  await held.query('commit');
  held.release();
  await expect.poll(stale).toEqual([]);
  const main = await documentOf(0);
  expect(main).toContain(keyOf(9));
  expect(main).not.toContain(keyOf(2));
  const job = await newestJob();
  expect(job).not.toBe(before);
  const { rows } = await systemPool.query('select gwid from job_item where job_id = $1', [job]);
  expect(rows).toEqual([{ gwid: fixture.gwids[0] }]);
});

it('pushes the branches of a centre whose public address changed', async () => {
  await fixture.setPublicAddress(0, '198.51.100.77');
  fixture.report(0, { address: '198.51.100.77' });
  await expect.poll(() => documentOf(2)).toContain('198.51.100.77');
  expect(await documentOf(1)).toContain('198.51.100.77');
  expect(await followed()).toBe(2);
});

it('pushes nothing while reports say the same', async () => {
  fixture.report(0, { address: '198.51.100.77' });
  fixture.report(2, { key: keyOf(7) });
  await expect.poll(() => documentOf(0)).toContain(keyOf(7));
  expect(await followed()).toBe(3);
});
