import type { home as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { signInAgain } from '../../../test/seed-account.ts';
import { type DeviceFacts, makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/index.ts';

type Night = DataOf<typeof contract.night>;

/** The morning after Europe/Berlin set its clocks back: 10:00 there. */
const morning = new Date('2026-10-25T09:00:00Z');
const clock = new ManualClock(new Date('2026-10-20T09:00:00Z'));
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;

beforeAll(async () => {
  server = await startTestServer({ clock });
  clock.advance(morning.getTime() - clock.now().getTime());
});
afterAll(() => server.stop());
beforeEach(async () => {
  const fresh = await server.register();
  owner = await signInAgain(server, { ...fresh, personId: fresh.userId }, clock.now());
  await call('account/update', { time_zone: 'Europe/Berlin' });
  telemetry = await makeTelemetry(server, owner, clock);
  // the console ran all the time
  await query('delete from platform.listening');
  await query(`insert into platform.listening (node, since, until) values (gen_random_uuid(), $1, $2)`, [
    new Date('2026-10-01T00:00:00Z'),
    clock.now(),
  ]);
});

const query = (text: string, values: unknown[] = []) => server.db.query(text, values);

async function call<T>(path: string, body: unknown = {}, as: As = owner): Promise<T> {
  const { code, message, errors, data } = await server.call<T>(`/api/v3/${path}`, body, as);
  expect({ code, message, errors }).toMatchObject({ code: 2000 });
  return data;
}

const night = (input: object = {}, as?: As) => call<Night>('overview/night', input, as);

async function device(gwid: string, facts: Partial<DeviceFacts> = {}): Promise<string> {
  const serial = await telemetry.device(gwid, { kind: 'ap', online: true, ...facts });
  await query('update device set first_seen = $2 where serial = $1', [serial, new Date('2026-10-01T00:00:00Z')]);
  return serial;
}

async function outage(
  serial: string,
  began: string,
  ended: string,
  { cause = 'link', clients = 4 as number | null } = {},
): Promise<void> {
  await query(
    `insert into device_outage (account_id, serial, began_at, ended_at, cause, clients)
     select account_id, serial, $2, $3, $4, $5 from device where serial = $1`,
    [serial, began, ended, cause, clients],
  );
}

const brief = (rows: Night['list']) =>
  rows.flatMap(({ remark, troubles }) =>
    troubles.map(({ alarm, cause, planned, seconds, times, devices, whole, clients, clients_unknown: unknown }) => ({
      remark,
      why: alarm ?? cause,
      planned,
      minutes: Math.round(seconds / 60),
      times,
      devices,
      whole,
      clients,
      unknown,
    })),
  );

describe('the span', () => {
  it('lasts from 22:00 to 08:00 where the account is, also when its clocks are set back', async () => {
    expect(await night()).toMatchObject({
      night: '2026-10-25',
      latest: '2026-10-25',
      running: false,
      from: '2026-10-24T20:00:00.000Z',
      to: '2026-10-25T07:00:00.000Z',
    });
  });

  it('is that of another night, or of the last 24 hours', async () => {
    expect(await night({ night: '2026-03-29' })).toMatchObject({
      night: '2026-03-29',
      from: '2026-03-28T21:00:00.000Z',
      to: '2026-03-29T06:00:00.000Z',
    });
    expect(await night({ last_day: true })).toMatchObject({
      night: null,
      from: '2026-10-24T09:00:00.000Z',
      to: '2026-10-25T09:00:00.000Z',
      running: false,
    });
  });

  it('ends now while the night runs', async () => {
    await call('account/update', { time_zone: 'America/New_York' });
    expect(await night()).toMatchObject({
      night: '2026-10-25',
      running: true,
      from: '2026-10-25T02:00:00.000Z',
      to: morning.toISOString(),
    });
  });

  it.each(['2026-10-26', '2025-01-01', '2026-02-30', '2026-13-01', 'yesterday'])(
    'refuses the night of %s',
    async (day) => {
      const { errors } = await server.call('/api/v3/overview/night', { night: day }, owner);
      expect(errors).toHaveProperty('night');
    },
  );
});

describe('what happened', () => {
  it('is by network and cause, with devices and clients; a night without any says what was measured', async () => {
    const [quiet, shop] = [await telemetry.network('Quiet'), await telemetry.network('Shop')];
    await device(quiet);
    const [one, two] = [await device(shop), await device(shop)];
    await device(shop);
    expect(await night()).toMatchObject({ list: [], total: 0, planned: [], networks: 2, devices: 4, console_s: 0 });
    // across midnight, and through the hour that Berlin has twice
    await outage(one, '2026-10-24T21:30:00Z', '2026-10-25T01:30:00Z', { cause: 'power', clients: 7 });
    await outage(two, '2026-10-24T22:00:00Z', '2026-10-24T22:20:00Z', { cause: 'power', clients: null });
    await outage(two, '2026-10-25T05:00:00Z', '2026-10-25T05:10:00Z', { clients: 2 });
    await outage(two, '2026-10-24T12:00:00Z', '2026-10-24T13:00:00Z');
    await outage(two, '2026-10-25T07:30:00Z', '2026-10-25T08:00:00Z');
    await outage(one, '2026-10-25T04:00:00Z', '2026-10-25T04:00:30Z', { cause: 'unknown' });
    const { list, total } = await night();
    expect(total).toBe(1);
    expect(brief(list)).toEqual([
      {
        remark: 'Shop',
        why: 'power',
        planned: null,
        minutes: 240,
        times: 1,
        devices: 2,
        whole: false,
        clients: 7,
        unknown: 1,
      },
      {
        remark: 'Shop',
        why: 'link',
        planned: null,
        minutes: 10,
        times: 1,
        devices: 1,
        whole: false,
        clients: 2,
        unknown: 0,
      },
    ]);
    expect(list[0]!.troubles[0]).toMatchObject({
      began_at: '2026-10-24T21:30:00.000Z',
      ended_at: '2026-10-25T01:30:00.000Z',
    });
  });

  it('is one outage of the network when devices left with their gateway', async () => {
    const gwid = await telemetry.network('Shop');
    const router = await device(gwid, { kind: 'gateway', gateway: true });
    const [one, two] = [await device(gwid), await device(gwid)];
    await outage(router, '2026-10-24T23:00:00Z', '2026-10-24T23:45:00Z', { cause: 'power', clients: 5 });
    await outage(one, '2026-10-24T22:59:00Z', '2026-10-24T23:50:00Z', { clients: 3 });
    await outage(two, '2026-10-24T23:01:00Z', '2026-10-24T23:47:00Z', { clients: 1 });
    // another fault, later
    await outage(two, '2026-10-25T03:00:00Z', '2026-10-25T03:30:00Z', { clients: 1 });
    expect(brief((await night()).list)).toMatchObject([
      { why: 'power', minutes: 51, times: 1, devices: 3, whole: true, clients: 5 },
      { why: 'link', minutes: 30, devices: 1, whole: false, clients: 1 },
    ]);
  });

  it('counts only the part within the night, and an outage that lasts with its last known clients', async () => {
    const gwid = await telemetry.network('Shop');
    await device(gwid);
    const serial = await device(gwid, { online: false, terminals: 6 });
    await query('update device set offline_since = $2, last_seen = $2 where serial = $1', [
      serial,
      new Date('2026-10-24T12:00:00Z'),
    ]);
    const [row] = (await night()).list[0]!.troubles;
    expect(row).toMatchObject({
      began_at: '2026-10-24T12:00:00.000Z',
      ended_at: null,
      seconds: 11 * 3600,
      clients: 6,
      clients_unknown: 0,
    });
    expect((await night({ night: '2026-10-24' })).list).toEqual([]);
  });

  it('puts our own work and maintenance apart', async () => {
    const [pushed, cared] = [await telemetry.network('Pushed'), await telemetry.network('Cared-for')];
    const [one, two, three] = [await device(pushed), await device(cared), await device(cared)];
    await device(pushed);
    await call('network/window/save', {
      gwid: cared,
      window: { weekdays: [6], start: '23:00', minutes: 120 },
    });
    await outage(one, '2026-10-24T23:00:00Z', '2026-10-24T23:05:00Z', { cause: 'planned' });
    await outage(two, '2026-10-24T21:10:00Z', '2026-10-24T21:20:00Z', { cause: 'power' });
    await outage(three, '2026-10-24T23:10:00Z', '2026-10-24T23:20:00Z', { cause: 'power' });
    const { list, planned, planned_total } = await night();
    expect(brief(list)).toMatchObject([{ remark: 'Cared-for', planned: null, devices: 1, minutes: 10 }]);
    expect(planned_total).toBe(2);
    expect(brief(planned)).toMatchObject([
      { remark: 'Cared-for', why: 'power', planned: 'maintenance', devices: 1, minutes: 10 },
      { remark: 'Pushed', why: 'planned', planned: 'own', devices: 1, minutes: 5 },
    ]);
  });

  it('names alarms other than lost connections to members who may read alarms', async () => {
    const gwid = await telemetry.network('Shop');
    const router = await device(gwid, { kind: 'gateway', gateway: true });
    for (const [kind, began, recovered] of [
      ['wan_down', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
      ['gateway_offline', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
      ['memory_high', '2026-10-24T10:00:00Z', '2026-10-24T11:00:00Z'],
    ])
      await query(
        `insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, recovered_at,
           lasts, count, devices_hit, clients_hit, note)
         values ($1, $2, $3, 'FATAL', 'recovered', $4, $5, '', 'Router', 'Shop', $6, $6, $7, false, 1, 1, 8, '')`,
        [owner.accountId, newId(), kind, gwid, router, began, recovered],
      );
    expect(brief((await night()).list)).toEqual([
      {
        remark: 'Shop',
        why: 'wan_down',
        planned: null,
        minutes: 30,
        times: 1,
        devices: 1,
        whole: false,
        clients: 8,
        unknown: 0,
      },
    ]);
    const guest = await guestOf(['network.read']);
    expect((await night({}, guest)).list).toEqual([]);
  });
});

async function guestOf(permissions: string[], gwids: string[] | null = null): Promise<As> {
  const fresh = await server.register();
  await host(server, owner.accountId, fresh.accountId, permissions, gwids);
  const { token } = await signInAgain(server, { ...fresh, personId: fresh.userId }, clock.now());
  return { token, account: owner.accountId };
}

it('shows a limited member only its networks', async () => {
  const [mine, other] = [await telemetry.network('Mine'), await telemetry.network('Other')];
  for (const gwid of [mine, other]) await outage(await device(gwid), '2026-10-24T23:00:00Z', '2026-10-24T23:05:00Z');
  const seen = await night({}, await guestOf(['network.read'], [mine]));
  expect(seen).toMatchObject({ total: 1, networks: 1, devices: 1 });
  expect(seen.list.map(({ gwid }) => gwid)).toEqual([mine]);
});

it('leaves the time out in which the console was away', async () => {
  const serial = await device(await telemetry.network('Shop'));
  await query('delete from platform.listening');
  for (const [since, until] of [
    ['2026-10-01T00:00:00Z', '2026-10-24T23:00:00Z'],
    ['2026-10-25T01:00:00Z', morning.toISOString()],
  ])
    await query(`insert into platform.listening (node, since, until) values (gen_random_uuid(), $1, $2)`, [
      since,
      until,
    ]);
  await outage(serial, '2026-10-24T22:30:00Z', '2026-10-25T01:30:00Z');
  const { list, console_s } = await night();
  expect(console_s).toBe(2 * 3600);
  expect(brief(list)).toMatchObject([{ minutes: 60, times: 2 }]);
});

it('exports a night as a file, planned ones included', async () => {
  const gwid = await telemetry.network('Shop');
  await device(gwid);
  await outage(await device(gwid), '2026-10-24T23:00:00Z', '2026-10-24T23:05:00Z', { cause: 'power' });
  await outage(await device(gwid), '2026-10-24T23:00:00Z', '2026-10-24T23:02:00Z', { cause: 'planned', clients: null });
  const { url } = await call<{ url: string }>('overview/night/export', { format: 'csv' });
  const answer = await fetch(server.program.httpUrl + url);
  expect(answer.headers.get('content-disposition')).toMatch(/last-night-.*\.csv/);
  const lines = (await answer.text()).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^Shop,offline,power,,2026-10-25 01:00:00.*,300,1,1,.*,4,0$/);
  expect(lines[2]).toMatch(/^Shop,offline,planned,own,.*,120,1,1,.*,,1$/);
});
