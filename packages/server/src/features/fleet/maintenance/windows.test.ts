import type { fleetBatch as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { inMaintenance, windowAt } from './windows.ts';

describe('a weekly window', () => {
  const night = { weekdays: [6, 7], start: '23:00', minutes: 180 };
  const at = (time: string, window = night, zone = 'Asia/Shanghai') => {
    const { open, changesAt } = windowAt(window, zone, new Date(time));
    return [open, changesAt.toISOString()];
  };

  it('is open on its days, and goes on after midnight', () => {
    // Saturday; 23:00 in Shanghai is 15:00 UTC
    expect(at('2026-11-21T14:59:59Z')).toEqual([false, '2026-11-21T15:00:00.000Z']);
    expect(at('2026-11-21T15:00:00Z')).toEqual([true, '2026-11-21T18:00:00.000Z']);
    expect(at('2026-11-22T17:59:59Z')).toEqual([true, '2026-11-22T18:00:00.000Z']);
    expect(at('2026-11-22T18:00:00Z')).toEqual([false, '2026-11-28T15:00:00.000Z']);
  });

  it('is where clocks show it, also on the day that they are changed', () => {
    // in Berlin clocks skip from 2:00 to 3:00
    const early = { weekdays: [7], start: '04:00', minutes: 60 };
    expect(at('2026-03-29T01:59:00Z', early, 'Europe/Berlin')).toEqual([false, '2026-03-29T02:00:00.000Z']);
    expect(at('2026-03-22T00:00:00Z', early, 'Europe/Berlin')).toEqual([false, '2026-03-22T03:00:00.000Z']);
  });
});

describe('the window of a network', () => {
  let server: TestServer;
  let owner: Registered;
  beforeAll(async () => {
    server = await startTestServer({ clock: { now: () => new Date('2026-11-21T15:30:00Z') } });
    owner = await server.register();
  });
  afterAll(() => server.stop());

  it('is saved, shown to people who plan work, and removed', async () => {
    const network = async (remark: string) =>
      (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
    const [hotel, shop] = [await network('Hotel'), await network('Shop')];
    const get = async () =>
      (await server.call<DataOf<typeof contract.windowGet>>('/api/v3/network/window/get', { gwid: hotel }, owner)).data;
    const save = (window: object | null) => server.call('/api/v3/network/window/save', { gwid: hotel, window }, owner);
    const open = () =>
      server.db.database.withSystem(async (tx) => [
        ...(await inMaintenance(tx, owner.accountId, [hotel, shop], new Date('2026-11-21T15:30:00Z'))),
      ]);
    expect(await get()).toMatchObject({ window: null, time_zone: 'Asia/Shanghai', open: false, changes_at: null });
    const window = { weekdays: [6], start: '23:00', minutes: 60 };
    expect((await save({ ...window, start: '25:00' })).status).toBe(422);
    expect((await save(window)).code).toBe(2000);
    expect(await get()).toMatchObject({ window, open: true, changes_at: '2026-11-21T16:00:00.000Z' });
    expect(await open()).toEqual([hotel]);
    expect((await save({ minutes: 90 })).code).toBe(2000);
    expect((await save({ weekdays: [5, 6] })).code).toBe(2000);
    expect(await get()).toMatchObject({ window: { weekdays: [5, 6], start: '23:00', minutes: 90 } });
    expect((await save(window)).code).toBe(2000);
    expect((await save(null)).code).toBe(2000);
    expect((await save({ minutes: 90 })).code).toBe(4104);
    expect(await open()).toEqual([]);
    const { data } = await server.call<{ list: { seq: number }[] }>('/api/v3/log/action/list', {}, owner);
    expect((await server.call('/api/v3/log/action/undo', { seq: data.list[0]!.seq }, owner)).code).toBe(2000);
    expect(await get()).toMatchObject({ window, open: true });
  });
});
