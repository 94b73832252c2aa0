import type { homeTop as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { makeTelemetry } from '../../../test/seed-statistics.ts';
import type { As } from '../../../test/server.ts';
import {
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

type Tiles = DataOf<typeof contract.tiles>;
type Strip = DataOf<typeof contract.strip>;

beforeAll(startFixture);
afterAll(stopFixture);
beforeEach(start);

const hour = 60 * minute;
const tiles = (as?: As) => call<Tiles>('overview/tiles', {}, as);
const names = ({ list }: Tiles) => list.map(({ remark }) => remark);

/** Networks of one online device each, with tags by place. */
async function networks(count: number, tagsOf: (place: number) => string[]): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, place) => ({
    remark: `Shop-${String(place).padStart(4, '0')}`,
    tags: tagsOf(place),
  }));
  const { rows: made } = await query(
    `insert into network (account_id, gwid, remark, tags, created_at)
     select $1, gen_random_uuid(), r.remark, r.tags, $2 from jsonb_to_recordset($3) r (remark text, tags text[])
     returning gwid, remark`,
    [owner.accountId, clock.now(), JSON.stringify(rows)],
  );
  const gwids = made.toSorted((a, b) => a.remark.localeCompare(b.remark)).map((row) => row.gwid as string);
  const serials = await devices('ap', count, gwids[0]);
  await query(
    `update device d set gwid = m.gwid from unnest($1::text[], $2::uuid[]) m (serial, gwid) where d.serial = m.serial`,
    [serials, gwids],
  );
  return serials;
}

it('shows each network with its problem, clients, line and hours: trouble first', async () => {
  const telemetry = await makeTelemetry(server, owner, clock);
  const [pier, quiet] = [await network('Pier'), await network('Quiet')];
  await network('Empty');
  const [ap] = await devices('ap', 2, gwid, 5);
  const [gateway] = await devices('gateway', 1, pier, 1);
  const online = await telemetry.device(quiet, { kind: 'gateway', online: true, gateway: true });
  await telemetry.present('00005e005301', { serial: online, gwid: quiet, band: 5 });
  const whole = new Date(Math.floor(clock.now().getTime() / hour) * hour);
  const at = (hours: number) => new Date(whole.getTime() - hours * hour + 10 * minute);
  await telemetry.reports(
    { serial: online, gwid: quiet, at: at(23), clients: 3, clients_5g: 3 },
    { serial: online, gwid: quiet, at: at(2), clients: 2, clients_2g: 1, clients_5g: 1 },
    { serial: online, gwid: quiet, at: new Date(clock.now().getTime() - minute), wan_latency: 21, wan_loss: 1.5 },
  );
  expect(names(await tiles())).toEqual(['Pier', 'Quiet', 'West-Lake', 'Empty']);
  await call('alarm_rule/save', rule({ kind: 'gateway_offline', level: 'FATAL', tolerance: 0 }));
  await pass(6);
  const since = clock.now().toISOString();
  await lose([ap!, gateway!]);
  await pass(1);
  const { list, total, troubled, groups, from } = await tiles();
  expect({ total, troubled, groups, from }).toEqual({
    total: 4,
    troubled: 2,
    groups: [],
    from: new Date(Math.floor(clock.now().getTime() / hour) * hour - 24 * hour).toISOString(),
  });
  expect(list).toMatchObject([
    {
      gwid: pier,
      status: 'offline',
      since,
      problem: { kind: 'gateway_offline', level: 'FATAL', serial: gateway, since },
      problems: 1,
      clients: null,
      clients_hit: 1,
      latency_ms: null,
      loss_percent: null,
    },
    { gwid, status: 'online', problem: { kind: 'ap_offline', level: null, serial: ap, since }, clients_hit: 5 },
    { gwid: quiet, status: 'online', problem: null, problems: 0, clients: 1, latency_ms: 21, loss_percent: 1.5 },
    { remark: 'Empty', status: 'never_connected', since: null, clients: null, curve: Array(24).fill(null) },
  ]);
  expect(list[2]!.curve.filter((value) => value !== null)).toEqual([3, 2]);
  const problems = await call<{ list: { gwid: string; problems: unknown[] }[] }>('overview/problems');
  expect(problems.list.map((row) => [row.gwid, row.problems[0]])).toEqual(
    list.slice(0, 2).map((tile) => [tile.gwid, tile.problem]),
  );
});

describe('with many networks', () => {
  it('has a tile each up to 60', async () => {
    const serials = await networks(40, () => ['east']);
    await lose([serials[17]!]);
    const all = await tiles();
    expect(all).toMatchObject({ total: 41, troubled: 1, groups: [], groups_total: 0 });
    expect(names(all).slice(0, 3)).toEqual(['Shop-0017', 'Shop-0000', 'Shop-0001']);
    expect(all.list).toHaveLength(41);
  });

  it('groups a thousand by tag, and has tiles for those in trouble only', async () => {
    const tags = (place: number) => [
      ...(place < 300 ? ['east'] : place < 500 ? ['west'] : []),
      ...(place === 7 ? ['hotel'] : []),
    ];
    const serials = await networks(999, tags);
    await lose([serials[7]!, serials[301]!, serials[302]!, serials[900]!]);
    const all = await tiles();
    expect(all).toMatchObject({ total: 1000, troubled: 4, groups_total: 4 });
    expect(names(all).toSorted()).toEqual(['Shop-0007', 'Shop-0301', 'Shop-0302', 'Shop-0900']);
    expect(all.groups).toEqual([
      { tag: 'west', networks: 200, online: 198, troubled: 2, clients: 0 },
      { tag: 'east', networks: 300, online: 299, troubled: 1, clients: 0 },
      { tag: 'hotel', networks: 1, online: 0, troubled: 1, clients: 0 },
      { tag: null, networks: 500, online: 498, troubled: 1, clients: 0 },
    ]);
    const { networks: counted } = await call<Strip>('overview/strip');
    expect(counted).toMatchObject({ total: 1000, online: 995, offline: 4, never_connected: 1 });
  });
});

it('is narrowed to networks of the person, without alarms if those may not be read', async () => {
  const pier = await network('Pier');
  const [here] = await devices('ap', 2);
  const [there] = await devices('ap', 2, pier);
  await pass(6);
  await lose([here!, there!]);
  await pass(6);
  const { token, accountId } = await server.register();
  await host(server, owner.accountId, accountId, ['network.read'], [pier]);
  const seen = await tiles({ token, account: owner.accountId });
  expect(seen).toMatchObject({ total: 1, troubled: 1 });
  expect(seen.list).toMatchObject([{ gwid: pier, problem: { alarm_id: null, level: null, kind: 'ap_offline' } }]);
  expect((await tiles()).list[0]!.problem).toMatchObject({ level: 'MIDDLE' });
});
