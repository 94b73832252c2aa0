import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import { asOwner } from '../../../test/database.ts';
import { numbered } from '../../../test/numbered.ts';
import {
  call,
  config,
  ended,
  expectConfig,
  fixture,
  key,
  network,
  online,
  pushes,
  radio,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
  whileHeld,
  wireless,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

describe('wireless settings', () => {
  it('keep saved values and omitted keys, and return no key', async () => {
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

  it('say that they wait when every device of the network is offline', async () => {
    const { gwid } = await network();
    const identities = [
      await enrol(fixture.server, fixture.owner, { gwid }),
      await enrol(fixture.server, fixture.owner, { gwid }),
    ];
    const [first, second] = [await online(identities[0]!), await online(identities[1]!)];
    await first.cut();
    await listedAs(fixture.server, fixture.owner, identities[0]!.serial, { status: 'offline' });
    expect(await save(gwid, 0, [ssid('Lobby')])).toMatchObject({ data: { version: 1, offline: false } });
    await second.cut();
    await listedAs(fixture.server, fixture.owner, identities[1]!.serial, { status: 'offline' });
    const saved = await save(gwid, 1, [ssid('Foyer')]);
    expect(saved).toMatchObject({ code: 2000, data: { version: 2, offline: true } });
    await first.connect();
    await expect.poll(() => JSON.stringify(running(first))).toContain('Foyer');
  });

  it('start no job where no device is, and are pushed to the one that joins', async () => {
    const jobs = async () => (await call<{ list: { total: number }[]; total: number }>('/api/v3/job/list', {})).data;
    const { data } = await call<{ gwid: string }>('/api/v3/network/create', {
      remark: numbered(fixture.owner, 'Empty'),
    });
    const before = (await jobs()).total;
    expect(await save(data.gwid, 0, [ssid('Lobby')])).toMatchObject({
      code: 2000,
      data: { job_id: null, version: 1, offline: false },
    });
    expect(await jobs()).toMatchObject({ total: before });
    const log = await call<{ list: object[] }>('/api/v3/log/action/list', { keyword: data.gwid });
    expect(log.data.list[0]).toMatchObject({ action: 'network.wireless.save', job_id: null });
    const identity = await enrol(fixture.server, fixture.owner, { gwid: data.gwid });
    const device = await online(identity);
    device.state({ interfaces: [{ name: 'up0v0' }], unit: {} });
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(device)).toContain('Lobby');
    expect((await jobs()).list.map(({ total }) => total)).not.toContain(0);
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
    [{ ssids: [ssid('a', { key: 'x'.repeat(64) })] }, 'ssids.0.key'],
    [{ ssids: [ssid('   ')] }, 'ssids.0.name'],
    [{ ssids: [ssid('a'), ssid('a')] }, 'ssids.1.name'],
    [{ ssids: [ssid('Lobby'), ssid('Lobby ')] }, 'ssids.1.name'],
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
    const { data } = await call<{ gwid: string }>('/api/v3/network/create', {
      remark: numbered(fixture.owner, 'Wrong'),
    });
    const answer = await save(data.gwid, 0, [], wrong);
    expect(answer).toMatchObject({ status: 422, code: 422 });
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);
    expect(answer.errors?.[field]?.[0]).not.toContain('validation.');
    expect((await wireless(data.gwid)).version).toBe(0);
  });

  it('take every key that IEEE 802.11 has, and send those that the firmware takes', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    const hex = '0123456789abcdef'.repeat(4);
    await ended(await save(gwid, 0, [ssid('Lobby', { key: ' Admin$12345 ' }), ssid('Lift', { key: hex })]), 'applied');
    expect(running(device)).toContain('" Admin$12345 "');
    expect(running(device)).not.toContain(hex);
    expect(await wireless(gwid)).toMatchObject({ ssids: [{ name: 'Lobby' }, { name: 'Lift' }] });
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
      const { rows } = await fixture.server.db.database.systemPool.query<{ text: string }>(
        `select string_agg(t::text, '|') as text from ${table} t`,
      );
      expect(rows[0]?.text ?? '').not.toContain(key);
      expect(rows[0]?.text ?? '').not.toContain(Buffer.from(key).toString('hex'));
    }
  });
});

describe('undoing a save', () => {
  const undo = (seq: number) => call<{ job_id: string }>('/api/v3/log/action/undo', { seq });
  const saves = async (gwid: string) => {
    const { data } = await call<{ list: { seq: number; action: string; undoable: boolean; undoes: number | null }[] }>(
      '/api/v3/log/action/list',
      { object_type: 'network', object_id: gwid },
    );
    return data.list;
  };

  it('brings back settings, keys and a removed SSID, and can be undone itself', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby'), ssid('Staff', { key: 'second-2026' })]), 'applied');
    const [lobby] = (await wireless(gwid)).ssids;
    await ended(await save(gwid, 1, [ssid('Lobby', { id: lobby!.id, key: 'goodbye-2026' })]), 'applied');
    const preview = await call<{ drops: object[] }>('/api/v3/network/wireless/revert_preview', { gwid, to: 1 });
    expect(preview.data.drops).toEqual([{ cause: 'ssid_added', devices: 1, radios: 2, terminals: 0 }]);
    const [latest] = await saves(gwid);
    await ended(await undo(latest!.seq), 'applied');
    expect((await wireless(gwid)).ssids.map(({ id, name }) => [id, name])).toEqual([
      [lobby!.id, 'Lobby'],
      [expect.any(String), 'Staff'],
    ]);
    expect(running(device)).toContain(key);
    expect(running(device)).toContain('second-2026');
    const [undone] = await saves(gwid);
    expect(undone).toMatchObject({ undoes: latest!.seq, undoable: true });
    await ended(await undo(undone!.seq), 'applied');
    expect(running(device)).toContain('goodbye-2026');
    expect(running(device)).not.toContain('Staff');
  });

  it('is still possible after other settings of the network have changed', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
    await call('/api/v3/network/update', { gwid, remark: 'Renamed' });
    await call('/api/v3/map/place', { gwid, lat: 30, lng: 120 });
    const row = (await saves(gwid)).find(({ action }) => action === 'network.wireless.save');
    expect(row).toMatchObject({ undoable: true });
    await ended(await undo(row!.seq), 'applied');
    expect(running(device)).not.toContain('Lobby');
    expect(await undo(row!.seq)).toMatchObject({ code: 4104 });
    expect((await call<{ remark: string }>('/api/v3/network/detail', { gwid })).data.remark).toBe('Renamed');
  });

  it('is refused when the settings were saved since, and leaves them', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const [first] = await saves(gwid);
    await save(gwid, 1, [ssid('Other')]);
    expect(await undo(first!.seq)).toMatchObject({ code: 4104 });
    expect((await wireless(gwid)).ssids.map(({ name }) => name)).toEqual(['Other']);
    expect(await call('/api/v3/network/wireless/revert', { gwid, version: 1, to: 0 })).toMatchObject({ code: 4104 });
    expect(await call('/api/v3/network/wireless/revert', { gwid, version: 2, to: 9 })).toMatchObject({ code: 4116 });
  });

  it('of the first save leaves a network without SSIDs, and keeps no key in clear', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    expect(await undo((await saves(gwid))[0]!.seq)).toMatchObject({ code: 2000 });
    expect((await wireless(gwid)).ssids).toEqual([]);
    const { rows } = await fixture.server.db.database.systemPool.query<{ text: string }>(
      "select string_agg(t::text, '|') as text from wireless_past t",
    );
    expect(rows[0]?.text).toContain('Lobby');
    expect(rows[0]?.text).not.toContain(key);
    expect(rows[0]?.text).not.toContain(Buffer.from(key).toString('hex'));
  });
});

describe('a preview', () => {
  it('of a first configuration says that it replaces everything', async () => {
    const { gwid, identity } = await network();
    await call('/api/v3/network/first_contact/save', { gwid, left_alone: true, bridge_lan: false });
    await online(identity);
    await expectConfig(identity.serial, { first_contact: { outcome: 'left' }, awaits_report: false });
    const { data } = await call('/api/v3/network/wireless/preview', { gwid, ssids: [ssid('Lobby')], radios: [] });
    expect(data).toMatchObject({ devices: [{ effect: 'changed', first: true, changes: [{ before: null }] }] });
  });

  it('lists changes, disconnecting clients and findings per device, and changes nothing', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
    const stations = [1, 2].map((n) => ({ station: `02:00:00:00:00:0${n}`, rssi: -50 }));
    device.state({
      unit: { uptime: 1 },
      interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'Lobby', band: '5G', associations: stations }] }],
    });
    await listedAs(fixture.server, fixture.owner, identity.serial, { online_user: 2 });
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
          first: false,
          wired: false,
          changes: [{ path: '/interfaces/WAN/ssids/Lobby/encryption/key' }],
          findings: [
            { code: 'no_radio', field: 'ssids.1.bands' },
            { code: 'ssid_left_out', field: 'ssids.1' },
          ],
          terminals: 2,
        },
      ],
      totals: { devices: 1, changed: 1, wrong: 0, offline: 0, terminals: 2 },
      drops: [{ cause: 'ssid_changed', devices: 1, radios: 0, terminals: 2 }],
    });
    expect(JSON.stringify(changed)).not.toContain('goodbye-2026');
    expect((await wireless(gwid)).version).toBe(1);
    expect(pushes(device)).toBe(1);
  });
});

async function away(): Promise<{ gwid: string; serial: string }> {
  const { gwid, identity } = await network();
  const device = await online(identity);
  await ended(await save(gwid, 0, [ssid('Here')]), 'applied');
  await device.cut();
  await listedAs(fixture.server, fixture.owner, identity.serial, { status: 'offline' });
  return { gwid, serial: identity.serial };
}

it('a device that was renamed is looked at again where the first look came to nothing', async () => {
  const { serial } = await away();
  const { owner, database } = fixture.server.db;
  const alter = (from: string, to: string) =>
    asOwner(owner, (client) => client.query(`alter table ${from} rename to ${to}`));
  await alter('config_version', 'elsewhere');
  try {
    expect(await call('/api/v3/ap/update', { serial, remark: 'Counter-2' })).toMatchObject({
      code: 2000,
    });
    const failed = () =>
      database.systemPool.query(
        'update graphile_worker._private_jobs set run_at = now() where key like $1 and last_error is not null returning id',
        [`devices-changed:%.${serial}`],
      );
    await expect.poll(async () => (await failed()).rowCount).toBe(1);
  } finally {
    await alter('elsewhere', 'config_version');
  }
  await expectConfig(serial, { state: 'pending', desired: expect.anything() });
  expect(JSON.stringify(await config(serial))).toContain('Counter-2');
});

it('a look that waits for settings to be saved wants what they are then', async () => {
  const { gwid, serial } = await away();
  let saved: Promise<unknown> | undefined;
  await whileHeld(serial, async ({ waitedFor }) => {
    saved = save(gwid, 1, [ssid('New')]);
    await waitedFor(1);
    expect(await call('/api/v3/ap/update', { serial, remark: 'Counter-3' })).toMatchObject({
      code: 2000,
    });
    await waitedFor(2);
  });
  await saved;
  const wanted = async () => JSON.stringify((await config(serial)).desired?.document);
  await expect.poll(wanted).toContain('Counter-3');
  expect(await wanted()).toContain('New');
});

it('a save that deadlocks with another one is retried silently', async () => {
  const { gwid, identity } = await network();
  await ended(await save(gwid, 0, [ssid('Old')]), 'skipped');
  // the waiter of one second gives way, nearly always the save
  for (let [version, gaveWay] = [1, false]; !gaveWay; version += 1) {
    let saved: ReturnType<typeof save> | undefined;
    await whileHeld(identity.serial, async ({ query, waitedFor }) => {
      saved = save(gwid, version, [ssid(`New-${version}`)]);
      await waitedFor(1);
      gaveWay = await query('select from wireless_intent where gwid = $1 for update', [gwid]).then(
        () => true,
        () => false,
      );
    });
    expect(await saved).toMatchObject({ code: 2000, data: { version: version + 1 } });
    expect((await wireless(gwid)).ssids).toMatchObject([{ name: `New-${version}` }]);
  }
});

it('a device that enrols into a network while its settings are saved gets them', async () => {
  const { gwid, identity } = await network();
  await ended(await save(gwid, 0, [ssid('Old')]), 'skipped');
  let saved: Promise<unknown> | undefined;
  let device: AccessPoint | undefined;
  await whileHeld(identity.serial, async ({ waitedFor }) => {
    saved = save(gwid, 1, [ssid('New')]);
    await waitedFor(1);
    device = await online(await enrol(fixture.server, fixture.owner, { gwid }));
    device.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    await expect.poll(() => running(device!)).toContain('Old');
  });
  expect(await saved).toMatchObject({ code: 2000 });
  await expect.poll(() => running(device!)).toContain('New');
});
