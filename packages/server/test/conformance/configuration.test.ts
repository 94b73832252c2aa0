import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, listed, listedAs, switchOf } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import type { FirmwareOptions } from './peer/firmware.ts';
import { DeviceFlash } from './peer/flash.ts';
import type { Json } from './peer/json.ts';
import { renderAccessPoint } from './peer/render.ts';
import type { Switch } from './peer/switch.ts';
import { switchReport } from './peer/switch-report.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

interface Job {
  status: string;
  items: { serial: string; status: string; reason: string | null }[];
}

interface DeviceConfig {
  state: string | null;
  awaits_report: boolean;
  reasons: string[];
  desired: { uuid: number } | null;
  active: { uuid: number } | null;
  reported_uuid: number | null;
  can_retry: boolean;
}

const ssid = (name: string, more: Json = {}): Json => ({
  enabled: true,
  name,
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
  ...more,
});

async function ownNetwork(name: string): Promise<{ identity: Identity; gwid: string }> {
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: name }, owner);
  return { identity: await enrol(server, owner, { gwid: data.gwid }), gwid: data.gwid };
}

async function save(gwid: string, ssids: Json[], radios: Json[] = []): Promise<string> {
  const { data: before } = await server.call<{ version: number }>('/api/v3/network/wireless/get', { gwid }, owner);
  const body = { gwid, version: before.version, ssids, radios };
  const answer = await server.call<{ job_id: string }>('/api/v3/network/wireless/save', body, owner);
  expect(answer).toMatchObject({ code: 2000, data: { job_id: expect.any(String) } });
  return answer.data.job_id;
}

const jobOf = async (id: string): Promise<Job> =>
  (await server.call<Job>('/api/v3/job/detail', { job_id: id }, owner)).data;
const configOf = async (serial: string): Promise<DeviceConfig> =>
  (await server.call<DeviceConfig>('/api/v3/device/config/get', { serial }, owner)).data;

/** The push of a device that has just connected may carry the change first: the job's own item is then skipped. */
const outcome = ({ status, reason }: Job['items'][number]) => (reason === 'job.unchanged' ? 'applied' : status);
const ends = (id: string, status: string, item: string) =>
  expect
    .poll(async () => {
      const job = await jobOf(id);
      return [job.status, ...job.items.map(outcome)];
    })
    .toEqual([status, item]);
const stands = (serial: string, wanted: Partial<DeviceConfig>) =>
  expect.poll(() => configOf(serial)).toMatchObject(wanted);

async function online<T extends AccessPoint | Switch>(
  make: (identity: Identity, more?: Partial<FirmwareOptions>) => T,
  identity: Identity,
  more: Partial<FirmwareOptions> = {},
): Promise<T> {
  const device = make(identity, { shell: 'runs', ...more });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

const configures = (device: AccessPoint | Switch) =>
  device.received.filter(({ command }) => command?.method === 'configure');
const running = (device: AccessPoint | Switch) => device.flash.files.get(device.flash.active) as Json;
const names = (document: Json) =>
  (document.interfaces as Json[]).flatMap((entry) => ((entry.ssids ?? []) as Json[]).map((network) => network.name));

async function heard(device: AccessPoint | Switch, sanity: number): Promise<void> {
  device.notify('healthcheck', { serial: device.options.serial, uuid: device.uuidActive, sanity, data: {} });
  await listedAs(server, owner, device.options.serial, { sanity });
}

describe('an access point', () => {
  it('takes what was saved, and the console believes its word', async () => {
    const { identity, gwid } = await ownNetwork('Takes');
    const device = await online(accessPoint, identity);
    const job = await save(gwid, [ssid('Lobby')]);
    await ends(job, 'succeeded', 'applied');
    expect(names(running(device))).toContain('Lobby');
    expect(running(device)).toMatchObject({ uuid: device.uuidActive });
    await stands(identity.serial, { state: 'in_sync', reasons: [] });
    expect(await configOf(identity.serial)).toMatchObject({
      desired: { uuid: device.uuidActive },
      active: { uuid: device.uuidActive },
    });
    expect(await listed(server, owner, identity.serial)).toMatchObject({ sync_state: 'in_sync' });
    expect(device.logMessages).toEqual([]);
  });

  it('is not shown as drifted by a report from before its push ended', async () => {
    const { identity, gwid } = await ownNetwork('Late');
    const device = await online(accessPoint, identity);
    await ends(await save(gwid, [ssid('One')]), 'succeeded', 'applied');
    const { systemPool } = server.db.database;
    const one = async <T>(what: string) =>
      (await systemPool.query(`${what} where serial = $1`, [identity.serial])).rows[0] as T;
    const stored = async () => (await one<{ at: Date }>('select at from device_latest')).at;
    const inSyncSince = async () => (await one<{ sync_since: Date }>('select sync_since from device')).sync_since;
    const before = await stored();
    const holder = await systemPool.connect();
    await holder.query('begin');
    await holder.query('select 1 from device_latest where serial = $1 for update', [identity.serial]);
    device.reportState(1);
    await ends(await save(gwid, [ssid('Two')]), 'succeeded', 'applied');
    const since = await inSyncSince();
    await holder.query('commit');
    holder.release();
    await expect.poll(stored).not.toEqual(before);
    // messages of a session are handled in order
    await heard(device, 97);
    expect(await inSyncSince()).toEqual(since);
  });

  it('gets reports and events switched on with it', async () => {
    const { identity, gwid } = await ownNetwork('Metrics');
    const device = await online(accessPoint, identity);
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    expect(running(device).metrics).toMatchObject({
      statistics: { interval: 60, types: expect.arrayContaining(['ssids', 'lldp', 'clients']) },
      realtime: { types: expect.arrayContaining(['client', 'wired', 'health', 'wifi', 'unit']) },
    });
    const { interval } = (running(device).metrics as { health: { interval: number } }).health;
    expect(interval).toBeGreaterThanOrEqual(60);
    expect(interval).toBeLessThanOrEqual(120);
  });

  it('gets rising uuids of 31 bits, beside and inside the document', async () => {
    const { identity, gwid } = await ownNetwork('Rising');
    const device = await online(accessPoint, identity);
    const uuids: number[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      await ends(await save(gwid, [ssid(name)]), 'succeeded', 'applied');
      uuids.push(device.uuidActive);
    }
    expect(uuids).toEqual(uuids.toSorted((a, b) => a - b));
    expect(new Set(uuids).size).toBe(3);
    for (const { command } of configures(device)) {
      const { uuid, config } = (command as { params: Json }).params as { uuid: number; config: Json };
      expect([config.uuid, uuid <= 2 ** 31 - 1]).toEqual([uuid, true]);
    }
  });

  it('is sent nothing when nothing changes', async () => {
    const { identity, gwid } = await ownNetwork('Same');
    const device = await online(accessPoint, identity);
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    const { data } = await server.call<{ version: number; ssids: Json[] }>(
      '/api/v3/network/wireless/get',
      { gwid },
      owner,
    );
    const same = data.ssids.map((row) => ({ ...row, key_set: undefined }));
    const job = await save(gwid, same);
    await expect.poll(async () => (await jobOf(job)).status).not.toMatch(/queued|running/);
    await device.cut();
    await device.connect();
    await heard(device, 51);
    expect(configures(device)).toEqual([]);
  });

  it('takes some 5 KB in one plain frame', async () => {
    const { identity, gwid } = await ownNetwork('Large');
    const device = await online(accessPoint, identity);
    const bands = [['2G'], ['5G']];
    const many = Array.from({ length: 16 }, (_, at) =>
      ssid(`Network-${at}-${'x'.repeat(20)}`, { key: 'k'.repeat(63), bands: bands[at % 2], maximum_clients: 100 }),
    );
    await ends(await save(gwid, many), 'succeeded', 'applied');
    const [frame] = configures(device);
    expect(Buffer.byteLength(frame?.text ?? '')).toBeGreaterThan(5000);
    expect(Buffer.byteLength(frame?.text ?? '')).toBeLessThan(32_000);
    expect(names(running(device))).toHaveLength(16);
  });

  it('that was offline gets it when it returns', async () => {
    const { identity, gwid } = await ownNetwork('Later');
    const device = await online(accessPoint, identity);
    await stands(identity.serial, { awaits_report: false });
    await device.cut();
    await listedAs(server, owner, identity.serial, { status: 'offline' });
    const job = await save(gwid, [ssid('Later')]);
    await ends(job, 'waiting_offline', 'waiting_offline');
    await stands(identity.serial, { state: 'pending' });
    await device.connect();
    await ends(job, 'succeeded', 'applied');
    expect(names(running(device))).toContain('Later');
  });

  it('that rejects it keeps its last good one, says why, and is not asked again', async () => {
    const { identity, gwid } = await ownNetwork('Rejects');
    let picky = false;
    const words = '[E] (In /interfaces/0/ssids/0) Value must be nicer';
    const render = (config: Json) => (picky ? { error: 2 as const, rejected: [words] } : renderAccessPoint(config));
    const device = await online(accessPoint, identity, { render });
    await ends(await save(gwid, [ssid('Good')]), 'succeeded', 'applied');
    const good = device.uuidActive;
    picky = true;
    const job = await save(gwid, [ssid('Bad')]);
    await ends(job, 'failed', 'rejected');
    await stands(identity.serial, { state: 'failed' });
    const config = await configOf(identity.serial);
    expect(config.reasons.join()).toContain(words);
    expect(config.active).toMatchObject({ uuid: good });
    await device.cut();
    const back = await online(accessPoint, identity, { render, flash: device.flash });
    await heard(back, 52);
    expect(configures(back)).toEqual([]);
    await stands(identity.serial, { state: 'failed' });
    picky = false;
    const rejected = back.flash.newest();
    await ends(await save(gwid, [ssid('Better')]), 'succeeded', 'applied');
    expect(back.uuidActive).toBeGreaterThan(rejected);
    expect(names(running(back))).toContain('Better');
  });

  it('that applies it with reservations is in sync, and its reservations are shown', async () => {
    const { identity, gwid } = await ownNetwork('Reserved');
    await online(accessPoint, identity, { render: () => ({ error: 1, rejected: ['[W] no suitable radio phy'] }) });
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    await stands(identity.serial, { state: 'in_sync', reasons: ['[W] no suitable radio phy'] });
  });

  it('with unknown higher uuids gets an even higher one', async () => {
    const { identity, gwid } = await ownNetwork('Higher');
    const flash = new DeviceFlash();
    const high = 2_100_000_000;
    flash.store(high, { ...renderable, uuid: high });
    flash.active = high;
    const device = await online(accessPoint, identity, { flash });
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    expect(device.uuidActive).toBeGreaterThan(high);
    expect(names(running(device))).toContain('Lobby');
  });

  it('that answers "Already applied." with an older uuid is not believed to run the new one', async () => {
    const { identity, gwid } = await ownNetwork('Already');
    const device = await online(accessPoint, identity);
    // another controller's configuration: active, but not reported in `connect`
    const hidden = 2_050_000_000;
    device.flash.store(hidden, { ...renderable, uuid: hidden });
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    expect(names(running(device))).toContain('Lobby');
    expect(device.uuidActive).toBeGreaterThan(hidden);
    await stands(identity.serial, { state: 'in_sync' });
  });

  it('that loses its connection while it applies is believed when it returns with it', async () => {
    const { identity, gwid } = await ownNetwork('Torn');
    const device = await online(accessPoint, identity, { applyMs: 60_000 });
    const job = await save(gwid, [ssid('Torn')]);
    const { params } = await device.command('configure');
    const { uuid } = params as { uuid: number };
    await device.cut();
    device.flash.active = uuid;
    const back = await online(accessPoint, identity, { flash: device.flash });
    await ends(job, 'succeeded', 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    expect(back.uuidActive).toBe(uuid);
    expect(configures(back)).toEqual([]);
  });

  it('that answers twice is believed the first time', async () => {
    const { identity, gwid } = await ownNetwork('Twice');
    const device = await online(accessPoint, identity);
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    const [answer] = device.answered;
    const result = { serial: identity.serial, uuid: 1, status: { error: 2, text: 'Failed' } };
    device.sendJson({ jsonrpc: '2.0', id: answer?.id, result });
    await heard(device, 53);
    await stands(identity.serial, { state: 'in_sync' });
  });

  it('in a recovery boot is left alone until it has left it', async () => {
    const { identity, gwid } = await ownNetwork('Recovery');
    const flash = new DeviceFlash();
    const stranded = await online(accessPoint, identity, { flash, recovery: true, bootCause: 'recovery' });
    const job = await save(gwid, [ssid('Lobby')]);
    await heard(stranded, 54);
    expect(configures(stranded)).toEqual([]);
    expect((await configOf(identity.serial)).state).not.toBe('in_sync');
    await stranded.cut();
    const device = await online(accessPoint, identity, { flash, bootCause: 'reboot' });
    await expect.poll(() => names(running(device))).toContain('Lobby');
    await stands(identity.serial, { state: 'in_sync' });
    await expect.poll(async () => (await jobOf(job)).status).toMatch(/succeeded|failed/);
  });

  it('that was reset gets its configuration back', async () => {
    const { identity, gwid } = await ownNetwork('Reset');
    const device = await online(accessPoint, identity);
    await ends(await save(gwid, [ssid('Lobby')]), 'succeeded', 'applied');
    const before = device.uuidActive;
    await device.cut();
    const fresh = await online(accessPoint, identity, { bootCause: 'factory', flash: new DeviceFlash() });
    await fresh.command('configure');
    await expect.poll(() => fresh.uuidActive).toBeGreaterThanOrEqual(before);
    await stands(identity.serial, { state: 'in_sync' });
    expect(names(running(fresh))).toContain('Lobby');
  });
});

describe('a switch', () => {
  it('takes a configuration without compression, and its rejection is not mistaken for consent', async () => {
    const { identity, gwid } = await ownNetwork('Switch');
    let picky = false;
    const render = () =>
      picky ? { error: 2 as const, rejected: ['no such port'] } : { error: 0 as const, rejected: [] };
    const device = await online(switchOf, identity, { render });
    device.state(switchReport({ Ethernet0: { speed: 1000 }, Ethernet1: { speed: 10_000 } }));
    const reported = async () =>
      (await server.call<{ ports: object[] }>('/api/v3/switch/port/list', { serial: identity.serial }, owner)).data;
    await expect.poll(async () => (await reported()).ports.length).toBe(2);
    const first = await save(gwid, [ssid('Lobby', { vlan: 20 })]);
    await ends(first, 'succeeded', 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    picky = true;
    const second = await save(gwid, [ssid('Lobby', { vlan: 30 })]);
    await ends(second, 'failed', 'rejected');
    device.state({ unit: { uptime: 1 } });
    await heard(device, 55);
    await stands(identity.serial, { state: 'failed' });
    expect((await configOf(identity.serial)).reasons.join()).toContain('no such port');
  });
});

describe('commands', () => {
  it('restart a device, which is shown as restarting until it has returned', async () => {
    const { identity } = await ownNetwork('Restart');
    const device = await online(accessPoint, identity, { actionMs: 100 });
    const { data } = await server.call<{ job_id: string }>('/api/v3/ap/reboot', { serials: [identity.serial] }, owner);
    await device.command('reboot');
    await device.closed;
    await listedAs(server, owner, identity.serial, { status: 'restarting' });
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    await ends(data.job_id, 'succeeded', 'succeeded');
  });

  it('blink its lights, and say so when it is offline', async () => {
    const { identity } = await ownNetwork('Blink');
    const device = await online(accessPoint, identity);
    const body = { serial: identity.serial, seconds: 10 };
    expect(await server.call('/api/v3/ap/blink', body, owner)).toMatchObject({ code: 2000 });
    expect((await device.command('leds')).params).toMatchObject({ pattern: 'blink', duration: 10 });
    await device.cut();
    await listedAs(server, owner, identity.serial, { status: 'offline' });
    expect(await server.call('/api/v3/ap/blink', body, owner)).toMatchObject({ code: 4102 });
  });

  it('ask for a fresh report in the one way that works', async () => {
    const { identity } = await ownNetwork('Refresh');
    const device = await online(accessPoint, identity);
    expect(await server.call('/api/v3/device/refresh', { serial: identity.serial }, owner)).toMatchObject({
      code: 2000,
    });
    const { params } = await device.command('script');
    expect(Buffer.from(String(params?.script), 'base64').toString()).toContain('state.uc');
  });
});

const renderable: Json = { interfaces: [{ role: 'upstream', ethernet: [{ 'select-ports': ['WAN*'] }] }] };
