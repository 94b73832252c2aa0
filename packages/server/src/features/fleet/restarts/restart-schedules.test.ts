import type { fleetRestarts as contract, DataOf, jobs as jobContract } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clock,
  devices,
  gwid,
  minute,
  network,
  owner,
  call as query,
  server,
  signInAgain,
  start,
  startFixture,
  stopFixture,
} from '../../alarms/testing/fixture.ts';
import { lastOccurrence, nextOccurrence } from './restart-schedules.ts';

type Listed = DataOf<typeof contract.restartList>;
type Created = DataOf<typeof contract.restartCreate>;
type Jobs = DataOf<typeof jobContract.list>;
type Job = DataOf<typeof jobContract.detail>;

const list = () => query<Listed>('network/restart/list', { gwid });
const jobs = async () => (await query<Jobs>('job/list')).list.filter(({ type }) => type === 'reboot').length;

async function tick(): Promise<void> {
  const { systemPool } = server.db.database;
  const key = `test-${clock.now().getTime()}`;
  await systemPool.query("select graphile_worker.add_job('fleet-weekly-restarts', job_key => $1)", [key]);
  const waits = () => systemPool.query('select from graphile_worker.jobs where key = $1', [key]);
  await expect.poll(async () => (await waits()).rowCount).toBe(0);
}

describe('a weekly plan', () => {
  const plan = { weekdays: [1, 5], start: '04:00' };
  it('is where clocks of the zone show it', () => {
    // Friday; 04:00 in Shanghai is 20:00 UTC of the day before
    const at = new Date('2026-11-19T19:59:00Z');
    expect(nextOccurrence(plan, 'Asia/Shanghai', at)).toEqual(new Date('2026-11-19T20:00:00Z'));
    expect(lastOccurrence(plan, 'Asia/Shanghai', at)).toEqual(new Date('2026-11-15T20:00:00Z'));
    expect(nextOccurrence(plan, 'UTC', new Date('2026-11-20T04:00:00Z'))).toEqual(new Date('2026-11-23T04:00:00Z'));
  });
});

describe('restarts', () => {
  beforeAll(startFixture);
  afterAll(stopFixture);

  it('of a week are made once each, at their time, until they are taken away', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await query('network/restart/save', { gwid, serial: ap, weekdays: [1, 2, 3, 4, 5, 6, 7], start: '04:00' });
    const [row] = (await list()).list;
    expect(row).toMatchObject({ serial: ap, start: '04:00', job_id: null });
    await tick();
    expect(await jobs()).toBe(0);
    clock.advance(Date.parse(row!.next_at) - clock.now().getTime() + minute);
    await signInAgain();
    await tick();
    await tick();
    expect(await jobs()).toBe(1);
    const [after] = (await list()).list;
    expect(after!.job_id).not.toBeNull();
    expect(Date.parse(after!.next_at) - Date.parse(row!.next_at)).toBe(86_400_000);
    await query('network/restart/delete', { gwid, serial: ap });
    clock.advance(86_400_000);
    await signInAgain();
    await tick();
    expect(await jobs()).toBe(1);
    expect((await list()).list).toEqual([]);
  });

  it('that the console missed for more than an hour are left out', async () => {
    await start();
    await devices('ap', 1);
    await query('network/restart/save', { gwid, weekdays: [1, 2, 3, 4, 5, 6, 7], start: '04:00' });
    const [row] = (await list()).list;
    expect(row).toMatchObject({ serial: null, name: 'West-Lake' });
    clock.advance(Date.parse(row!.next_at) - clock.now().getTime() + 61 * minute);
    await signInAgain();
    await tick();
    expect(await jobs()).toBe(0);
  });

  it('of a device are refused in another network, and end when it is moved', async () => {
    await start();
    const other = await network('East-Gate');
    const [ap] = await devices('ap', 1);
    const weekly = { serial: ap, weekdays: [1, 2, 3, 4, 5, 6, 7], start: '04:00' };
    const refused = await server.call('/api/v3/network/restart/save', { gwid: other, ...weekly }, owner);
    expect(refused).toMatchObject({ errors: { serial: [expect.any(String)] } });
    await query('network/restart/save', { gwid, ...weekly });
    await query('ap/move', { serials: [ap], gwid: other });
    clock.advance(86_400_000);
    await signInAgain();
    await tick();
    expect((await list()).list).toEqual([]);
    expect(await jobs()).toBe(0);
  });

  it('of many networks restart the access points, a group or all devices, and name networks without any', async () => {
    await start();
    const [shop, empty] = [await network('East-Gate'), await network('Stock')];
    const [gateway] = await devices('gateway', 1);
    const aps = await devices('ap', 2);
    const [far] = await devices('ap', 1, shop);
    const { id: group_id } = await query<{ id: string }>('ap/group/create', { name: 'Halls' });
    await query('ap/group/assign', { serials: [aps[0], far], id: group_id });
    const daily = { weekdays: [1, 2, 3, 4, 5, 6, 7], start: '04:00' };
    const gwids = [gwid, shop, empty];
    const made = await query<Created>('network/restart/create', { gwids, scope: 'aps', ...daily });
    expect(made.list.map(({ name, result }) => [name, result])).toEqual([
      ['East-Gate', 'saved'],
      ['Stock', 'no_device'],
      ['West-Lake', 'saved'],
    ]);
    await query('network/restart/create', { gwids: [gwid], scope: 'all', ...daily });
    await query('network/restart/create', { gwids, scope: 'group', group_id, ...daily, start: '05:00' });
    expect((await list()).list.map(({ scope, name, start: at }) => [scope, name, at])).toEqual([
      ['all', 'West-Lake', '04:00'],
      ['aps', 'West-Lake', '04:00'],
      ['group', 'Halls', '05:00'],
    ]);
    const log = await query<{ list: object[] }>('log/action/list', { limit: 3 });
    expect(log.list[2]).toMatchObject({
      action: 'network.weekly_restart',
      object: { type: 'selection', name: 'East-Gate, West-Lake' },
      after: { gwids: [shop, gwid], restarts: 'aps', ...daily },
    });
    expect(log.list[0]).toMatchObject({ after: { restarts: 'group', group: 'Halls' } });
    clock.advance(Date.parse(made.next_at) - clock.now().getTime() + 60 * minute + minute / 2);
    await signInAgain();
    await tick();
    const restarted = async (of: string) =>
      (await query<Job>('job/detail', { job_id: of })).items.map(({ serial }) => serial).toSorted();
    const jobOf = new Map((await list()).list.map(({ scope, job_id }) => [scope, job_id]));
    expect([jobOf.get('all'), jobOf.get('aps')]).toEqual([null, null]);
    expect(await restarted(jobOf.get('group')!)).toEqual([aps[0]]);
    await query('ap/group/delete', { id: group_id });
    expect((await list()).list.map(({ scope }) => scope)).toEqual(['all', 'aps']);
    clock.advance(23 * 60 * minute);
    await signInAgain();
    await tick();
    const later = new Map((await list()).list.map(({ scope, job_id }) => [scope, job_id]));
    expect(await restarted(later.get('aps')!)).toEqual(aps.toSorted());
    expect(await restarted(later.get('all')!)).toEqual([gateway, ...aps].toSorted());
  });

  it('of a group need one', async () => {
    await start();
    const refused = await server.call(
      '/api/v3/network/restart/create',
      { gwids: [gwid], scope: 'group', weekdays: [1], start: '04:00' },
      owner,
    );
    expect(refused).toMatchObject({ errors: { group_id: [expect.any(String)] } });
  });

  it('at a time wait for it, and are refused in the past', async () => {
    await start();
    const [ap] = await devices('ap', 1);
    const later = new Date(clock.now().getTime() + 60 * minute).toISOString();
    const { job_id: id } = await query<{ job_id: string }>('ap/reboot', { serials: [ap], start_at: later });
    expect(await query<Job>('job/detail', { job_id: id })).toMatchObject({
      type: 'reboot',
      items: [{ status: 'queued' }],
    });
    const log = await query<{ list: object[] }>('log/action/list', { limit: 1 });
    expect(log.list).toMatchObject([{ action: 'device.reboot', after: { start_at: later } }]);
    const past = new Date(clock.now().getTime() - 60 * minute).toISOString();
    const refused = await server.call('/api/v3/network/reboot', { gwids: [gwid], start_at: past }, owner);
    expect(refused).toMatchObject({ errors: { start_at: [expect.any(String)] } });
  });
});
