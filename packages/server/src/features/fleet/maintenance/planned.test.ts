import type { fleetMaintenance as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as fixture from '../../alarms/testing/fixture.ts';

const { back, call, clock, devices, list, lose, minute, pass } = fixture;

type Created = DataOf<typeof contract.maintenanceCreate>;
type Listed = DataOf<typeof contract.maintenanceList>;
interface Logged {
  seq: number;
  action: string;
  object: { type: string; name: string };
  after: object | null;
}

beforeAll(fixture.startFixture);
afterAll(fixture.stopFixture);
beforeEach(fixture.start);

const later = (minutes: number) => new Date(clock.now().getTime() + minutes * minute).toISOString();
const planned = async (gwid = fixture.gwid) => (await call<Listed>('network/maintenance/list', { gwid })).list;
const plan = (input: object) => call<Created>('network/maintenance/create', input);
const logged = async () => (await call<{ list: Logged[] }>('log/action/list', { limit: 5 })).list;
const places = async () => (await list()).map(({ network, state }) => [network, state]);
const refused = (input: object) =>
  fixture.server.call('/api/v3/network/maintenance/create', { gwids: [fixture.gwid], ...input }, fixture.owner);

it('of several networks opens no alarm from its beginning to its end, and one after it', async () => {
  const [east, south] = [await fixture.network('East-Gate'), await fixture.network('South-Gate')];
  const [here] = await devices('ap', 2);
  const [there] = await devices('ap', 2, east);
  const [elsewhere] = await devices('ap', 2, south);
  const gwids = [fixture.gwid, east];
  const { list: created, ...times } = await plan({ gwids, begins_at: later(10), minutes: 15, note: 'power works' });
  expect(created.map(({ name }) => name)).toEqual(['East-Gate', 'West-Lake']);
  expect(await planned(east)).toMatchObject([{ ...times, open: false, note: 'power works' }]);
  const [row] = await logged();
  expect(row).toMatchObject({
    action: 'network.maintenance',
    object: { type: 'selection', name: 'East-Gate, West-Lake' },
    after: { ...times, note: 'power works' },
  });
  await lose([there!]);
  await pass(6);
  expect(await places()).toEqual([['East-Gate', 'firing']]);
  await back([there!]);
  await pass(5);
  expect(await planned()).toMatchObject([{ open: true }]);
  await lose([here!, elsewhere!]);
  await pass(8);
  expect(await places()).toEqual([['South-Gate', 'firing']]);
  await pass(8);
  expect((await places()).toSorted()).toEqual([
    ['South-Gate', 'firing'],
    ['West-Lake', 'firing'],
  ]);
  expect(await planned()).toEqual([]);
});

it('is taken back as one, and ends early by hand', async () => {
  const gwids = [fixture.gwid, await fixture.network('East-Gate')];
  await plan({ gwids, begins_at: later(60), minutes: 60 });
  const [row] = await logged();
  await call('log/action/undo', { seq: row!.seq });
  expect([await planned(gwids[0]), await planned(gwids[1])]).toEqual([[], []]);
  const [ap] = await devices('ap', 2);
  const { list: open } = await plan({ gwids, minutes: 600 });
  await pass(6);
  await lose([ap!]);
  await pass(8);
  expect(await places()).toEqual([]);
  const ids = open.map(({ id }) => id);
  await call('network/maintenance/end', { ids });
  await pass(1);
  expect(await places()).toEqual([['West-Lake', 'firing']]);
  expect(await planned()).toEqual([]);
  expect((await logged())[0]).toMatchObject({ action: 'network.maintenance_end', object: { type: 'selection' } });
  const again = await fixture.server.call('/api/v3/network/maintenance/end', { ids }, fixture.owner);
  expect(again).toMatchObject({ code: 4104 });
});

it('is refused in the past, for too long, and for networks of others', async () => {
  expect(await refused({ begins_at: later(-5), minutes: 60 })).toMatchObject({
    errors: { begins_at: [expect.any(String)] },
  });
  expect(await refused({ minutes: 31 * 1440 })).toMatchObject({ status: 422 });
  const mine = fixture.gwid;
  await fixture.start();
  expect(await refused({ gwids: [mine], minutes: 60 })).toMatchObject({ code: 4113 });
});
