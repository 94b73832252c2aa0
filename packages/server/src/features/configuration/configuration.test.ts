import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../test/conformance/front-door.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { FirmwareOptions } from '../../../test/conformance/peer/firmware.ts';
import { asOwner } from '../../../test/database.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

interface Saved {
  job_id: string;
  version: number;
}

const key = 'welcome-2026';
const ssid = (name: string, more: object = {}) => ({
  enabled: true,
  name,
  security: 'psk2',
  key,
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
  ...more,
});
const radio = (band: string, more: object) => ({
  band,
  enabled: null,
  channel: null,
  width: null,
  mode: null,
  power: null,
  ...more,
});

const call = <T>(path: string, body: object) => server.call<T>(path, body, owner);
const save = (gwid: string, version: number, ssids: object[], more: object = {}) =>
  call<Saved>('/api/v3/network/wireless/save', { gwid, version, ssids, radios: [], ...more });
const wireless = async (gwid: string) =>
  (
    await call<{ version: number; ssids: { id: string; name: string; key_set: boolean }[] }>(
      '/api/v3/network/wireless/get',
      { gwid },
    )
  ).data;
const config = async (serial: string) =>
  (
    await call<{
      state: string;
      reasons: string[];
      desired: { uuid: number; document: unknown } | null;
      active: { uuid: number } | null;
      can_retry: boolean;
    }>('/api/v3/device/config/get', { serial })
  ).data;
const items = async (job: string) =>
  (await call<{ items: { status: string; reason: string | null }[] }>('/api/v3/job/detail', { job_id: job })).data
    .items;

/** Waits until every item of a job has ended as given. */
const ended = (answer: { data: Saved | { job_id: string } }, ...statuses: string[]) =>
  expect
    .poll(async () => (await items(answer.data.job_id)).map(({ status }) => status), { timeout: 20_000, interval: 30 })
    .toEqual(statuses);
const stands = (serial: string, wanted: object) =>
  expect.poll(() => config(serial), { timeout: 20_000, interval: 30 }).toMatchObject(wanted);

async function network(): Promise<{ gwid: string; identity: Identity }> {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' });
  return { gwid: data.gwid, identity: await enrol(server, owner, { gwid: data.gwid }) };
}

async function online(identity: Identity, more: Partial<FirmwareOptions> = {}): Promise<AccessPoint> {
  const device = accessPoint(identity, more);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

const running = (device: AccessPoint) => JSON.stringify(device.flash.files.get(device.flash.active));
const pushes = (device: AccessPoint) => device.received.filter(({ command }) => command?.method === 'configure').length;

describe('wireless settings', () => {
  it('keep what is saved, give no key out, and keep a key that a save does not bring', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby'), ssid('Free', { security: 'open', key: undefined })]);
    const first = await wireless(gwid);
    expect(first).toMatchObject({
      version: 1,
      ssids: [
        { name: 'Lobby', key_set: true },
        { name: 'Free', key_set: false },
      ],
    });
    expect(JSON.stringify(first)).not.toContain(key);
    const { key: _, ...renamed } = ssid('Foyer', { id: first.ssids[0]?.id });
    expect(await save(gwid, 1, [renamed])).toMatchObject({ code: 2000, data: { version: 2 } });
    expect(await wireless(gwid)).toMatchObject({
      version: 2,
      ssids: [{ id: first.ssids[0]?.id, name: 'Foyer', key_set: true }],
    });
  });

  it('refuse a save over a version that is no longer in force', async () => {
    const { gwid } = await network();
    const answers = await Promise.all([save(gwid, 0, [ssid('One')]), save(gwid, 0, [ssid('Two')])]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([2000, 4104]);
    expect(await save(gwid, 7, [ssid('Three')])).toMatchObject({ code: 4104, data: { version: 1 } });
  });

  it.each([
    [{ ssids: [ssid('a$b')] }, 'ssids.0.name'],
    [{ ssids: [ssid('馆'.repeat(11))] }, 'ssids.0.name'],
    [{ ssids: [ssid('a', { key: 'short' })] }, 'ssids.0.key'],
    [{ ssids: [ssid('a', { key: '密码密码密码密码' })] }, 'ssids.0.key'],
    [{ ssids: [ssid('a', { key: undefined })] }, 'ssids.0.key'],
    [{ ssids: [ssid('a'), ssid('a')] }, 'ssids.1.name'],
    [{ ssids: [ssid('a', { bands: [] })] }, 'ssids.0.bands'],
    [{ ssids: [ssid('a', { vlan: 4051 })] }, 'ssids.0.vlan'],
    [{ ssids: [ssid('a', { bands: ['6G'] })] }, 'ssids.0.security'],
    [{ ssids: [ssid('a', { id: '01890000-0000-7000-8000-000000000009' })] }, 'ssids.0.id'],
    [{ ssids: Array.from({ length: 9 }, (_, index) => ssid(`n${index}`)) }, 'ssids'],
    [{ radios: [radio('2G', { channel: 36 })] }, 'radios.0.channel'],
    [{ radios: [radio('5G', { width: 320 })] }, 'radios.0.width'],
    [{ radios: [radio('2G', {}), radio('2G', {})] }, 'radios.1.band'],
    [{ country: 'china' }, 'country'],
  ])('name the field that is wrong: %j', async (wrong, field) => {
    const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Wrong' });
    const answer = await save(data.gwid, 0, [], wrong);
    expect(answer).toMatchObject({ status: 422, code: 422 });
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);
    expect(answer.errors?.[field]?.[0]).not.toContain('validation.');
    expect((await wireless(data.gwid)).version).toBe(0);
  });

  it('leave a row in the operation log without keys, and lie sealed in the database', async () => {
    const { gwid, identity } = await network();
    await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
    const log = await call<{ list: { action: string; after: unknown; job_id: string }[] }>('/api/v3/log/action/list', {
      keyword: gwid,
    });
    expect(log.data.list[0]).toMatchObject({ action: 'network.wireless.save', job_id: expect.any(String) });
    expect(JSON.stringify(log.data)).toContain('Lobby');
    const shown = [
      log.data,
      await config(identity.serial),
      await call('/api/v3/device/config/versions', { serial: identity.serial }),
    ];
    expect(JSON.stringify(shown)).not.toContain(key);
    for (const table of ['wireless_intent', 'config_version', 'config_state', 'job', 'job_item', 'operation_log']) {
      const { rows } = await server.db.database.systemPool.query<{ text: string }>(
        `select string_agg(t::text, '|') as text from ${table} t`,
      );
      expect(rows[0]?.text ?? '').not.toContain(key);
      expect(rows[0]?.text ?? '').not.toContain(Buffer.from(key).toString('hex'));
    }
  });
});

describe('a preview', () => {
  it('says per device what would change, who would drop and what cannot be done, and changes nothing', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
    const stations = [1, 2].map((n) => ({ station: `02:00:00:00:00:0${n}`, rssi: -50 }));
    device.state({
      unit: { uptime: 1 },
      interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'Lobby', band: '5G', associations: stations }] }],
    });
    await listedAs(server, owner, identity.serial, { online_user: 2 });
    const [lobby] = (await wireless(gwid)).ssids;
    const { key: _, ...same } = ssid('Lobby', { id: lobby?.id });
    const look = async (ssids: object[], radios: object[] = []) =>
      (await call<{ devices: object[]; totals: object }>('/api/v3/network/wireless/preview', { gwid, ssids, radios }))
        .data;
    expect(await look([same])).toMatchObject({
      devices: [{ effect: 'unchanged', changes: [], terminals: 0 }],
      totals: { changed: 0 },
    });
    const changed = await look([{ ...same, key: 'goodbye-2026' }, ssid('New', { bands: ['6G'], security: 'sae' })]);
    expect(changed).toMatchObject({
      devices: [
        {
          serial: identity.serial,
          effect: 'changed',
          changes: [{ path: '/interfaces/WAN/ssids/Lobby/encryption/key' }],
          findings: [
            { code: 'no_radio', field: 'ssids.1.bands' },
            { code: 'ssid_left_out', field: 'ssids.1' },
          ],
          terminals: 2,
        },
      ],
      totals: { devices: 1, changed: 1, wrong: 0, offline: 0, terminals: 2 },
    });
    expect(JSON.stringify(changed)).not.toContain('goodbye-2026');
    expect((await wireless(gwid)).version).toBe(1);
    expect(pushes(device)).toBe(1);
  });
});

describe('a push', () => {
  it('goes out once when settings are saved twice while a device is busy, and ends with the last of them', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity, { applyMs: 400 });
    const first = await save(gwid, 0, [ssid('One')]);
    await device.command('configure');
    const second = await save(gwid, 1, [ssid('Two')]);
    const third = await save(gwid, 2, [ssid('Three')]);
    await ended(third, 'applied');
    await ended(second, 'skipped');
    await ended(first, 'applied');
    expect(running(device)).toContain('Three');
    expect(pushes(device)).toBe(2);
    await stands(identity.serial, { state: 'in_sync' });
  });

  it('that the device has refused is not tried again unchanged, by nobody', async () => {
    const { gwid, identity } = await network();
    const render = (document: object) =>
      JSON.stringify(document).includes('Bad')
        ? { error: 2 as const, rejected: ['[E] bad name'] }
        : { error: 0 as const, rejected: [] };
    const device = await online(identity, { render });
    await ended(await save(gwid, 0, [ssid('Good')]), 'applied');
    await ended(await save(gwid, 1, [ssid('Bad')]), 'rejected');
    await stands(identity.serial, { state: 'failed', reasons: ['[E] bad name'], can_retry: false });
    expect(await call('/api/v3/device/config/retry', { serial: identity.serial })).toMatchObject({
      code: 4114,
      data: { reasons: ['[E] bad name'] },
    });
    await ended(await save(gwid, 2, [ssid('Bad')]), 'skipped');
    await ended(await save(gwid, 3, [ssid('Good')]), 'applied');
    await ended(await save(gwid, 4, [ssid('Bad')]), 'skipped');
    await stands(identity.serial, { state: 'failed', reasons: ['[E] bad name'] });
    expect(running(device)).toContain('Good');
    expect(pushes(device)).toBe(3);
    // another firmware may think otherwise
    await device.cut();
    const upgraded = await online(identity, {
      render: () => ({ error: 0, rejected: [] }),
      flash: device.flash,
      firmware: 'TIP-6',
    });
    await stands(identity.serial, { state: 'in_sync' });
    expect(running(upgraded)).toContain('Bad');
  });

  it('goes on after a restart of the server, and believes what the device says then', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity, { applyMs: 60_000 });
    const saved = await save(gwid, 0, [ssid('Torn')]);
    const { params } = await device.command('configure');
    await server.restart();
    await stands(identity.serial, { state: 'applying' });
    device.flash.active = (params as { uuid: number }).uuid;
    const back = await online({ ...identity, port: server.program.devicePort }, { flash: device.flash });
    await ended(saved, 'applied');
    await stands(identity.serial, { state: 'in_sync', active: { uuid: (params as { uuid: number }).uuid } });
    expect(pushes(back)).toBe(0);
  });

  it('goes to a device that joins a configured network, once its first report shows what it is', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const identity = { ...(await enrol(server, owner, { gwid })), port: server.program.devicePort };
    const device = await online(identity);
    expect(pushes(device)).toBe(0);
    device.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    await device.command('configure');
    await stands(identity.serial, { state: 'in_sync' });
    expect(running(device)).toContain('Lobby');
  });
});

describe('a device that runs something else', () => {
  it('is shown as drifted, and brought back when somebody says so', async () => {
    const { gwid, identity: enrolled } = await network();
    const identity = { ...enrolled, port: server.program.devicePort };
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Ours')]), 'applied');
    const foreign = {
      uuid: device.uuidActive + 50,
      interfaces: [{ role: 'upstream', ethernet: [{ 'select-ports': ['WAN*'] }] }],
    };
    await device.cut();
    device.flash.store(foreign.uuid, foreign);
    device.flash.active = foreign.uuid;
    const back = await online(identity, { flash: device.flash });
    await stands(identity.serial, {
      state: 'drifted',
      can_retry: true,
      active: { uuid: foreign.uuid, document: null },
    });
    await listedAs(server, owner, identity.serial, { sync_state: 'drifted' });
    expect(pushes(back)).toBe(0);
    await ended(await call<{ job_id: string }>('/api/v3/device/config/retry', { serial: identity.serial }), 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    expect(running(back)).toContain('Ours');
    expect(back.uuidActive).toBeGreaterThan(foreign.uuid);
    const versions = await call<{ list: object[]; total: number }>('/api/v3/device/config/versions', {
      serial: identity.serial,
    });
    expect(versions.data).toMatchObject({
      total: 2,
      list: [
        { cause: 'retry', outcome: 'applied' },
        { cause: 'wireless_saved', outcome: 'applied' },
      ],
    });
  });
});

describe("a device's own settings", () => {
  it('win over the network, say where each value comes from, and go with the device', async () => {
    const { gwid, identity: enrolled } = await network();
    const identity = { ...enrolled, port: server.program.devicePort };
    const device = await online(identity);
    const radios = [radio('5G', { channel: 36, power: 'high' })];
    await ended(await save(gwid, 0, [ssid('Lobby'), ssid('Guest')], { radios }), 'applied');
    const guest = (await wireless(gwid)).ssids[1]?.id;
    const own = { serial: identity.serial, version: 0, radios: [radio('5G', { power: 'low' })], ssids_off: [guest] };
    const saved = await call<Saved>('/api/v3/ap/override/save', own);
    await ended(saved, 'applied');
    expect(await call('/api/v3/ap/override/save', own)).toMatchObject({ code: 4104 });
    expect(running(device)).toContain('"tx-power":8');
    expect(running(device)).not.toContain('Guest');
    const { data } = await call<{ effective: object[] }>('/api/v3/ap/override/get', { serial: identity.serial });
    expect(data.effective[1]).toMatchObject({
      band: '5G',
      channel: { value: 36, source: 'network' },
      power: { value: 'low', source: 'device' },
      mode: { value: 'HE', source: 'default' },
    });
    expect(await call('/api/v3/device/unbind', { serial: identity.serial })).toMatchObject({
      code: 2000,
      data: { removed: expect.arrayContaining([{ part: 'configuration', count: 1 }]) },
    });
    const { rows } = await asOwner(server.db.owner, (client) =>
      client.query(
        `select 1 from config_version where serial = $1 union all select 1 from device_override where serial = $1`,
        [identity.serial],
      ),
    );
    expect(rows).toEqual([]);
  });
});

describe('a device of a configured network', () => {
  it('is given its new name, and the settings of the network it is moved to', async () => {
    const { gwid, identity: enrolled } = await network();
    const identity = { ...enrolled, port: server.program.devicePort };
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Here')]), 'applied');
    expect(await call('/api/v3/ap/update', { serial: identity.serial, remark: 'Counter-1' })).toMatchObject({
      code: 2000,
    });
    await expect.poll(() => running(device), { timeout: 10_000, interval: 30 }).toContain('Counter-1');
    const other = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Other' });
    await save(other.data.gwid, 0, [ssid('There')]);
    expect(await call('/api/v3/device/adopt', { serial: identity.serial, gwid: other.data.gwid })).toMatchObject({
      code: 2000,
    });
    await expect.poll(() => running(device), { timeout: 10_000, interval: 30 }).toContain('There');
    expect(running(device)).not.toContain('Here');
    await stands(identity.serial, { state: 'in_sync' });
    expect(pushes(device)).toBe(3);
  });

  it('bridges where another device is the gateway, and routes where it is that itself', async () => {
    const { gwid, identity: enrolled } = await network();
    const port = server.program.devicePort;
    const routing = {
      unit: { uptime: 1 },
      interfaces: [{ name: 'up0v0' }, { name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'] } }],
    };
    const gateway = await online({ ...enrolled, port });
    gateway.state(routing);
    await expect
      .poll(async () => (await call<{ sn: string }>('/api/v3/network/detail', { gwid })).data.sn, {
        timeout: 10_000,
        interval: 30,
      })
      .toBe(enrolled.serial);
    const second = await online({ ...(await enrol(server, owner, { gwid })), port });
    second.state(routing);
    await listedAs(server, owner, second.options.serial, { as_of: expect.any(String) });
    await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied', 'applied');
    expect(running(gateway)).toContain('"downstream"');
    expect(running(second)).not.toContain('"downstream"');
  });
});
