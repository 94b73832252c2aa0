import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { sdwanFixture } from './testing/sdwan-fixture.ts';

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;

beforeAll(async () => {
  server = await startTestServer();
  fixture = await sdwanFixture(server, 3);
});
afterAll(() => server.stop());

const names = async (path: string, sort: string, order: string) => {
  const { data } = await fixture.call<{ list: { name: string }[] }>(path, { sort, order });
  return data.list.map(({ name }) => name);
};

it('lists groups and link strategies by each of their numbers', async () => {
  const { call, node, star, sites } = fixture;
  await call('order/create', { kind: 'trial' });
  const { data } = await call<{ id: string }>('network/create', {
    name: 'Shops',
    ...star([node(0), node(1), node(2)]),
  });
  const keys = sites.map(({ gwid }) => gwid);
  const group = async (name: string, widthband: number, foreign_widthband: number, node_keys: string[]) => {
    const made = { network_id: data.id, name, widthband, foreign_widthband, node_keys };
    expect((await call('group/create', made)).code).toBe(2000);
  };
  await group('A', 30, 1, keys.slice(0, 1));
  await group('B', 10, 3, keys.slice(1, 3));
  await group('C', 20, 2, []);
  expect(await names('group/list', 'nodes', 'desc')).toEqual(['B', 'A', 'C']);
  expect(await names('group/list', 'widthband', 'asc')).toEqual(['B', 'C', 'A']);
  expect(await names('group/list', 'foreign_widthband', 'asc')).toEqual(['A', 'C', 'B']);
  expect(await names('group/list', 'name', 'desc')).toEqual(['C', 'B', 'A']);
  const strategy = { probe_ms: 500, fails: 3, recovers: 6, hold_s: 30, order: 'preferred' };
  for (const [name, probe_ms] of [
    ['Fast', 300],
    ['Slow', 900],
    ['Usual', 500],
  ] as const)
    expect((await call('link_strategy/create', { ...strategy, name, probe_ms })).code).toBe(2000);
  expect(await names('link_strategy/list', 'probe_ms', 'asc')).toEqual(['Fast', 'Usual', 'Slow']);
});
