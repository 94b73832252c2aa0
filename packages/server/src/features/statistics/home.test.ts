import type { home as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { makeTelemetry } from '../../../test/seed-statistics.ts';
import type { As } from '../../../test/server.ts';
import {
  back,
  call,
  clock,
  devices,
  gwid,
  lose,
  minute,
  network,
  owner,
  pass,
  query,
  rule,
  server,
  start,
  startFixture,
  stopFixture,
} from '../alarms/testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);
beforeEach(start);

type Problems = DataOf<typeof contract.problems>;
type Ranking = DataOf<typeof contract.ranking>;
const hour = 60 * minute;

const problems = (as?: As) => call<Problems>('overview/problems', {}, as);
const ranking = (as?: As) => call<Ranking>('overview/ranking', {}, as);

async function guest(permissions: string[], gwids: string[] | null): Promise<As> {
  const { token, accountId } = await server.register();
  await host(server, owner.accountId, accountId, permissions, gwids);
  return { token, account: owner.accountId };
}

describe('problems now', () => {
  it('are by network: the worst first, since when, with the clients hit, and a link to the alarm', async () => {
    const other = await network('Harbour');
    await network('Quiet');
    const [ap] = await devices('ap', 2, gwid, 5);
    const [router] = await devices('gateway', 1, other, 1);
    await devices('ap', 3, other, 2);
    expect(await problems()).toMatchObject({ list: [], total: 0, networks: 2 });
    await call('alarm_rule/save', rule({ kind: 'gateway_offline', level: 'FATAL', tolerance: 0 }));
    await pass(6);
    const since = clock.now().toISOString();
    await lose([ap!]);
    expect((await problems()).list).toMatchObject([
      {
        gwid,
        remark: 'West-Lake',
        level: null,
        since,
        clients: 5,
        total: 1,
        problems: [{ alarm_id: null, kind: 'ap_offline', level: null, serial: ap, since, devices: 1, clients: 5 }],
      },
    ]);
    await pass(6);
    const sinceRouter = clock.now().toISOString();
    await lose([router!]);
    await pass(1);
    const { list, total } = await problems();
    expect(total).toBe(2);
    expect(list).toMatchObject([
      {
        gwid: other,
        remark: 'Harbour',
        level: 'FATAL',
        since: sinceRouter,
        total: 1,
        problems: [{ kind: 'gateway_offline', level: 'FATAL', serial: router, devices: 1 }],
      },
      {
        gwid,
        level: 'MIDDLE',
        since,
        clients: 5,
        total: 1,
        problems: [{ kind: 'ap_offline', level: 'MIDDLE', serial: ap, since, devices: 1, clients: 5 }],
      },
    ]);
    const id = list[0]!.problems[0]!.alarm_id!;
    expect(await call('alarm/detail', { id })).toMatchObject({ alarm: { kind: 'gateway_offline', gwid: other } });
    await call('alarm/silence', { ids: [id], minutes: 60 });
    expect((await problems()).list.map((row) => row.gwid)).toEqual([gwid]);
    await back([ap!]);
    await pass(1);
    expect((await problems()).total).toBe(0);
  });

  it('name a network that is out as a whole before its alarm', async () => {
    const aps = await devices('ap', 2, gwid, 4);
    await lose(aps);
    expect((await problems()).list).toMatchObject([
      { gwid, clients: 8, problems: [{ alarm_id: null, kind: 'network_offline', serial: null, devices: 2 }] },
    ]);
  });

  it('are those of a limited member, without alarms if it may not read them', async () => {
    const other = await network('Harbour');
    const [here] = await devices('ap', 2);
    const [there] = await devices('ap', 2, other);
    await pass(6);
    await lose([here!, there!]);
    await pass(6);
    const all = await problems(await guest(['network.read', 'message.read'], [other]));
    expect(all).toMatchObject({ total: 1, networks: 1, list: [{ gwid: other, level: 'MIDDLE' }] });
    const less = await problems(await guest(['network.read'], [other]));
    expect(less).toMatchObject({ total: 1, list: [{ gwid: other, level: null, problems: [{ alarm_id: null }] }] });
  });

  it('leave maintenance out', async () => {
    const [ap] = await devices('ap', 2);
    const { time_zone: timeZone } = await call<{ time_zone: string }>('network/window/get', { gwid });
    const soon = new Date(clock.now().getTime() - 30 * minute);
    const begin = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(soon);
    await call('network/window/save', { gwid, window: { weekdays: [1, 2, 3, 4, 5, 6, 7], start: begin, minutes: 60 } });
    await lose([ap!]);
    expect((await problems()).list).toEqual([]);
  });
});

describe('networks ranked by trouble', () => {
  async function out(serial: string, ago: number, length: number, cause = 'link'): Promise<void> {
    const began = clock.now().getTime() - ago;
    await query(
      `insert into device_outage (account_id, serial, began_at, ended_at, cause)
       select account_id, serial, $2, $3, $4 from device where serial = $1`,
      [serial, new Date(began), new Date(began + length), cause],
    );
  }

  it('come by open alarms, then unplanned time out of 7 days, then name; ten of them', async () => {
    const names = ['alarmed', 'out-long', 'out-short', 'planned', 'b-quiet', ...'cdefgh'];
    const gwids: string[] = [];
    for (const name of names) gwids.push(await network(name));
    const aps: string[] = [];
    for (const each of gwids) aps.push((await devices('ap', 1, each))[0]!);
    await query(`update device set first_seen = $1 where account_id = $2`, [
      new Date(clock.now().getTime() - 30 * 24 * hour),
      owner.accountId,
    ]);
    await query('update platform.listening set since = $1', [new Date(clock.now().getTime() - 30 * 24 * hour)]);
    await pass(6);
    await lose([aps[0]!]);
    await pass(6);
    await out(aps[1]!, 30 * hour, 3 * hour);
    await out(aps[2]!, 30 * hour, hour);
    await out(aps[3]!, 30 * hour, 5 * hour, 'planned');
    await out(aps[4]!, 10 * 24 * hour, hour);
    const { list, total } = await ranking();
    expect(total).toBe(12);
    expect(list).toHaveLength(10);
    expect(list.map(({ remark }) => remark).slice(0, 5)).toEqual(['alarmed', 'out-long', 'out-short', 'b-quiet', 'c']);
    expect(list[0]).toMatchObject({ status: 'offline', alarms: { FATAL: 0, MIDDLE: 1, GENERAL: 0 } });
    expect(list[1]).toMatchObject({ status: 'online', availability: 98.214, out_s: 3 * 3600, planned_s: 0 });
    expect(list[3]).toMatchObject({ availability: 100, out_s: 0 });
    const seen = await ranking(await guest(['network.read'], [gwids[0]!, gwids[2]!]));
    expect(seen.total).toBe(2);
    expect(seen.list.map(({ remark, alarms }) => [remark, alarms.MIDDLE])).toEqual([
      ['out-short', 0],
      ['alarmed', 0],
    ]);
  });

  it('have clients and traffic of each of 24 whole hours, a gap where nothing was reported', async () => {
    const telemetry = await makeTelemetry(server, owner, clock);
    const serial = await telemetry.device(gwid, { kind: 'ap', online: true });
    const whole = new Date(Math.floor(clock.now().getTime() / hour) * hour);
    const at = (hours: number) => new Date(whole.getTime() - hours * hour + 10 * minute);
    await telemetry.reports(
      { serial, gwid, at: at(24), down_5g: 700, up_5g: 300, clients: 3, clients_5g: 3 },
      { serial, gwid, at: at(1), down_5g: 20, up_5g: 5, clients: 1, clients_5g: 1 },
    );
    const { list, from } = await ranking();
    expect(from).toBe(new Date(whole.getTime() - 24 * hour).toISOString());
    const [row] = list;
    expect(row!.traffic).toEqual([1000, ...Array(22).fill(null), 25]);
    expect(row!.clients).toEqual([3, ...Array(22).fill(null), 1]);
  });
});
