import { deflateSync } from 'node:zlib';
import type { fleet as contract, DataOf, fleetAir } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

const now = new Date('2026-11-21T04:30:30Z');
const clock = { now: () => now };
const minutesAgo = (minutes: number) => new Date(Date.parse('2026-11-21T04:30:00Z') - minutes * 60_000);
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;
let gwid: string;
let ap: string;

const state = {
  radios: [
    {
      band: ['5G'],
      channel: 36,
      channel_width: 80,
      tx_power: 21,
      chanUtil: 34,
      frequency: [5180],
      survey: [{ frequency: 5180, noise: -96 }],
    },
    { band: ['2G'], channel: 6, channel_width: 20, tx_power: 15, chanUtil: 61, noise: -88 },
  ],
  interfaces: [
    {
      name: 'up0v0',
      ssids: [
        { ssid: 'Hotel', radio: { $ref: '#/radios/0' }, associations: [{ station: '00:11:22:33:44:55' }] },
        { ssid: 'Hotel', radio: { $ref: '#/radios/1' }, associations: [] },
        { ssid: 'Office', radio: { $ref: '#/radios/1' }, associations: [] },
      ],
    },
  ],
  'link-state': { upstream: { LAN9: { carrier: 0 }, WAN: { carrier: 1, speed: 1000 } } },
  'lldp-peers': { upstream: { WAN: [{ name: 'core-switch', port_id: 'ge-0/0/7' }] } },
};

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
  gwid = await telemetry.network('Hotel');
  ap = await telemetry.device(gwid, { kind: 'ap', online: true });
  await telemetry.device(gwid, { kind: 'ap', online: false });
  await server.db.database.systemPool.query(
    'insert into device_latest (account_id, serial, at, state) values ($1, $2, $3, $4)',
    [owner.accountId, ap, now, deflateSync(JSON.stringify({ state }))],
  );
  const report = { serial: ap, gwid, clients: 3, clients_2g: 1, clients_5g: 2, util_2g: 61, noise_5g: -96, cpu: 12 };
  await telemetry.reports(
    { ...report, at: minutesAgo(3), down_5g: 3_000_000, up_2g: 750_000 },
    { ...report, at: minutesAgo(1), down_2g: 750_000 },
    { ...report, at: minutesAgo(62), clients_5g: 8, clients: 9 },
  );
});
afterAll(() => server.stop());

describe('the list of access points', () => {
  it('shows the last report of radios, and nothing without a report', async () => {
    const { data } = await server.call<DataOf<typeof contract.apList>>(
      '/api/v3/ap/list',
      { gwid, sort: 'status' },
      owner,
    );
    const [reported, silent] = data.list;
    expect(reported?.radios).toEqual([
      { band: '5G', channel: 36, width: 80, power_dbm: 21, util_pct: 34, noise_dbm: -96, clients: 1, ssids: ['Hotel'] },
      {
        band: '2G',
        channel: 6,
        width: 20,
        power_dbm: 15,
        util_pct: 61,
        noise_dbm: -88,
        clients: 0,
        ssids: ['Hotel', 'Office'],
      },
    ]);
    expect(reported?.uplink).toEqual({
      port: 'WAN',
      carrier: true,
      speed: 1000,
      switch_name: 'core-switch',
      switch_port: 'ge-0/0/7',
    });
    expect(reported).toMatchObject({ down_bps: 100_000, up_bps: 20_000 });
    expect(silent).toMatchObject({ radios: [], uplink: null, down_bps: null, up_bps: null });
  });
});

describe('the ports of a device', () => {
  const portsOf = async (serial: string) =>
    (await server.call<DataOf<typeof contract.apDetail>>('/api/v3/ap/detail', { serial }, owner)).data.ports;

  it('are those of the last report, each with its link', async () => {
    expect(await portsOf(ap)).toEqual([
      { name: 'LAN9', uplink: true, up: false, speed: null, watts: null },
      { name: 'WAN', uplink: true, up: true, speed: 1000, watts: null },
    ]);
  });

  it('of a switch have their power, and the one to the router is the uplink', async () => {
    const serial = await telemetry.device(gwid, { kind: 'switch', online: true });
    expect(await portsOf(serial)).toEqual([]);
    const powered = { carrier: true, speed: 1000, poe: { 'output-power': 6500, status: 'delivering-power' } };
    const reported = {
      'link-state': {
        upstream: { Ethernet2: powered, Ethernet1: { carrier: false, poe: {} }, Ethernet0: { carrier: true } },
      },
      'lldp-peers': { upstream: { Ethernet0: [{ name: 'Gate', mac: '02:00:00:00:00:01', capability: ['Router'] }] } },
    };
    await server.db.database.systemPool.query(
      'insert into device_latest (account_id, serial, at, state) values ($1, $2, $3, $4)',
      [owner.accountId, serial, now, deflateSync(JSON.stringify({ state: reported }))],
    );
    expect(await portsOf(serial)).toEqual([
      { name: 'Ethernet0', uplink: true, up: true, speed: null, watts: null },
      { name: 'Ethernet1', uplink: false, up: false, speed: null, watts: null },
      { name: 'Ethernet2', uplink: false, up: true, speed: 1000, watts: 6.5 },
    ]);
  });
});

describe('filters by the air', () => {
  it('find access points with trouble in the last whole hour', async () => {
    const at = (minutes: number) => minutesAgo(30 + minutes);
    const busy = await telemetry.device(gwid, { kind: 'ap', online: true });
    const far = await telemetry.device(gwid, { kind: 'ap', online: true });
    const report = { gwid, clients: 1, clients_2g: 1 };
    await telemetry.reports(
      { ...report, serial: busy, at: at(10), util_2g: 20, util_5g: 81, noise_5g: -95 },
      { ...report, serial: far, at: at(10), util_2g: 20, noise_2g: -70, weak: 3, rssi_n: 4, rssi_sum: -320 },
      // outside the evaluated hour
      { ...report, serial: far, at: at(100), util_2g: 99 },
    );
    const serials = async (air: string) => {
      const { data } = await server.call<DataOf<typeof contract.apList>>('/api/v3/ap/list', { gwid, air }, owner);
      return data.list.map(({ serial }) => serial);
    };
    expect([await serials('busy'), await serials('weak'), await serials('noisy')]).toEqual([[busy], [far], [far]]);
    const all = { gwid, air: 'busy', total: 1 };
    expect((await server.call('/api/v3/ap/chosen', { all }, owner)).data).toMatchObject({ total: 1 });
  });

  it('and by model and firmware offer what there is', async () => {
    await server.db.database.systemPool.query(
      "update device set model = 'EAP102', firmware = '5.1' where serial = $1",
      [ap],
    );
    const facets = await server.call('/api/v3/device/facets', { kind: 'ap', gwid }, owner);
    expect(facets.data).toEqual({ models: ['EAP102'], versions: ['5.1'] });
    const { data } = await server.call<{ total: number }>('/api/v3/ap/list', { gwid, version: '5.1' }, owner);
    expect(data.total).toBe(1);
  });
});

describe('24 hours of a device', () => {
  it('are buckets of five minutes; one without a report is a gap', async () => {
    const { data } = await server.call<DataOf<typeof fleetAir.apSeries>>('/api/v3/ap/series', { serial: ap }, owner);
    expect([data.from, data.to, data.step_s]).toEqual(['2026-11-20T04:30:00.000Z', '2026-11-21T04:30:00.000Z', 300]);
    expect(data.terminals['5G']).toHaveLength(288);
    expect(data.terminals['5G'].at(-1)).toBe(2);
    expect(data.terminals['5G'].at(-13)).toBe(8);
    expect(data.terminals['5G'].at(-2)).toBeNull();
    expect([data.down.at(-1), data.up.at(-1), data.down.at(-2)]).toEqual([3_750_000, 750_000, null]);
    expect(data.utilization['2.4G'].at(-1)).toBe(61);
    expect(data.noise['6G'].every((value) => value === null)).toBe(true);
  });
});

describe('events', () => {
  it('of a network are those of its devices, the newest first, by type and by page', async () => {
    const { systemPool } = server.db.database;
    const tell = (serial: string, minutes: number, type: string) =>
      systemPool.query(
        `insert into device_event (account_id, serial, id, at, type, payload) values ($1, $2, gen_random_uuid(), $3, $4, '{"name":"WAN"}')`,
        [owner.accountId, serial, minutesAgo(minutes), type],
      );
    const other = await telemetry.device(await telemetry.network('Other'), { kind: 'ap', online: true });
    await tell(ap, 9, 'wired.carrier-down');
    await tell(ap, 5, 'wired.carrier-up');
    await tell(ap, 7, 'unit.boot-up');
    await tell(other, 1, 'unit.boot-up');
    const types = async (query: object) => {
      const { data } = await server.call<DataOf<typeof fleetAir.deviceEvents>>(
        '/api/v3/device/event/list',
        query,
        owner,
      );
      return { types: data.list.map(({ type }) => type), total: data.total };
    };
    expect(await types({ gwid })).toEqual({
      types: ['wired.carrier-up', 'unit.boot-up', 'wired.carrier-down'],
      total: 3,
    });
    expect(await types({ serial: ap, type: 'wired', limit: 1, page: 2 })).toEqual({
      types: ['wired.carrier-down'],
      total: 2,
    });
    expect((await types({})).total).toBe(4);
  });
});

it('24 hours of a device that took the place of another are those of the place', async () => {
  const place = await telemetry.network('Place');
  const spare = await telemetry.network('Spare');
  const old = await telemetry.device(place, { kind: 'ap', online: false });
  const elsewhere = await telemetry.device(spare, { kind: 'ap', online: false });
  const fresh = await telemetry.device(spare, { kind: 'ap', online: true });
  const report = { clients: 1, clients_5g: 1 };
  await telemetry.reports(
    { ...report, serial: old, gwid: place, at: minutesAgo(31), clients_5g: 7 },
    { ...report, serial: old, gwid: place, at: minutesAgo(21), clients_5g: 8 },
    { ...report, serial: elsewhere, gwid: spare, at: minutesAgo(41), clients_5g: 98 },
    { ...report, serial: fresh, gwid: spare, at: minutesAgo(31), clients_5g: 99 },
    { ...report, serial: fresh, gwid: spare, at: minutesAgo(26), clients_5g: 99 },
  );
  for (const broken of [elsewhere, old])
    expect((await server.call('/api/v3/ap/replace', { serial: broken, by: fresh }, owner)).code).toBe(2000);
  await server.db.database.systemPool.query('update device_event set at = $1 where serial = $2', [
    minutesAgo(12),
    fresh,
  ]);
  await telemetry.reports(
    { ...report, serial: fresh, gwid: place, at: minutesAgo(11), clients_5g: 2 },
    { ...report, serial: fresh, gwid: place, at: minutesAgo(1), clients_5g: 3 },
  );
  const { data } = await server.call<DataOf<typeof fleetAir.apSeries>>('/api/v3/ap/series', { serial: fresh }, owner);
  expect(data.terminals['5G'].slice(-7)).toEqual([7, null, 8, null, 2, null, 3]);
  expect(data.terminals['5G'].filter((value) => value !== null)).toHaveLength(4);
});
