import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol } from '../../../test/conformance/front-door.ts';
import { boxNetwork, connectBox, settings } from '../configuration/testing/gateway.ts';
import {
  call,
  closeHouse,
  ended,
  house,
  key,
  network,
  online,
  openHouse,
  radio,
  running,
  save,
  ssid,
  stands,
  wireless,
} from '../configuration/testing/house.ts';

beforeAll(openHouse);
afterAll(closeHouse);

interface Row {
  id: string;
  type: string;
  cause: string | null;
  note: string;
  pinned: boolean;
  sha256: string;
  size: number;
  created_by: string;
}
interface Listed<T> {
  list: T[];
  total: number;
}
const backups = async (gwid: string) =>
  (await call<Listed<Row>>('/api/v3/cloud_backup/list', { gwid, limit: 50 })).data.list;
const create = (gwids: string[], note = '') =>
  call<{ made: { id: string; gwid: string }[]; empty: number }>('/api/v3/cloud_backup/create', { gwids, note });
const diff = (id: string, other?: string) =>
  call<{ changes: { path: string; before: unknown; after: unknown }[] }>('/api/v3/cloud_backup/diff', {
    id,
    ...(other && { with: other }),
  });
const check = (body: object) =>
  call<{
    ok: boolean;
    base: string;
    problems: object[];
    port_map: { from: string; to: string | null }[];
    not_restored: { what: string; params: object }[];
    settings: { changes: { path: string }[] };
    preview: { devices: { serial: string; effect: string }[]; totals: { changed: number } };
    returns_within_s: number | null;
  }>('/api/v3/cloud_backup/restore_check', body);
const restore = (body: object) => call<{ job_id: string }>('/api/v3/cloud_backup/restore', body);

it('comes back to a network without devices, and no job is made', async () => {
  const { gwid } = (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Empty' })).data;
  await save(gwid, 0, [ssid('Lobby')]);
  const { id } = (await create([gwid])).data.made[0]!;
  const { version, ssids } = await wireless(gwid);
  await save(gwid, version, [{ ...ssid('Guests'), id: ssids[0]!.id }]);
  const jobs = async () => (await call<Listed<object>>('/api/v3/job/list', { limit: 1 })).data.total;
  const before = await jobs();
  const target = { id, sections: ['wireless'] };
  const told = (await check(target)).data;
  expect(told).toMatchObject({ ok: true, preview: { devices: [], totals: { devices: 0 } } });
  const restored = await restore({ ...target, base: told.base });
  expect(restored).toMatchObject({ code: 2000, data: { job_id: null } });
  expect((await wireless(gwid)).ssids.map(({ name }) => name)).toEqual(['Lobby']);
  const { data } = await call<Listed<{ snapshot_id: string }>>('/api/v3/cloud_backup/restore/list', { gwid });
  expect(data.list).toMatchObject([{ job_id: null, status: null, snapshot_id: expect.any(String) }]);
  // the way back is the same
  expect(await restore({ ...target, id: data.list[0]!.snapshot_id })).toMatchObject({ data: { job_id: null } });
  expect((await wireless(gwid)).ssids.map(({ name }) => name)).toEqual(['Guests']);
  expect(await jobs()).toBe(before);
});

describe('backups', () => {
  it('are of what is meant, equal ones kept once, and of nothing there is none', async () => {
    const { gwid } = await network();
    expect((await create([gwid])).data).toEqual({ made: [], empty: 1 });
    await save(gwid, 0, [ssid('Lobby')]);
    const [first, second] = [await create([gwid], 'Before the move'), await create([gwid])];
    expect(first.data.made).toHaveLength(1);
    expect(second.data.made).toHaveLength(1);
    const rows = await backups(gwid);
    expect(rows.map(({ type, note }) => [type, note])).toEqual([
      ['manual', ''],
      ['manual', 'Before the move'],
    ]);
    expect(rows[0]).toMatchObject({ sha256: rows[1]!.sha256, created_by: house.owner.email, pinned: false });
    const { rows: contents } = await house.server.db.database.systemPool.query<{ sealed: Buffer }>(
      'select sealed from backup_content where gwid = $1',
      [gwid],
    );
    expect(contents).toHaveLength(1);
    expect(contents[0]!.sealed.includes(key)).toBe(false);
    expect(JSON.stringify((await call('/api/v3/cloud_backup/detail', { id: rows[0]!.id })).data)).not.toContain(key);
  });

  it('are taken before a change, in its transaction, and only of what is not kept yet', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    expect(await backups(gwid)).toEqual([]);
    const { version, ssids } = await wireless(gwid);
    expect((await save(gwid, version, [{ ...ssid('Guests'), id: ssids[0]!.id, key: 'another-2026' }])).code).toBe(2000);
    const [before] = await backups(gwid);
    expect(before).toMatchObject({ type: 'pre_change', cause: 'wireless_saved' });
    // a refused change leaves none behind
    expect((await save(gwid, version, [ssid('Nobody')])).code).toBe(4104);
    expect(await backups(gwid)).toHaveLength(1);
    const { data } = await diff(before!.id);
    expect(data.changes.map(({ path, before: from, after }) => [path.split('/').at(-1), from, after])).toEqual([
      ['key', '••••••••', '••••••••'],
      ['name', 'Lobby', 'Guests'],
    ]);
    await create([gwid]);
    const [now] = await backups(gwid);
    expect((await diff(before!.id, now!.id)).data.changes).toHaveLength(2);
    expect((await diff(now!.id)).data.changes).toEqual([]);
  });

  it('are pinned, noted and deleted, but not deleted while they are pinned', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const id = (await create([gwid])).data.made[0]!.id;
    await call('/api/v3/cloud_backup/pin', { id, pinned: true });
    await call('/api/v3/cloud_backup/note', { id, note: 'Known to work' });
    expect(await backups(gwid)).toMatchObject([{ pinned: true, note: 'Known to work' }]);
    expect(await call('/api/v3/cloud_backup/delete', { ids: [id] })).toMatchObject({
      code: 4109,
      data: { refs: [id] },
    });
    const log = await call<Listed<{ seq: number; action: string }>>('/api/v3/log/action/list', { limit: 10 });
    const pinned = log.data.list.find(({ action }) => action === 'backup.pin')!;
    expect((await call('/api/v3/log/action/undo', { seq: pinned.seq })).code).toBe(4104);
    await call('/api/v3/cloud_backup/pin', { id, pinned: false });
    expect((await call('/api/v3/cloud_backup/delete', { ids: [id] })).code).toBe(2000);
    const { rows } = await house.server.db.database.systemPool.query('select from backup_content where gwid = $1', [
      gwid,
    ]);
    expect(rows).toEqual([]);
  });

  it('go when their time is over, but for the newest thirty and those that are pinned', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const first = (await create([gwid], 'first')).data.made[0]!.id;
    await call('/api/v3/cloud_backup/pin', { id: first, pinned: true });
    await save(gwid, 1, [ssid('Guests')]);
    for (let at = 0; at < 32; at += 1) await create([gwid], `later ${at}`);
    const notes = (await backups(gwid)).map(({ note }) => note);
    expect(notes).toHaveLength(31);
    expect(notes.at(-1)).toBe('first');
    expect(notes.slice(0, 2)).toEqual(['later 31', 'later 30']);
    expect(notes).not.toContain('later 1');
    // the content of the pinned one and that of the others
    const { rows } = await house.server.db.database.systemPool.query('select from backup_content where gwid = $1', [
      gwid,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('go into a file that opens with its password only, and come back as a backup', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const id = (await create([gwid])).data.made[0]!.id;
    const got = await call<{ name: string; file: string }>('/api/v3/cloud_backup/download', {
      id,
      password: 'only-i-know',
    });
    expect(got.data.name).toMatch(/^Shop-\d{8}-\d{4}\.yunxun$/);
    const other = await network();
    const send = (file: string, password: string) =>
      call<{ id: string }>('/api/v3/cloud_backup/upload', { gwid: other.gwid, file, password });
    expect(await send(got.data.file, 'nobody-knows')).toMatchObject({
      code: 422,
      errors: { password: [expect.any(String)] },
    });
    expect(await send('a letter', 'only-i-know')).toMatchObject({ code: 422, errors: { file: [expect.any(String)] } });
    const brought = await send(got.data.file, 'only-i-know');
    expect(await backups(other.gwid)).toMatchObject([{ type: 'uploaded' }]);
    expect((await diff(id, brought.data.id)).data.changes).toEqual([]);
  });

  it('go with their network when that is unbound, and are counted', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    await create([gwid]);
    await create([gwid]);
    const { data } = await call<{ removed: object[] }>('/api/v3/network/unbind', { gwid });
    expect(data.removed).toContainEqual({ part: 'backup', count: 2 });
  });

  it('are made by the schedule where a plan says so, once a round', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const quiet = await network();
    await save(quiet.gwid, 0, [ssid('Quiet')]);
    await call('/api/v3/cloud_backup/plan/save', {
      gwids: [quiet.gwid],
      plan: { cycle: 'off', hour: 3, weekday: 1 },
    });
    const { systemPool } = house.server.db.database;
    const round = () => systemPool.query("select graphile_worker.add_job('backup-due')");
    await round();
    await expect.poll(() => backups(gwid), { timeout: 20_000, interval: 50 }).toMatchObject([{ type: 'auto' }]);
    await round();
    await expect
      .poll(
        async () => (await systemPool.query('select from graphile_worker._private_jobs where key is null')).rowCount,
      )
      .toBe(0);
    expect(await backups(gwid)).toHaveLength(1);
    expect(await backups(quiet.gwid)).toEqual([]);
  });
});

describe('a restore', () => {
  it('brings back what an access point ran, byte for byte, and keeps what was in force', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [ssid('Lobby')], { radios: [radio('5G', { channel: 36 })] }), 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    const before = JSON.parse(running(device)) as { uuid: number };
    await ended(await save(gwid, 1, [ssid('Guests')]), 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    const [backup] = await backups(gwid);
    const body = { id: backup!.id, sections: ['wireless'] };
    const { data: told } = await check(body);
    expect(told).toMatchObject({ ok: true, problems: [], returns_within_s: null, preview: { totals: { changed: 1 } } });
    expect(told.not_restored.map(({ what }) => what)).toContain('firmware');
    // the check has changed nothing
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Guests');
    expect(await restore({ ...body, base: 'something else' })).toMatchObject({ code: 4104 });

    const done = await restore({ ...body, base: told.base });
    await ended(done, 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    const after = JSON.parse(running(device)) as { uuid: number };
    expect({ ...after, uuid: 0 }).toEqual({ ...before, uuid: 0 });
    expect((await backups(gwid))[0]).toMatchObject({ type: 'pre_change', cause: 'restored' });

    const restores = await call<Listed<{ snapshot_id: string; status: string }>>('/api/v3/cloud_backup/restore/list', {
      gwid,
    });
    expect(restores.data.list).toMatchObject([{ backup_id: backup!.id, status: 'succeeded' }]);
    // put back
    const back = await restore({ id: restores.data.list[0]!.snapshot_id, sections: ['wireless'] });
    await ended(back, 'applied');
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Guests');
  });

  it('is taken back from the operation log', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    await save(gwid, 1, [ssid('Guests')]);
    const [backup] = await backups(gwid);
    expect((await restore({ id: backup!.id, sections: ['wireless', 'devices'] })).code).toBe(2000);
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Lobby');
    // what the backup has nothing of was not restored
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
    const { gwid, identity } = await boxNetwork();
    await connectBox(identity);
    expect((await call('/api/v3/network/gateway/save', { gwid, version: 0, settings: settings({}) })).code).toBe(2000);
    expect((await restore({ id, gwid, sections: ['wireless'] })).code).toBe(2000);
    expect((await wireless(gwid)).ssids[0]!.name).toBe('Lobby');
    const log = await call<Listed<{ seq: number; action: string }>>('/api/v3/log/action/list', { limit: 1 });
    expect(log.data.list).toMatchObject([{ action: 'backup.restore', undoable: false }]);
    expect((await call('/api/v3/log/action/undo', { seq: log.data.list[0]!.seq })).code).toBe(4116);
  });

  it('maps the ports of a gateway, says what has no place, and is held back where nothing is left', async () => {
    const { gwid, identity } = await boxNetwork();
    await connectBox(identity);
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
    await stands(identity.serial, { state: 'in_sync' });
    const got = await call<{ settings: { lines: object[]; networks: object[] } }>('/api/v3/network/gateway/get', {
      gwid,
    });
    expect(got.data.settings).toMatchObject({ lines: [{ port: 'WAN1' }], networks: [{ ports: ['LAN2'] }] });
  });

  it('puts a router with fewer ports in the place of another, with all but what has no port', async () => {
    const { gwid, identity } = await boxNetwork();
    const old = await connectBox(identity);
    const wanted = settings();
    await ended(
      await call<{ job_id: string }>('/api/v3/network/gateway/save', { gwid, version: 0, settings: wanted }),
      'applied',
    );
    await call('/api/v3/network/update', { gwid, remark: 'Shop', tags: ['Hotel'] });
    const id = (await create([gwid])).data.made[0]!.id;
    await old.cut();
    const spare = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Store' });
    const fresh = await enrol(house.server, house.owner, { gwid: spare.data.gwid, platform: 'olg' });
    await connectBox(fresh, { WAN1: 'eth0', LAN1: 'eth1' });
    expect((await call('/api/v3/ap/replace', { serial: identity.serial, by: fresh.serial })).code).toBe(2000);

    const body = { id, sections: ['gateway', 'wireless', 'devices'] };
    const { data: told } = await check(body);
    expect(told).toMatchObject({ ok: true, returns_within_s: 90 });
    expect(told.port_map).toEqual([
      { from: 'WAN1', to: 'WAN1' },
      { from: 'WAN2', to: null },
      { from: 'LAN1', to: 'LAN1' },
    ]);
    expect(told.not_restored).toContainEqual({ what: 'line_dropped', params: { name: 'Fibre', port: 'WAN2' } });
    await ended(await restore({ ...body, port_map: told.port_map, base: told.base }), 'applied');
    await stands(fresh.serial, { state: 'in_sync' });
    const after = await call<{ settings: object }>('/api/v3/network/gateway/get', { gwid });
    // no setting is entered again, and nothing but the dropped line is another
    expect(after.data.settings).toEqual({ ...wanted, lines: wanted.lines.slice(0, 1) });
    const { data } = await call<{ remark: string; tags: string[]; sn: string }>('/api/v3/network/detail', { gwid });
    expect(data).toMatchObject({ remark: 'Shop', tags: ['Hotel'], sn: fresh.serial });
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
      await stands(identity.serial, { state: 'in_sync' });
    };
    const [winter, summer] = [await make('Winter'), await make('Summer')];
    await give(winter);
    const before = JSON.parse(running(device)) as { uuid: number };
    // a network that has nothing but a template is worth a backup
    expect((await create([gwid])).data.made).toHaveLength(1);
    const [backup] = await backups(gwid);
    await give(summer);
    const since = (await diff(backup!.id)).data.changes.map(({ path, before: from, after }) => [path, from, after]);
    expect(since).toContainEqual(['/templates/network wireless/name', 'Winter', 'Summer']);
    const body = { id: backup!.id, sections: ['templates'] };
    const { data: told } = await check(body);
    expect(told).toMatchObject({ ok: true, preview: { totals: { changed: 1 } } });
    await ended(await restore({ ...body, base: told.base }), 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    expect({ ...(JSON.parse(running(device)) as object), uuid: 0 }).toEqual({ ...before, uuid: 0 });

    const { made } = (await create([gwid])).data;
    await give(summer);
    expect((await call('/api/v3/wireless_template/delete', { id: winter })).code).toBe(2000);
    const gone = (await check({ id: made[0]!.id, sections: ['templates'] })).data;
    expect(gone.not_restored).toContainEqual({ what: 'template_gone', params: { name: 'Winter' } });
  });

  it('leaves out what a device got with a group that is gone: nobody runs the template, and it can be deleted', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    const given = { kind: 'wireless', name: 'Rooms', ssids: [ssid('Rooms')], radios: [] };
    const { id } = (await call<{ id: string }>('/api/v3/wireless_template/create', given)).data;
    const group = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Floor' })).data.id;
    await call('/api/v3/ap/group/assign', { serials: [identity.serial], id: group });
    const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
    const push = { id, group_ids: [group], plan };
    await ended(await call<{ job_id: string }>('/api/v3/wireless_template/apply', push), 'applied');
    await stands(identity.serial, { state: 'in_sync' });
    const { made } = (await create([gwid])).data;
    expect((await call('/api/v3/ap/group/delete', { id: group })).code).toBe(2000);
    await expect.poll(() => running(device)).not.toContain('Rooms');
    await stands(identity.serial, { state: 'in_sync' });

    const body = { id: made[0]!.id, sections: ['templates'] };
    const { data: told } = await check(body);
    expect(told.not_restored).toContainEqual({
      what: 'group_left',
      params: { name: 'Rooms', device: expect.any(String) },
    });
    expect((await restore({ ...body, base: told.base })).code).toBe(2000);
    expect(running(device)).not.toContain('Rooms');
    expect((await call('/api/v3/wireless_template/delete', { id })).code).toBe(2000);
  });
});

it('are found by a word, however many networks say it', async () => {
  const owner = await house.server.register();
  const of = <T>(path: string, body: object) => house.server.call<T>(path, body, owner);
  const { gwid } = (await of<{ gwid: string }>('/api/v3/network/create', { remark: 'Chain-last' })).data;
  await of('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid('Lobby')], radios: [] });
  await of('/api/v3/cloud_backup/create', { gwids: [gwid] });
  await house.server.db.database.systemPool.query(
    `insert into network select (jsonb_populate_record(n, jsonb_build_object('gwid', gen_random_uuid(), 'remark', 'Chain-' || i))).*
      from network n, generate_series(1, 20000) i where n.gwid = $1`,
    [gwid],
  );
  const found = async (keyword: string) => (await of<Listed<Row>>('/api/v3/cloud_backup/list', { keyword })).data.total;
  expect(await found('chain')).toBe(1);
  expect(await found('chain-1')).toBe(0);
});
