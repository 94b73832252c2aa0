import type { homeTop as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { type DeviceFacts, makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { newId } from '../../platform/database/index.ts';
import { post } from '../billing/service.ts';

type Strip = DataOf<typeof contract.strip>;

/** 12:30 in Shanghai. */
const now = new Date('2026-11-21T04:30:00Z');
const hour = 3_600_000;
const ago = (hours: number) => new Date(now.getTime() - hours * hour);
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, { now: () => now });
  await consoleRan([ago(900), now]);
});

const query = (text: string, values: unknown[] = []) => server.db.query(text, values);

async function consoleRan(...spans: (readonly [Date, Date])[]): Promise<void> {
  await query('delete from platform.listening');
  for (const span of spans)
    await query('insert into platform.listening (node, since, until) values (gen_random_uuid(), $1, $2)', [...span]);
}

async function call<T>(path: string, body: unknown = {}, as: As = owner): Promise<T> {
  const { code, message, errors, data } = await server.call<T>(`/api/v3/${path}`, body, as);
  expect({ code, message, errors }).toMatchObject({ code: 2000 });
  return data;
}

const strip = (as?: As) => call<Strip>('overview/strip', {}, as);

async function device(gwid: string, facts: Partial<DeviceFacts> = {}, firstSeen = ago(200)): Promise<string> {
  const serial = await telemetry.device(gwid, { kind: 'ap', online: true, ...facts });
  await query('update device set first_seen = $2 where serial = $1', [serial, firstSeen]);
  return serial;
}

async function outage(serial: string, began: Date, ended: Date, cause = 'link'): Promise<void> {
  await query('insert into device_outage (account_id, serial, began_at, ended_at, cause) values ($1, $2, $3, $4, $5)', [
    owner.accountId,
    serial,
    began,
    ended,
    cause,
  ]);
}

/** 25 times the value, with others at these hours ago. */
const curve = (value: number, others: Readonly<Record<number, number | null>> = {}) =>
  Array.from({ length: 25 }, (_, place) => others[24 - place] ?? (24 - place in others ? null : value));

describe('networks and devices', () => {
  it('are counted with their hours, from the record of outages', async () => {
    const [pier, lobby] = [await telemetry.network('Pier'), await telemetry.network('Lobby')];
    await telemetry.network('Empty');
    const gateway = await device(pier, { kind: 'gateway', gateway: true });
    const behind = await device(pier);
    const [first, second] = [await device(lobby), await device(lobby)];
    // its gateway decides a network, whatever its access points do
    await outage(gateway, ago(10.5), ago(8.5));
    await outage(behind, ago(20.5), ago(19.5));
    // without a gateway, all devices have to be out
    await outage(first, ago(6.5), ago(3.5));
    await outage(second, ago(5.5), ago(4.5));
    await outage(second, ago(15.5), ago(14.5), 'console');
    // joined two hours and a half ago, and left at once
    const late = await device(lobby, { kind: 'switch', online: false }, ago(2.5));
    await query('update device set offline_since = $2 where serial = $1', [late, ago(1.5)]);
    const { networks, devices, aps } = await strip();
    expect(networks).toEqual({
      total: 3,
      online: 2,
      offline: 0,
      restarting: 0,
      unknown: 0,
      never_connected: 1,
      change: 0,
      curve: curve(2, { 10: 1, 9: 1, 5: 1 }),
    });
    expect(devices).toMatchObject({ total: 5, online: 4, offline: 1, change: 0 });
    expect(devices.curve).toEqual(curve(4, { 20: 3, 10: 3, 9: 3, 6: 3, 5: 2, 4: 3, 2: 5 }));
    expect(aps).toMatchObject({ total: 3, online: 3 });
    expect(await call('overview/attention')).toMatchObject({ networks: { total: 3, online: 2 }, aps: { online: 3 } });
  });

  it('change with what is lost, and have a gap while the console was down', async () => {
    const lobby = await telemetry.network('Lobby');
    await device(lobby);
    const lost = await device(lobby, { online: false });
    await query('update device set offline_since = $2 where serial = $1', [lost, ago(0.25)]);
    await consoleRan([ago(900), ago(7.5)], [ago(5.75), now]);
    const { networks, devices } = await strip();
    expect(networks).toMatchObject({ online: 1, change: 0, curve: curve(1, { 7: null, 6: null }) });
    expect(devices).toMatchObject({ online: 1, change: -1, curve: curve(2, { 7: null, 6: null, 0: 1 }) });
  });

  it('have no past before the first device', async () => {
    const lobby = await telemetry.network('Lobby');
    await device(lobby, {}, ago(0.5));
    expect(await strip()).toMatchObject({
      networks: { online: 1, change: 1, curve: curve(0, { 0: 1 }) },
      clients: { now: 0, today: 0, change: null, curve: curve(0).map(() => null) },
      internet: { bytes: null, latency_ms: null, loss_percent: null, change: null, curve: Array(24).fill(null) },
      guests: { now: 0, source: 'none', change: null, curve: curve(0).map(() => null) },
      income: { today: '0.00', source: 'none', change: null, curve: Array(14).fill(null) },
      alarms: { by_level: { FATAL: 0, MIDDLE: 0, GENERAL: 0 }, change: 0, curve: curve(0) },
    });
  });
});

describe('clients and internet', () => {
  it('change against the day before', async () => {
    const lobby = await telemetry.network('Lobby');
    const serial = await device(lobby, { kind: 'gateway', gateway: true });
    await telemetry.reports(
      { serial, gwid: lobby, at: ago(30), wan_down: 900, wan_up: 100 },
      // in the first and in the last of 25 whole hours
      { serial, gwid: lobby, at: ago(25), wan_down: 800, wan_up: 200, clients: 4, clients_2g: 1, clients_5g: 3 },
      { serial, gwid: lobby, at: ago(1), wan_down: 2000, wan_up: 500, clients: 5, clients_5g: 5 },
      { serial, gwid: lobby, at: ago(0.1), wan_down: 400, wan_up: 100, wan_latency: 18.5, wan_loss: 0.4 },
    );
    for (const n of [1, 2, 3]) {
      await telemetry.user(`00005e00530${n}`, { firstSeen: ago(30), lastSeen: now });
      await telemetry.present(`00005e00530${n}`, { serial, gwid: lobby, band: 5 });
    }
    await telemetry.visited('00005e005304', { day: '2026-11-21', gwid: lobby, seconds: 60, hours: [9] });
    const { clients, internet } = await strip();
    expect(clients).toMatchObject({ now: 3, today: 3, change: 25 });
    expect(clients!.curve).toEqual([4, ...Array(23).fill(null), 5]);
    expect(internet).toMatchObject({ bytes: 3000, change: 50, latency_ms: 18.5, loss_percent: 0.4 });
    expect(internet!.curve).toEqual([...Array(23).fill(null), 2500]);
  });
});

it('counts guests with their portal sessions of each hour', async () => {
  const lobby = await telemetry.network('Lobby');
  await device(lobby);
  await call('portal/site/save', { gwid: lobby, enabled: false, template_id: null, gateway: 'uam' });
  const session = (mac: string, granted: Date, ended: Date | null) =>
    query(
      `insert into portal_session (account_id, id, gwid, ticket, state, device_key, mac, verified, method, template_id,
         template_version, locale, minutes, up_kbps, down_kbps, devices, times_per_day, made_at, ready_at, offer_until, granted_at, ended_at)
       values ($1, $2, $3, gen_random_uuid()::text, $4, decode($5, 'hex'), $6, true, 'sms', gen_random_uuid(), 1, 'en', 0, 0, 0, 1, 0, $7, $7, $7, $7, $8)`,
      [owner.accountId, newId(), lobby, ended ? 'ended' : 'online', mac, mac.match(/../g)!.join(':'), granted, ended],
    );
  await session('00005e005301', ago(26.5), ago(22.5));
  await session('00005e005302', ago(3.5), ago(1.5));
  await session('00005e005303', ago(0.5), null);
  await session('00005e005304', ago(2.5), null);
  const { guests } = await strip();
  expect(guests).toMatchObject({ now: 2, today: 3, source: 'portal', change: 1 });
  expect(guests!.curve).toEqual(curve(0, { 24: 1, 23: 1, 3: 1, 2: 2, 1: 1, 0: 2 }));
});

it('compares income of today with yesterday until this time', async () => {
  const lobby = await telemetry.network('Lobby');
  const book = (key: string, fen: number, at: Date) =>
    server.db.database.withSystem((tx) =>
      post(tx, {
        accountId: owner.accountId,
        key,
        kind: 'access_code',
        at,
        gwid: lobby,
        entries: [
          { ledger: 'balance', fen },
          { ledger: 'income', fen: -fen },
        ],
      }),
    );
  await book('1', 1500, ago(12));
  await book('2', -300, ago(1));
  await book('3', 1000, ago(25));
  await book('4', 5000, ago(23));
  await book('5', 700, ago(13 * 24));
  await book('6', 900, ago(14 * 24));
  const { income } = await strip();
  expect(income).toMatchObject({ today: '12.00', source: 'complete', change: 20 });
  expect(income!.curve).toEqual([7, ...Array(11).fill(0), 60, 12]);
  expect(await call('user_stat/complex')).toMatchObject({ income: '12.00', income_source: 'complete' });
});

describe('permissions', () => {
  async function guest(permissions: string[], gwids: string[] | null): Promise<As> {
    const { token, accountId } = await server.register();
    await host(server, owner.accountId, accountId, permissions, gwids);
    return { token, account: owner.accountId };
  }

  it('decide which figures there are; money is never hosted', async () => {
    const [lobby, pier] = [await telemetry.network('Lobby'), await telemetry.network('Pier')];
    const [here, there] = [await device(lobby), await device(pier)];
    await telemetry.present('00005e005301', { serial: here, gwid: lobby, band: 5 });
    await telemetry.present('00005e005302', { serial: there, gwid: pier, band: 5 });
    const least = await strip(await guest(['network.read'], null));
    expect(least).toMatchObject({ networks: { online: 2 }, devices: { online: 2 } });
    expect(least).toMatchObject({ clients: null, internet: null, guests: null, income: null, alarms: null });
    const most = await guest(['network.read', 'statistics.read', 'message.read'], [pier]);
    expect(await strip(most)).toMatchObject({
      networks: { total: 1, online: 1, curve: curve(1) },
      devices: { total: 1, curve: curve(1) },
      clients: { now: 1 },
      guests: { now: 0 },
      alarms: { change: 0 },
      income: null,
    });
    expect(await call('user_stat/complex', {}, most)).toMatchObject({ income: null, income_source: 'hidden' });
    expect(await strip()).toMatchObject({ clients: { now: 2 }, income: { today: '0.00' } });
  });
});
