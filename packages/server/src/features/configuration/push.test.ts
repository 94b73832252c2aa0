import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import { asOwner } from '../../../test/database.ts';
import { hold } from '../../../test/hold.ts';
import {
  call,
  ended,
  expectConfig,
  fixture,
  items,
  network,
  online,
  pushes,
  radio,
  running,
  type Saved,
  save,
  ssid,
  startFixture,
  stopFixture,
  wireless,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const reaches = (serial: string) =>
  asOwner(fixture.server.db.owner, async (client) => {
    const found = await client.query('select band, dbm from radio_reach where serial = $1 order by band', [serial]);
    return found.rows;
  });

const render = (document: object) =>
  JSON.stringify(document).includes('Bad')
    ? { error: 2 as const, rejected: ['[E] bad name'] }
    : { error: 0 as const, rejected: [] };

describe('a push', () => {
  it('goes out once when settings are saved twice while a device is busy, and ends with the last of them', async () => {
    const { gwid, identity } = await network();
    const busy = hold();
    const device = await online(identity, { beforeApply: () => busy.held });
    const first = await save(gwid, 0, [ssid('One')]);
    await device.command('configure');
    const second = await save(gwid, 1, [ssid('Two')]);
    const third = await save(gwid, 2, [ssid('Three')]);
    busy.release();
    await ended(third, 'applied');
    await ended(second, 'skipped');
    await ended(first, 'applied');
    expect(running(device)).toContain('Three');
    expect(pushes(device)).toBe(2);
    await expectConfig(identity.serial, { state: 'in_sync' });
  });

  it('that a newer one waited for gives way to it, also when it has come to nothing', async () => {
    const { gwid, identity } = await network();
    const busy = hold();
    const device = await online(identity, {
      beforeApply: () => busy.held,
      render: () => ({ error: 0, rejected: [] }),
    });
    // a uuid above ours, assigned elsewhere
    const ahead = Math.floor(Date.now() / 1000) + 10_000;
    device.flash.store(ahead, { uuid: ahead });
    const first = await save(gwid, 0, [ssid('One')]);
    await device.command('configure');
    const second = await save(gwid, 1, [ssid('Two')]);
    await ended(second, 'waiting_offline');
    expect(await items(second.data.job_id)).toMatchObject([{ reason: 'job.busy' }]);
    busy.release();
    await ended(first, 'skipped');
    await ended(second, 'applied');
    expect(running(device)).toContain('Two');
  });

  it('that the device refused is not sent again unchanged', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity, { render });
    await ended(await save(gwid, 0, [ssid('Good')]), 'applied');
    await ended(await save(gwid, 1, [ssid('Bad')]), 'rejected');
    await expectConfig(identity.serial, { state: 'failed', reasons: ['[E] bad name'], can_retry: false });
    expect(await call('/api/v3/device/config/retry', { serial: identity.serial })).toMatchObject({
      code: 4114,
      data: { reasons: ['[E] bad name'] },
    });
    await ended(await save(gwid, 2, [ssid('Bad')]), 'skipped');
    await ended(await save(gwid, 3, [ssid('Good')]), 'applied');
    await ended(await save(gwid, 4, [ssid('Bad')]), 'skipped');
    await expectConfig(identity.serial, { state: 'failed', reasons: ['[E] bad name'] });
    expect(running(device)).toContain('Good');
    expect(pushes(device)).toBe(3);
    // other firmware may accept the document
    await device.cut();
    const upgraded = await online(identity, {
      render: () => ({ error: 0, rejected: [] }),
      flash: device.flash,
      firmware: 'TIP-6',
    });
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(upgraded)).toContain('Bad');
  });

  it('goes on after a restart of the server, and believes what the device says then', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity, { applyMs: 60_000 });
    const saved = await save(gwid, 0, [ssid('Torn')]);
    const { params } = await device.command('configure');
    await fixture.server.restart();
    await expectConfig(identity.serial, { state: 'applying' });
    device.flash.active = (params as { uuid: number }).uuid;
    const back = await online({ ...identity, port: fixture.server.program.devicePort }, { flash: device.flash });
    await ended(saved, 'applied');
    await expectConfig(identity.serial, { state: 'in_sync', active: { uuid: (params as { uuid: number }).uuid } });
    expect(pushes(back)).toBe(0);
  });

  it('that a report confirms before its answer runs the document that was sent', async () => {
    const { gwid, identity } = await network();
    const busy = hold();
    const device = await online(identity, { beforeApply: () => busy.held });
    const saved = await save(gwid, 0, [ssid('Told twice')]);
    const { params } = await device.command('configure');
    const { uuid } = params as { uuid: number };
    device.notify('healthcheck', { serial: identity.serial, uuid, sanity: 100, data: {} });
    await expectConfig(identity.serial, { state: 'in_sync', active: { uuid } });
    busy.release();
    await ended(saved, 'applied');
    await asOwner(fixture.server.db.owner, async (client) => {
      const same = 'select active_sha = desired_sha as same from config_state where serial = $1';
      expect((await client.query(same, [identity.serial])).rows).toEqual([{ same: true }]);
    });
  });

  it('that the device tried and took back is refused with its reason, though its answer was lost', async () => {
    const { gwid, identity: enrolled } = await network();
    const identity = { ...enrolled, port: fixture.server.program.devicePort };
    const device = await online(identity, { applyMs: 60_000 });
    const saved = await save(gwid, 0, [ssid('Cut off')]);
    const { params } = await device.command('configure');
    const { uuid } = params as { uuid: number };
    await device.cut();
    const back = await online(identity);
    const soon = Math.floor(Date.now() / 1000);
    back.event('unit.config-pending', { uuid: uuid - 1, until: soon + 60 }, soon);
    back.event('unit.config-pending', { uuid, until: soon + 60 }, soon);
    const trial_until = expect.any(String);
    await expectConfig(identity.serial, { state: 'applying', trial_until, returned_at: null });
    const shown = () => call('/api/v3/network/detail', { gwid });
    expect((await shown()).data).toMatchObject({ sync_state: 'applying', sync_reason: null, trial_until });
    back.event('unit.config-returned', { uuid: uuid - 1, reason: 'an old story' });
    back.event('unit.config-returned', { uuid, reason: 'the console was not reached within 60 s' });
    await ended(saved, 'reverted');
    expect((await items(saved.data.job_id))[0]?.reason).toBe('the console was not reached within 60 s');
    const reason = 'the console was not reached within 60 s';
    const taken = { trial_until: null, returned_at: expect.any(String) };
    await expectConfig(identity.serial, { state: 'failed', ...taken, reasons: [reason] });
    expect((await shown()).data).toMatchObject({ sync_state: 'failed', sync_reason: reason, ...taken });
    expect(pushes(back)).toBe(0);

    // only a manual retry, with a new uuid
    await back.cut();
    const later = await online(identity);
    await expectConfig(identity.serial, { state: 'failed', can_retry: true });
    const again = await call<{ job_id: string }>('/api/v3/device/config/retry', { serial: identity.serial });
    await ended(again, 'applied');
    expect(pushes(later)).toBe(1);
    expect(later.flash.active).toBeGreaterThan(uuid);
  });

  it('goes to a device that joins a configured network, once its first report shows what it is', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const identity = {
      ...(await enrol(fixture.server, fixture.owner, { gwid })),
      port: fixture.server.program.devicePort,
    };
    // reports only when the test sends one
    const device = await online(identity, { shell: 'nothing' });
    expect(pushes(device)).toBe(0);
    await asOwner(fixture.server.db.owner, async (client) => {
      await client.query('begin');
      await client.query('lock table device_latest in exclusive mode');
      device.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
      await expect
        .poll(
          async () =>
            (await client.query("select 1 from pg_locks where relation = 'device_latest'::regclass and not granted"))
              .rowCount,
        )
        .toBeGreaterThan(0);
      expect(pushes(device)).toBe(0);
      await client.query('rollback');
    });
    await device.command('configure');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(device)).toContain('Lobby');
  });
});

describe('a device that runs something else', () => {
  it('is shown as drifted, and corrected on request', async () => {
    const { gwid, identity: enrolled } = await network();
    const identity = { ...enrolled, port: fixture.server.program.devicePort };
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
    await expectConfig(identity.serial, {
      state: 'drifted',
      can_retry: true,
      active: { uuid: foreign.uuid, document: null },
    });
    await listedAs(fixture.server, fixture.owner, identity.serial, { sync_state: 'drifted' });
    expect(pushes(back)).toBe(0);
    await ended(await call<{ job_id: string }>('/api/v3/device/config/retry', { serial: identity.serial }), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(back)).toContain('Ours');
    expect(back.uuidActive).toBeGreaterThan(foreign.uuid);
    const versions = await call<{ list: object[]; total: number }>('/api/v3/device/config/versions', {
      serial: identity.serial,
    });
    expect(versions.data).toMatchObject({
      total: 2,
      list: [
        { cause: 'retry', outcome: 'applied' },
        // the push of the join may be the first to see the saved settings
        { cause: expect.stringMatching(/^(wireless_saved|device_joined|device_changed)$/), outcome: 'applied' },
      ],
    });
  });
});

describe("a device's own settings", () => {
  it('win over the network, say where each value comes from, and go with the device', async () => {
    const { gwid, identity: enrolled } = await network();
    const identity = { ...enrolled, port: fixture.server.program.devicePort };
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
    const { rows } = await asOwner(fixture.server.db.owner, (client) =>
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
    const identity = { ...enrolled, port: fixture.server.program.devicePort };
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Here')]), 'applied');
    expect(await call('/api/v3/ap/update', { serial: identity.serial, remark: 'Counter-1' })).toMatchObject({
      code: 2000,
    });
    await expect.poll(() => running(device)).toContain('Counter-1');
    const other = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Other' });
    await save(other.data.gwid, 0, [ssid('There')]);
    expect(await call('/api/v3/device/adopt', { serial: identity.serial, gwid: other.data.gwid })).toMatchObject({
      code: 2000,
    });
    await expect.poll(() => running(device)).toContain('There');
    expect(running(device)).not.toContain('Here');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(pushes(device)).toBe(3);
  });

  it('steps down a weak radio’s ladder once the radio has shown at "max" how far it reaches', async () => {
    const { gwid, identity: enrolled } = await network();
    const device = await online({ ...enrolled, port: fixture.server.program.devicePort });
    await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
    expect(running(device)).toContain('"tx-power":27');
    device.state({
      unit: { uptime: 1 },
      radios: [
        { band: ['5G'], channel: 36, tx_power: 18 },
        { band: ['2G'], channel: 6, tx_power: 24 },
      ],
    });
    const shown = [
      { band: '2G', dbm: 24 },
      { band: '5G', dbm: 18 },
    ];
    await expect.poll(() => reaches(enrolled.serial)).toEqual(shown);
    const radios = [radio('2G', { power: 'medium' }), radio('5G', { power: 'medium' })];
    await ended(await save(gwid, 1, [ssid('Lobby')], { radios }), 'applied');
    const document = device.flash.files.get(device.flash.active) as { radios: { 'tx-power': number }[] };
    expect(document.radios.map((own) => own['tx-power'])).toEqual([15, 11]);
    expect(pushes(device)).toBe(2);
  });

  it('waits for the first report of its session, also where an older one is known', async () => {
    const { gwid } = await network();
    const port = fixture.server.program.devicePort;
    await save(gwid, 0, [ssid('Lobby')]);
    const enrolled = await enrol(fixture.server, fixture.owner, { gwid });
    // as after a crash
    await asOwner(fixture.server.db.owner, (client) =>
      client.query('insert into device_latest (account_id, serial, at, state) values ($1, $2, now(), $3)', [
        fixture.owner.accountId,
        enrolled.serial,
        deflateSync('{}'),
      ]),
    );
    const gateway = await online({ ...enrolled, port }, { shell: 'nothing' });
    gateway.state({
      unit: { uptime: 1 },
      interfaces: [
        { name: 'up0v0' },
        { name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'], leases: [{ address: '192.168.1.9' }] } },
      ],
    });
    const { params } = await gateway.command('configure');
    expect(JSON.stringify(params)).toContain('"downstream"');
  });
});
