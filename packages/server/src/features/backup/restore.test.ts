import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol } from '../../../test/conformance/device-client.ts';
import {
  call,
  ended,
  expectConfig,
  fixture,
  network,
  online,
  radio,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
  whileHeld,
  wireless,
} from '../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../configuration/testing/gateway.ts';
import { backups, check, create, diff, type Listed, restore } from './testing/calls.ts';

beforeAll(startFixture);
afterAll(stopFixture);

it('comes back to a network without devices, and no job is made', async () => {
  const { gwid } = (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Empty' })).data;
  await save(gwid, 0, [ssid('Lobby')]);
  const { id } = (await create([gwid])).data.made[0]!;
  const { version, ssids } = await wireless(gwid);
  await save(gwid, version, [{ ...ssid('Guests'), id: ssids[0]!.id }]);
  const jobs = async () => (await call<Listed<object>>('/api/v3/job/list', { limit: 1 })).data.total;
  const before = await jobs();
  const target = { id, sections: ['wireless'] };
  const reported = (await check(target)).data;
  expect(reported).toMatchObject({ ok: true, preview: { devices: [], totals: { devices: 0 } } });
  const restored = await restore({ ...target, base: reported.base });
  expect(restored).toMatchObject({ code: 2000, data: { job_id: null } });
  expect((await wireless(gwid)).ssids.map(({ name }) => name)).toEqual(['Lobby']);
  const { data } = await call<Listed<{ snapshot_id: string }>>('/api/v3/cloud_backup/restore/list', { gwid });
  expect(data.list).toMatchObject([{ job_id: null, status: null, snapshot_id: expect.any(String) }]);
  expect(await restore({ ...target, id: data.list[0]!.snapshot_id })).toMatchObject({ data: { job_id: null } });
  expect((await wireless(gwid)).ssids.map(({ name }) => name)).toEqual(['Guests']);
  expect(await jobs()).toBe(before);
});

describe('a restore', () => {
  it('brings back what an access point ran, byte for byte, and keeps what was in force', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby')], { radios: [radio('5G', { channel: 36 })] }), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    const before = JSON.parse(running(device)) as { uuid: number };
    await ended(await save(gwid, 1, [ssid('Guests')]), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    const [backup] = await backups(gwid);
    const body = { id: backup!.id, sections: ['wireless'] };
    const { data: reported } = await check(body);
    expect(reported).toMatchObject({
      ok: true,
      problems: [],
      returns_within_s: null,
      preview: { totals: { changed: 1 } },
    });
    expect(reported.not_restored.map(({ what }) => what)).toContain('firmware');
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Guests');
    expect(await restore({ ...body, base: 'something else' })).toMatchObject({ code: 4104 });

    const done = await restore({ ...body, base: reported.base });
    await ended(done, 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    const after = JSON.parse(running(device)) as { uuid: number };
    expect({ ...after, uuid: 0 }).toEqual({ ...before, uuid: 0 });
    expect((await backups(gwid))[0]).toMatchObject({ type: 'pre_change', cause: 'restored' });

    const restores = await call<Listed<{ snapshot_id: string; status: string }>>('/api/v3/cloud_backup/restore/list', {
      gwid,
    });
    expect(restores.data.list).toMatchObject([{ backup_id: backup!.id, status: 'succeeded' }]);
    const back = await restore({ id: restores.data.list[0]!.snapshot_id, sections: ['wireless'] });
    await ended(back, 'applied');
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Guests');
  });

  it('keeps settings saved at the same moment for a device that is not in the backup', async () => {
    const { gwid, identity: known } = await network();
    const identity = await enrol(fixture.server, fixture.owner, { gwid });
    const own = (serial: string, version: number, lan: string) =>
      call<{ job_id: string }>('/api/v3/ap/override/save', {
        serial,
        version,
        radios: [],
        ssids_off: [],
        lan_address: lan,
      });
    await ended(await own(known.serial, 0, '192.168.7.1/24'), 'skipped');
    const id = (await create([gwid])).data.made[0]!.id;
    await ended(await own(identity.serial, 0, '192.168.8.1/24'), 'skipped');
    let [saved, restored]: Promise<unknown>[] = [];
    await whileHeld(identity.serial, async ({ waitedFor }) => {
      saved = own(identity.serial, 1, '192.168.9.1/24');
      await waitedFor(1);
      restored = restore({ id, sections: ['devices'] });
      await waitedFor(2);
    });
    expect([await saved, await restored]).toMatchObject([{ code: 2000 }, { code: 2000 }]);
    expect((await call('/api/v3/ap/override/get', { serial: identity.serial })).data).toMatchObject({
      lan_address: '192.168.9.1/24',
    });
  });

  it('is taken back from the operation log', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    await save(gwid, 1, [ssid('Guests')]);
    const [backup] = await backups(gwid);
    expect((await restore({ id: backup!.id, sections: ['wireless', 'devices'] })).code).toBe(2000);
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Lobby');
    const { data } = await call<Listed<object>>('/api/v3/cloud_backup/restore/list', { gwid });
    expect(data.list).toMatchObject([{ sections: ['wireless'] }]);
    const log = await call<Listed<{ seq: number; action: string }>>('/api/v3/log/action/list', { limit: 1 });
    expect(log.data.list[0]!.action).toBe('backup.restore');
    expect((await call('/api/v3/log/action/undo', { seq: log.data.list[0]!.seq })).code).toBe(2000);
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Guests');
  });

  it('is not offered to be taken back where the snapshot could not: it leaves what it holds nothing of', async () => {
    const { gwid: other } = await network();
    await save(other, 0, [ssid('Lobby')]);
    const id = (await create([other])).data.made[0]!.id;
    const { gwid, identity } = await gatewayNetwork();
    await connectGateway(identity);
    expect((await call('/api/v3/network/gateway/save', { gwid, version: 0, settings: settings({}) })).code).toBe(2000);
    expect((await restore({ id, gwid, sections: ['wireless'] })).code).toBe(2000);
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Lobby');
    const log = await call<Listed<{ seq: number; action: string }>>('/api/v3/log/action/list', { limit: 1 });
    expect(log.data.list).toMatchObject([{ action: 'backup.restore', undoable: false }]);
    expect((await call('/api/v3/log/action/undo', { seq: log.data.list[0]!.seq })).code).toBe(4116);
  });

  it('maps the ports of a gateway, says what has no place, and is held back where nothing is left', async () => {
    const { gwid, identity } = await gatewayNetwork();
    await connectGateway(identity);
    const wanted = settings({ confirm_s: 600 });
    expect((await call('/api/v3/network/gateway/save', { gwid, version: 0, settings: wanted })).code).toBe(2000);
    const id = (await create([gwid])).data.made[0]!.id;
    const body = { id, sections: ['gateway'] };
    const same = (await check(body)).data;
    expect(same.port_map).toEqual(['WAN1', 'WAN2', 'LAN1'].map((port) => ({ from: port, to: port })));
    expect(same).toMatchObject({ ok: true, returns_within_s: 300 });
    expect(same.not_restored).toContainEqual({ what: 'confirm_shortened', params: { from: 600, to: 300 } });
    const fewer = [
      { from: 'WAN2', to: null },
      { from: 'LAN1', to: 'LAN2' },
    ];
    const mapped = (await check({ ...body, port_map: fewer })).data;
    expect(mapped.ok).toBe(true);
    expect(mapped.not_restored).toContainEqual({ what: 'line_dropped', params: { name: 'Fibre', port: 'WAN2' } });
    const none = ['WAN1', 'WAN2', 'LAN1'].map((from) => ({ from, to: null }));
    const empty = (await check({ ...body, port_map: none })).data;
    expect(empty.ok).toBe(false);
    const done = await restore({ ...body, port_map: fewer, base: mapped.base });
    await ended(done, 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    const got = await call<{ settings: { lines: object[]; networks: object[] } }>('/api/v3/network/gateway/get', {
      gwid,
    });
    expect(got.data.settings).toMatchObject({ lines: [{ port: 'WAN1' }], networks: [{ ports: ['LAN2'] }] });
  });

  it('puts a router with fewer ports in the place of another, with all but what has no port', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const old = await connectGateway(identity);
    const usual = settings();
    const wanted = settings({
      lines: usual.lines.map((wan) => ({ ...wan, metered: wan.name === 'Fibre' })),
      routes: [...usual.routes, { to: '10.77.0.0/16', via: 'Fibre' }],
    });
    await ended(
      await call<{ job_id: string }>('/api/v3/network/gateway/save', { gwid, version: 0, settings: wanted }),
      'applied',
    );
    await call('/api/v3/network/update', { gwid, remark: 'Kiosk', tags: ['Hotel'] });
    const id = (await create([gwid])).data.made[0]!.id;
    await old.cut();
    const spare = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Store' });
    const fresh = await enrol(fixture.server, fixture.owner, { gwid: spare.data.gwid, platform: 'olg' });
    await connectGateway(fresh, { WAN1: 'eth0', LAN1: 'eth1' });
    expect((await call('/api/v3/ap/replace', { serial: identity.serial, by: fresh.serial })).code).toBe(2000);

    const body = { id, sections: ['gateway', 'wireless', 'devices'] };
    const { data: reported } = await check(body);
    expect(reported).toMatchObject({ ok: true, returns_within_s: 90 });
    expect(reported.port_map).toEqual([
      { from: 'WAN1', to: 'WAN1' },
      { from: 'WAN2', to: null },
      { from: 'LAN1', to: 'LAN1' },
    ]);
    expect(reported.not_restored).toContainEqual({ what: 'line_dropped', params: { name: 'Fibre', port: 'WAN2' } });
    expect(reported.not_restored).toContainEqual({ what: 'route_dropped', params: { to: '10.77.0.0/16' } });
    await ended(await restore({ ...body, port_map: reported.port_map, base: reported.base }), 'applied');
    await expectConfig(fresh.serial, { state: 'in_sync' });
    const after = await call<{ settings: object }>('/api/v3/network/gateway/get', { gwid });
    // only the dropped WAN and the route over it differ
    expect(after.data.settings).toEqual({ ...wanted, lines: wanted.lines.slice(0, 1), routes: usual.routes });
    const { data } = await call<{ remark: string; tags: string[]; sn: string }>('/api/v3/network/detail', { gwid });
    expect(data).toMatchObject({ remark: 'Kiosk', tags: ['Hotel'], sn: fresh.serial });
    expect((await backups(gwid)).map((row) => row.id)).toContain(id);
  });

  it('brings back which templates a network and its devices run, and says which are gone', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    const make = async (name: string) => {
      const given = { kind: 'wireless', name, ssids: [ssid(name)], radios: [] };
      return (await call<{ id: string }>('/api/v3/wireless_template/create', given)).data.id;
    };
    const give = async (id: string) => {
      const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
      const answer = await call<{ job_id: string }>('/api/v3/wireless_template/apply', { id, gwids: [gwid], plan });
      await ended(answer, 'applied');
      await expectConfig(identity.serial, { state: 'in_sync' });
    };
    const [winter, summer] = [await make('Winter'), await make('Summer')];
    await give(winter);
    const before = JSON.parse(running(device)) as { uuid: number };
    // a template alone is worth a backup
    expect((await create([gwid])).data.made).toHaveLength(1);
    const [backup] = await backups(gwid);
    await give(summer);
    const since = (await diff(backup!.id)).data.changes.map(({ path, before: from, after }) => [path, from, after]);
    expect(since).toContainEqual(['/templates/network wireless/name', 'Winter', 'Summer']);
    const body = { id: backup!.id, sections: ['templates'] };
    const { data: reported } = await check(body);
    expect(reported).toMatchObject({ ok: true, preview: { totals: { changed: 1 } } });
    await ended(await restore({ ...body, base: reported.base }), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect({ ...(JSON.parse(running(device)) as object), uuid: 0 }).toEqual({ ...before, uuid: 0 });

    const { made } = (await create([gwid])).data;
    await give(summer);
    expect((await call('/api/v3/wireless_template/delete', { id: winter })).code).toBe(2000);
    const gone = (await check({ id: made[0]!.id, sections: ['templates'] })).data;
    expect(gone.not_restored).toContainEqual({ what: 'template_gone', params: { name: 'Winter' } });
  });

  it('leaves out what a device got from a deleted group: no device runs the template, and it can be deleted', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    const given = { kind: 'wireless', name: 'Rooms', ssids: [ssid('Rooms')], radios: [] };
    const { id } = (await call<{ id: string }>('/api/v3/wireless_template/create', given)).data;
    const group = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Floor' })).data.id;
    await call('/api/v3/ap/group/assign', { serials: [identity.serial], id: group });
    const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
    const push = { id, group_ids: [group], plan };
    await ended(await call<{ job_id: string }>('/api/v3/wireless_template/apply', push), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    const { made } = (await create([gwid])).data;
    expect((await call('/api/v3/ap/group/delete', { id: group })).code).toBe(2000);
    await expect.poll(() => running(device)).not.toContain('Rooms');
    await expectConfig(identity.serial, { state: 'in_sync' });

    const body = { id: made[0]!.id, sections: ['templates'] };
    const { data: reported } = await check(body);
    expect(reported.not_restored).toContainEqual({
      what: 'group_left',
      params: { name: 'Rooms', device: expect.any(String) },
    });
    expect((await restore({ ...body, base: reported.base })).code).toBe(2000);
    expect(running(device)).not.toContain('Rooms');
    expect((await call('/api/v3/wireless_template/delete', { id })).code).toBe(2000);
  });
});
