import type { networkTimeline as contract, DataOf, InputOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../test/conformance/device-client.ts';
import { makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createRollups } from '../../telemetry/rollups.ts';
import { join } from '../account/testing/people.ts';

type Timeline = DataOf<typeof contract.networkTimeline>;
type Hours = InputOf<typeof contract.networkTimeline>['hours'];

const minute = 60_000;
const hour = 60 * minute;
// on a round hour, so that buckets begin with the reports
const clock = new ManualClock(new Date(Math.floor(Date.now() / hour) * hour - 72 * hour));
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const query = (text: string, values: unknown[] = []) => server.db.query(text, values);

const ask = (gwid: string, hours: Hours = 24, as: As = owner) =>
  server.call<Timeline>('/api/v3/network/timeline', { gwid, hours }, as);
const timeline = async (gwid: string, hours: Hours = 24, as: As = owner) => {
  const { code, data } = await ask(gwid, hours, as);
  expect(code).toBe(2000);
  return data;
};
const iso = (at = clock.now()) => at.toISOString();

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await query('update platform.listening set until = $1 where since = (select max(since) from platform.listening)', [
    clock.now(),
  ]);
}

async function arrive(identity: Identity, bootCause?: string) {
  const device = accessPoint(
    { ...identity, port: server.program.devicePort },
    { shell: 'runs', actionMs: 10, ...(bootCause === undefined ? {} : { bootCause }) },
  );
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

/**
 * Just past a round five minutes, which rollups may then close.
 * @returns the round time
 */
function endOfBucket(): number {
  const end = Math.ceil(clock.now().getTime() / (5 * minute)) * 5 * minute;
  clock.advance(end + 10_000 - clock.now().getTime());
  return end;
}

const rollUp = () => createRollups({ ...server.db, clock }).run();

const succeeded = (job_id: string) =>
  expect
    .poll(async () => (await server.call<{ status: string }>('/api/v3/job/detail', { job_id }, owner)).data.status)
    .toBe('succeeded');

async function eventful() {
  const gwid = await telemetry.network('Eventful');
  const identity = await enrol(server, owner, { gwid });
  const { serial } = identity;
  const first = await arrive(identity, 'coldboot');
  await pass(hour);
  const began = iso();
  await first.cut();
  await listedAs(server, owner, serial, { status: 'offline' });
  await pass(30 * minute);
  const ended = iso();
  const device = await arrive(identity);
  await pass(hour);
  const pushed = iso();
  const ssids = [
    {
      enabled: true,
      name: 'Timeline',
      security: 'psk2',
      key: 'welcome-2026',
      bands: ['2G', '5G'],
      vlan: null,
      hidden: false,
      isolate: false,
      maximum_clients: null,
      down_mbps: null,
      up_mbps: null,
    },
  ];
  const saved = await server.call<{ job_id: string }>(
    '/api/v3/network/wireless/save',
    { gwid, version: 0, ssids, radios: [] },
    owner,
  );
  await succeeded(saved.data.job_id);
  await pass(hour);
  await device.cut();
  await listedAs(server, owner, serial, { status: 'offline' });
  await pass(minute);
  const restarted = iso();
  await arrive(identity, 'crashlog');
  return { gwid, serial, began, ended, pushed, restarted, jobId: saved.data.job_id };
}

describe('the marks of a network', () => {
  it('name outage, push and restart with their times and what they lead to', async () => {
    const { gwid, serial, began, ended, pushed, restarted, jobId } = await eventful();
    const { marks, left_out, hidden } = await timeline(gwid);
    const about = { devices: 1, failed: 0, serial };
    // alarms may begin meanwhile, as the queue has time
    for (const mark of [
      { kind: 'restart', at: restarted, until: restarted, ...about, job_id: null },
      { kind: 'outage', until: restarted, ...about },
      { kind: 'push', at: pushed, until: pushed, ...about, job_id: jobId, operator: expect.any(String) },
      { kind: 'outage', at: began, until: ended, ...about, job_id: null },
    ])
      expect(marks).toContainEqual(expect.objectContaining(mark));
    expect({ left_out, hidden }).toEqual({ left_out: 0, hidden: [] });
  });

  it('link a restart to its job, whose outage is planned', async () => {
    const gwid = await telemetry.network('Restarted');
    const identity = await enrol(server, owner, { gwid });
    const device = await arrive(identity, 'coldboot');
    await pass(hour);
    const { data } = await server.call<{ job_id: string }>('/api/v3/ap/reboot', { serials: [identity.serial] }, owner);
    await device.command('reboot');
    await device.closed;
    await listedAs(server, owner, identity.serial, { status: 'restarting' });
    await pass(2 * minute);
    await arrive(identity, 'reboot');
    await succeeded(data.job_id);
    const { marks } = await timeline(gwid);
    expect(marks.filter(({ kind }) => kind !== 'alarm')).toHaveLength(2);
    expect(marks.find(({ kind }) => kind === 'restart')).toMatchObject({ job_id: data.job_id, until: iso() });
    expect(marks.find(({ kind }) => kind === 'outage')).toMatchObject({ cause: 'planned', until: iso() });
  });

  it('put devices together that were lost together', async () => {
    const gwid = await telemetry.network('Together');
    const serials = await Promise.all(
      Array.from({ length: 3 }, () => telemetry.device(gwid, { kind: 'ap', online: true })),
    );
    const began = clock.now().getTime() - 2 * hour;
    const lost = (serial: string, after: number, lasted: number, cause = 'link') =>
      query('insert into device_outage values ($1, $2, $3, $4, $5, null)', [
        owner.accountId,
        serial,
        new Date(began + after),
        new Date(began + after + lasted),
        cause,
      ]);
    await lost(serials[0]!, 0, 10 * minute);
    await lost(serials[1]!, 40_000, 20 * minute);
    await lost(serials[2]!, 50_000, 5 * minute, 'power');
    await lost(serials[2]!, 30 * minute, minute);
    const { marks } = await timeline(gwid);
    const alarms = marks.filter(({ kind }) => kind !== 'console');
    expect(alarms).toMatchObject([
      { devices: 1, serial: serials[2], cause: 'link' },
      { devices: 1, serial: serials[2], cause: 'power' },
      { devices: 2, serial: null, at: iso(new Date(began)), until: iso(new Date(began + 40_000 + 20 * minute)) },
    ]);
  });
});

describe('alarms of a network', () => {
  it('are marks with what they say, without the ones that another one caused', async () => {
    const gwid = await telemetry.network('Alarmed');
    const serial = await telemetry.device(gwid, { kind: 'ap', online: true });
    await query('update device set remark = $2 where serial = $1', [serial, 'Roof']);
    const [began, ended] = [new Date(clock.now().getTime() - 2 * hour), new Date(clock.now().getTime() - hour)];
    const id = (await query('select gen_random_uuid() as id')).rows[0]!.id as string;
    await query(
      `insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, recovered_at,
         count, devices_hit, cause_id)
       select $1, case n when 0 then $2::uuid else gen_random_uuid() end, 'memory_high', 'GENERAL', 'recovered', $3, $4,
         n::text, '', '', $5, $5, $6, 1, 1, case n when 1 then $2::uuid end from generate_series(0, 1) n`,
      [owner.accountId, id, gwid, serial, began, ended],
    );
    const { marks, hidden } = await timeline(gwid);
    const alarms = marks.filter(({ kind }) => kind !== 'console');
    expect(alarms).toMatchObject([
      { kind: 'alarm', at: iso(began), until: iso(ended), serial, name: 'Roof', alarm: { id, level: 'GENERAL' } },
    ]);
    expect(alarms[0]!.alarm!.text).toContain('Roof');
    expect(hidden).toEqual([]);
  });
});

describe('access to a timeline', () => {
  it('is limited to the networks and the log that a member may see', async () => {
    const gwid = await telemetry.network('Seen');
    const other = await telemetry.network('Unseen');
    const serial = await telemetry.device(gwid, { kind: 'ap', online: true });
    const at = new Date(clock.now().getTime() - hour);
    await query(
      `insert into job (account_id, id, type, status, total, params, operator, created_at, finished_at)
       values ($1, '0199f000-0000-7000-8000-000000000001', 'reboot', 'succeeded', 1, '{}', 'owner', $2, $2)`,
      [owner.accountId, at],
    );
    await query(
      `insert into job_item (account_id, job_id, seq, serial, gwid, name, status, started_at, finished_at)
       values ($1, '0199f000-0000-7000-8000-000000000001', 0, $2, $3, 'AP', 'succeeded', $4, $4)`,
      [owner.accountId, serial, gwid, at],
    );
    const operator = await join(server, owner, 'operator', [gwid]);
    const seen = await timeline(gwid, 24, operator.inside);
    expect(seen.marks.filter(({ kind }) => kind !== 'console')).toMatchObject([{ kind: 'restart', devices: 1 }]);
    expect(seen.hidden).toEqual(['log']);
    expect(await ask(other, 24, operator.inside)).toMatchObject({ code: 4113, data: null });
    const marketing = await join(server, owner, 'marketing', [gwid]);
    const blind = await timeline(gwid, 24, marketing.inside);
    expect(blind.marks.filter(({ kind }) => kind !== 'console')).toEqual([]);
    expect(blind.hidden).toEqual(['jobs', 'log']);
    expect(await ask(gwid, 24, await server.register())).toMatchObject({ code: 4113, data: null });
  });
});

describe('the lines of a network', () => {
  it('count traffic at the gateway and leave gaps without reports', async () => {
    const gwid = await telemetry.network('Routed');
    const gateway = await telemetry.device(gwid, { kind: 'gateway', online: true, gateway: true });
    const ap = await telemetry.device(gwid, { kind: 'ap', online: true });
    const end = endOfBucket();
    const report = (ago: number) => ({ gwid, at: new Date(end - ago * 5 * minute + 1000) });
    await telemetry.reports(
      { ...report(3), serial: gateway, wan_down: 3_000_000, wan_up: 300_000, wan_latency: 18, wan_loss: 2.5 },
      // what passes the gateway passes the access point too
      { ...report(3), serial: ap, wan_down: 9_000_000, down_5g: 9_000_000, clients: 9, clients_2g: 3, clients_5g: 4 },
      { ...report(1), serial: ap, clients: 2, clients_2g: 2, clients_5g: 0, util_2g: 65, noise_2g: -82 },
    );
    await rollUp();
    const day = await timeline(gwid);
    expect(day).toMatchObject({ traffic_source: 'wan', step_s: 300, to: iso(new Date(end)) });
    expect(day.down).toHaveLength(288);
    expect(day.down.slice(-4)).toEqual([null, 80_000, null, null]);
    expect(day.up.slice(-4)).toEqual([null, 8000, null, null]);
    expect(day.clients.slice(-4)).toEqual([null, 7, null, 2]);
    expect(day.utilization['2.4G'].slice(-4)).toEqual([null, null, null, 65]);
    expect(day.score.slice(-4)).toEqual([null, null, null, 50]);
    expect(day.latency.slice(-4)).toEqual([null, 18, null, null]);
    expect(day.loss.slice(-4)).toEqual([null, 2.5, null, null]);
    const month = await timeline(gwid, 720);
    expect(month).toMatchObject({ step_s: 7200, traffic_source: 'wan' });
    expect(month.down).toHaveLength(360);
    expect(month.down.filter((value) => value !== null).length).toBeGreaterThan(0);
  });

  it('count traffic at the radios where no gateway does, and say where nothing does', async () => {
    const gwid = await telemetry.network('Bridged');
    expect(await timeline(gwid, 168)).toMatchObject({ traffic_source: 'none', step_s: 3600 });
    const ap = await telemetry.device(gwid, { kind: 'ap', online: true });
    const at = new Date(endOfBucket() - 5 * minute);
    await telemetry.reports({ serial: ap, gwid, at, down_2g: 600_000, up_2g: 300_000 });
    await rollUp();
    const day = await timeline(gwid);
    expect(day.traffic_source).toBe('radio');
    expect([day.down.at(-1), day.up.at(-1)]).toEqual([16_000, 8000]);
    expect(day.clients.every((value) => value === null)).toBe(true);
  });
});

it('bounds an answer, and says how many marks it leaves out', async () => {
  const gwid = await telemetry.network('Busy');
  const serial = await telemetry.device(gwid, { kind: 'gateway', online: true, gateway: true });
  await query('update device set remark = $2 where serial = $1', [serial, '网'.repeat(100)]);
  const now = clock.now().getTime();
  const hours = Array.from({ length: 719 }, (_, index) => new Date(now - (index + 1) * hour));
  await telemetry.reports(
    ...hours.map((at, index) => ({
      serial,
      gwid,
      at,
      wan_down: 4e11 + index,
      wan_up: 4e11 + index,
      clients: 999,
      clients_2g: 333 + (index % 7),
      util_2g: 11 + (index % 3),
      util_5g: 22,
      util_6g: 33,
    })),
  );
  await query(
    `insert into device_outage select $1, $2, at, at + interval '1 minute', 'planned', null from unnest($3::timestamptz[]) at`,
    [owner.accountId, serial, hours],
  );
  const { data } = await ask(gwid, 720);
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(65_536);
  expect(data.marks.length).toBeGreaterThan(50);
  // the first bucket may begin up to two hours later than 720 hours ago
  expect(data.marks.length + data.left_out).toBeGreaterThanOrEqual(717);
  const listed = data.marks.map(({ at }) => at);
  expect(listed).toEqual(listed.toSorted().toReversed());
});

// last: the telemetry writer keeps its connections from before the restart
it('says when the console itself was away', async () => {
  const gwid = await telemetry.network('Unheard');
  await pass(0);
  const from = iso();
  await server.restart(async () => {
    clock.advance(hour);
  });
  const { marks } = await timeline(gwid);
  expect(marks).toMatchObject([{ kind: 'console', at: from, until: iso(), devices: 0 }]);
});
