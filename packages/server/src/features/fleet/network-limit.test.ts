import { limits } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import { accessPointCapabilities } from '../../../test/conformance/peer/access-point.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

const limit = limits.networksPerAccount;
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const networks = async () => (await server.call<{ total: number }>('/api/v3/network/list', {}, owner)).data.total;

it('holds for a person, an import and a gateway that brings its own network', async () => {
  await server.db.database.systemPool.query(
    `insert into network (account_id, gwid, remark) select $1, gen_random_uuid(), 'N-' || i
     from generate_series(1, $2::int) i`,
    [owner.accountId, limit - 1],
  );
  const create = (remark: string) => server.call('/api/v3/network/create', { remark }, owner);
  const answers = await Promise.all([create('Last'), create('Over'), create('More')]);
  expect(answers.map(({ code }) => code).toSorted()).toEqual([2000, 4106, 4106]);
  expect(await create('Again')).toMatchObject({ code: 4106, data: { limit, used: limit } });

  const router = await enrol(server, owner);
  await accessPoint(router, {
    capabilities: { ...accessPointCapabilities, platform: 'olg', model: 'Edge 5' },
  }).connect();
  await listedAs(server, owner, router.serial, { kind: 'gateway', status: 'online', gwid: null });
  const waiting = await server.call<{ list: unknown[] }>('/api/v3/device/waiting/list', {}, owner);
  expect(waiting.data.list).toMatchObject([{ serial: router.serial }]);

  const rows = [{ line: 2, serial: router.serial, name: '', network: 'New', tags: '' }];
  for (const dry of [true, false]) {
    const { data } = await server.call('/api/v3/device/import', { rows, create_networks: true, dry }, owner);
    expect(data).toMatchObject({ rows: [{ result: 'failed', code: 4106, why: expect.stringContaining(`${limit}`) }] });
  }
  expect(await networks()).toBe(limit);
});
