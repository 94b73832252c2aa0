import type { fleetOutages as contract, DataOf, home } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import { numbered } from '../../../../test/numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { pruneOutages } from './outage-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const clock = new ManualClock(new Date(Date.now() - 72 * hour));
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

type Row = DataOf<typeof contract.outageList>['list'][number];
type Availability = DataOf<typeof contract.outageAvailability>;

const query = (text: string, values: unknown[] = []) => server.db.query(text, values);

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await query('update platform.listening set until = $1 where since = (select max(since) from platform.listening)', [
    clock.now(),
  ]);
}

async function makeNetwork(remark: string): Promise<string> {
  const { data } = await server.call<{ gwid: string }>(
    '/api/v3/network/create',
    { remark: numbered(owner, remark) },
    owner,
  );
  return data.gwid;
}

async function arrive(identity: Identity, { bootCause, uptime }: { bootCause?: string; uptime: number }) {
  const device = accessPoint(
    { ...identity, port: server.program.devicePort },
    { actionMs: 10, ...(bootCause === undefined ? {} : { bootCause }) },
  );
  const before = await reportedAt(identity.serial);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  clock.advance(1);
  device.state({ unit: { uptime } });
  await expect.poll(() => reportedAt(identity.serial)).not.toBe(before);
  return device;
}

async function reportedAt(serial: string): Promise<number | null> {
  const { rows } = await query('select at from device_latest where serial = $1', [serial]);
  return (rows[0]?.at as Date | undefined)?.getTime() ?? null;
}

async function bound(gwid: string): Promise<{ identity: Identity; serial: string; device: AccessPoint }> {
  const identity = await enrol(server, owner, { gwid });
  const device = await arrive(identity, { bootCause: 'coldboot', uptime: 60 });
  return { identity, serial: identity.serial, device };
}

async function leave({ device, serial }: { device: AccessPoint; serial: string }): Promise<void> {
  await device.cut();
  await listedAs(server, owner, serial, { status: 'offline' });
}

async function outages(of: object): Promise<Row[]> {
  const { data } = await server.call<DataOf<typeof contract.outageList>>('/api/v3/outage/list', of, owner);
  expect(data.total).toBe(data.list.length);
  return data.list;
}

const brief = (rows: readonly Row[]) =>
  rows.map(({ cause, seconds, ended_at }) => [cause, Math.round(seconds / 60), ended_at === null ? 'lasts' : 'over']);

async function availability(of: object): Promise<Availability> {
  return (await server.call<Availability>('/api/v3/outage/availability', of, owner)).data;
}

/** In minutes. */
async function day(of: object): Promise<[measured: number, out: number]> {
  const [first] = (await availability(of)).windows;
  return [Math.round(first!.measured_s / 60), Math.round(first!.out_s / 60)];
}

async function lastDay(gwid: string) {
  const path = '/api/v3/overview/night';
  const { data } = await server.call<DataOf<typeof home.night>>(path, { last_day: true }, owner);
  return data.list.find((row) => row.gwid === gwid)?.troubles;
}

/** Leaves sessions open and records no end. */
async function kill(meanwhile: () => void): Promise<void> {
  const at = clock.now();
  const { rows: links } = await query('select * from device_link where connected_since is not null');
  const { rows: devices } = await query('select * from device where online');
  const { rows: heard } = await query('select node, until from platform.listening');
  await server.restart(async () => {
    for (const link of links) {
      const columns = [link.serial, link.connected_since, link.node, at];
      await query(
        `update device_link set connected_since = $2, node = $3, last_frame_at = $4, disconnected_at = null where serial = $1`,
        columns,
      );
    }
    for (const { serial, online_since, last_seen } of devices) {
      await query(
        `update device set online = true, online_since = $2, last_seen = $3, offline_since = null, offline_cause = null where serial = $1`,
        [serial, online_since, last_seen],
      );
    }
    for (const { node, until } of heard)
      await query('update platform.listening set until = $2 where node = $1', [node, until]);
    meanwhile();
  });
}

describe('the cause of an outage', () => {
  it.each([
    ['power when the device started during it', { bootCause: 'coldboot', uptime: 60 }, 'power', 'coldboot'],
    ['power when only the uptime tells of the start', { uptime: 60 }, 'power', null],
    ['the link when the device ran on', { uptime: 90_000 }, 'link', null],
    [
      'the link when the client of a running device started anew',
      { bootCause: 'recovery', uptime: 90_000 },
      'link',
      'recovery',
    ],
  ] as const)('is %s', async (_title, back, cause, bootReason) => {
    const ap = await bound(await makeNetwork('cause'));
    await pass(minute);
    await leave(ap);
    const began = clock.now().toISOString();
    await pass(30 * minute);
    expect(brief(await outages({ serial: ap.serial }))).toEqual([['unknown', 30, 'lasts']]);
    const ended = clock.now().toISOString();
    await arrive(ap.identity, back);
    await expect
      .poll(() => outages({ serial: ap.serial }))
      .toMatchObject([
        { began_at: began, ended_at: ended, seconds: 1800, unheard_s: 0, cause, boot_reason: bootReason },
      ]);
  });

  it('is power when a device starts before its old connection was known to be lost', async () => {
    const ap = await bound(await makeNetwork('blip'));
    // less than the ping interval: the peer would answer
    await pass(30_000);
    await arrive(ap.identity, { bootCause: 'coldboot', uptime: 20 });
    await expect.poll(() => outages({ serial: ap.serial })).toMatchObject([{ cause: 'power', seconds: 30 }]);
  });

  it('is ours when we restarted the device, as long as that explains it', async () => {
    const quick = await bound(await makeNetwork('quick'));
    const slow = await bound(await makeNetwork('slow'));
    await pass(minute);
    for (const { serial, device } of [quick, slow]) {
      const { data } = await server.call<{ job_id: string }>('/api/v3/ap/reboot', { serials: [serial] }, owner);
      expect(data.job_id).toBeTypeOf('string');
      await device.command('reboot');
      await device.closed;
      await listedAs(server, owner, serial, { status: 'restarting' });
    }
    await pass(3 * minute);
    await arrive(quick.identity, { bootCause: 'reboot', uptime: 60 });
    expect(brief(await outages({ serial: quick.serial }))).toEqual([['planned', 3, 'over']]);
    await pass(3 * hour);
    await arrive(slow.identity, { bootCause: 'coldboot', uptime: 60 });
    await expect.poll(async () => brief(await outages({ serial: slow.serial }))).toEqual([['power', 183, 'over']]);
  });
});

describe('an outage of the console', () => {
  it.each([
    ['stops', (meanwhile: () => void) => server.restart(meanwhile)],
    ['is killed', kill],
  ])("that %s is not the devices', unless they stay away", async (_how, end) => {
    const gwid = await makeNetwork('console');
    const back = await bound(gwid);
    const lost = await bound(await makeNetwork('lost'));
    await pass(30 * minute);
    await end(() => clock.advance(2 * hour));
    await pass(minute);
    expect(brief(await outages({ serial: lost.serial }))).toEqual([['console', 121, 'lasts']]);
    await arrive(back.identity, { uptime: 90_000 });
    expect(brief(await outages({ serial: back.serial }))).toEqual([['console', 121, 'over']]);
    await pass(29 * minute);
    expect(brief(await outages({ serial: lost.serial }))).toEqual([['unknown', 150, 'lasts']]);
    expect((await outages({ serial: lost.serial }))[0]).toMatchObject({ unheard_s: 7200 });
    // half an hour before and after is measured
    expect(await day({ serial: back.serial })).toEqual([59, 0]);
    expect(await day({ serial: lost.serial })).toEqual([60, 30]);
    expect(await day({ gwid })).toEqual([59, 0]);
    await arrive(lost.identity, { bootCause: 'coldboot', uptime: 60 });
    await expect.poll(async () => brief(await outages({ serial: lost.serial }))).toEqual([['power', 150, 'over']]);
    expect(await day({ serial: lost.serial })).toEqual([60, 30]);
  });
});

describe('availability', () => {
  it('counts from the first connection on, and is not 100 % after the shortest outage', async () => {
    const gwid = await makeNetwork('measured');
    const identity = await enrol(server, owner, { gwid });
    expect(await availability({ serial: identity.serial })).toMatchObject({
      since: null,
      windows: [{ percent: null }, {}, {}],
    });
    await pass(hour);
    const device = await arrive(identity, { bootCause: 'coldboot', uptime: 60 });
    await pass(59 * minute);
    expect(await availability({ serial: identity.serial })).toMatchObject({
      windows: [24, 168, 720].map((hours) => ({ hours, measured_s: 3540, out_s: 0, outages: 0, percent: 100 })),
    });
    await leave({ device, serial: identity.serial });
    await pass(minute);
    const now = await availability({ serial: identity.serial });
    expect(now.windows[2]).toMatchObject({ measured_s: 3600, out_s: 60, planned_s: 0, outages: 1, percent: 98.333 });
    expect(now.out).toHaveLength(1);
  });

  it('leaves out the first configuration of a new device, and counts later ones', async () => {
    const gwid = await makeNetwork('setup');
    const ap = await bound(gwid);
    const pushed = async () => {
      await pass(4 * minute);
      await query(`update device set sync_state = 'applying' where serial = $1`, [ap.serial]);
      await leave(ap);
      await pass(4 * minute);
      ap.device = await arrive(ap.identity, { uptime: 90_000 });
      await expect
        .poll(async () => brief(await outages({ serial: ap.serial })).slice(0, 1))
        .toEqual([['planned', 4, 'over']]);
    };
    await pushed();
    for (const of of [{ serial: ap.serial }, { gwid }])
      expect((await availability(of)).windows[0]).toMatchObject({ measured_s: 240, out_s: 0, percent: 100 });
    await pass(hour);
    await pushed();
    expect((await availability({ gwid })).windows[0]).toMatchObject({ out_s: 240, planned_s: 240, outages: 1 });
  });

  it('of a network without a gateway counts only what all its devices missed', async () => {
    const gwid = await makeNetwork('two');
    const [one, two] = [await bound(gwid), await bound(gwid)];
    await pass(hour);
    await leave(one);
    await pass(20 * minute);
    await leave(two);
    await pass(10 * minute);
    await arrive(one.identity, { uptime: 90_000 });
    await pass(30 * minute);
    expect(await day({ serial: one.serial })).toEqual([120, 30]);
    expect(await day({ serial: two.serial })).toEqual([120, 40]);
    expect(await day({ gwid })).toEqual([120, 10]);
    expect(brief(await outages({ gwid }))).toEqual([
      ['unknown', 40, 'lasts'],
      ['link', 30, 'over'],
    ]);
  });
});

it('shows how long devices were out at night, and the clients of their last reports', async () => {
  const gwid = await makeNetwork('morning');
  const [one, two] = [await bound(gwid), await bound(gwid)];
  await bound(gwid);
  await pass(hour);
  const before = await reportedAt(one.serial);
  const station = (n: number) => ({ station: `02:00:00:00:00:0${n}`, bssid: '02:00:00:00:01:00', rssi: -50 });
  const ssid = { ssid: 'Guests', mode: 'ap', bssid: '02:00:00:00:01:00', associations: [station(1), station(2)] };
  one.device.state({ unit: { uptime: 3700 }, interfaces: [{ name: 'up0v0', ssids: [ssid] }] });
  await expect.poll(() => reportedAt(one.serial)).not.toBe(before);
  const begun = clock.now().toISOString();
  await leave(one);
  await pass(20 * minute);
  await leave(two);
  await pass(10 * minute);
  await arrive(one.identity, { uptime: 90_000 });
  await pass(minute);
  await arrive(two.identity, { uptime: 90_000 });
  await expect
    .poll(() => lastDay(gwid))
    .toMatchObject([
      {
        cause: 'link',
        planned: null,
        began_at: begun,
        seconds: 1860,
        times: 1,
        devices: 2,
        whole: false,
        clients: 2,
        clients_unknown: 1,
      },
    ]);
});

it('keeps outages for 400 days', async () => {
  const ap = await bound(await makeNetwork('old'));
  const days = (n: number) => new Date(clock.now().getTime() - n * 24 * hour);
  for (const ago of [399, 401])
    await query(
      `insert into device_outage select account_id, serial, $2, $3, 'link', null from device where serial = $1`,
      [ap.serial, days(ago + 1), days(ago)],
    );
  const database = await server.db.reopen();
  expect(await pruneOutages(database.system, clock.now())).toBe(1);
  expect(await outages({ serial: ap.serial })).toHaveLength(1);
});
