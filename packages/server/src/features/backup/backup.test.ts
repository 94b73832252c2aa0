import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../../../test/database.ts';
import {
  call,
  fixture,
  key,
  network,
  save,
  ssid,
  startFixture,
  stopFixture,
  wireless,
} from '../configuration/testing/fixture.ts';
import { backups, create, diff, type Listed } from './testing/calls.ts';

beforeAll(startFixture);
afterAll(stopFixture);

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
    expect(rows[0]).toMatchObject({ sha256: rows[1]!.sha256, created_by: fixture.owner.email, pinned: false });
    const { rows: contents } = await fixture.server.db.database.systemPool.query<{ sealed: Buffer }>(
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
    // a refused change leaves no backup
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

  it('of many networks are each of its own settings', async () => {
    const owner = await fixture.server.register();
    const of = <T>(path: string, body: object) => fixture.server.call<T>(path, body, owner);
    const { rows: made } = await fixture.server.db.database.systemPool.query<{ gwid: string }>(
      `insert into network (account_id, gwid, remark) select $1, gen_random_uuid(), 'Shop-' || i
       from generate_series(1, 150) i returning gwid`,
      [owner.accountId],
    );
    const gwids = made.map(({ gwid }) => gwid).toSorted();
    const configured = [gwids[0]!, gwids[60]!, gwids[99]!, gwids[100]!, gwids[149]!];
    const named = (gwid: string) => ssid(`Shop ${gwid.slice(0, 8)}`);
    for (const gwid of configured)
      await of('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [named(gwid)], radios: [] });
    const { data } = await of<{ made: { gwid: string; id: string }[]; empty: number }>('/api/v3/cloud_backup/create', {
      gwids: gwids.toReversed(),
    });
    expect(data.made.map(({ gwid }) => gwid)).toEqual(configured);
    expect(data.empty).toBe(145);
    for (const { gwid, id } of data.made) {
      const held = await of<object>('/api/v3/cloud_backup/detail', { id });
      expect(held.data).toMatchObject({ gwid, content: { wireless: { ssids: [{ name: named(gwid).name }] } } });
    }
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
    const { rows } = await fixture.server.db.database.systemPool.query('select from backup_content where gwid = $1', [
      gwid,
    ]);
    expect(rows).toEqual([]);
  });

  it('expire, except the newest thirty and pinned ones', async () => {
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
    const { rows } = await fixture.server.db.database.systemPool.query('select from backup_content where gwid = $1', [
      gwid,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('go into a file that opens with its password only, and come back as a backup', async () => {
    const { gwid } = await network();
    await call('/api/v3/network/update', { gwid, remark: 'Inn' });
    await save(gwid, 0, [ssid('Lobby')]);
    const id = (await create([gwid])).data.made[0]!.id;
    const download = () =>
      call<{ name: string; file: string }>('/api/v3/cloud_backup/download', { id, password: 'only-i-know' });
    // the user's zone, else the account's
    const { systemPool } = fixture.server.db.database;
    await systemPool.query('update backup set created_at = $2 where id = $1', [id, '2026-11-20T18:30:00Z']);
    await call('/api/v3/personalization/save', { time_zone: 'Asia/Kolkata' });
    expect((await download()).data.name).toBe('Inn-20261121-0000.yunxun');
    await call('/api/v3/personalization/save', { time_zone: null });
    const got = await download();
    expect(got.data.name).toBe('Inn-20261121-0230.yunxun');
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
    const { systemPool } = fixture.server.db.database;
    const round = () => systemPool.query("select graphile_worker.add_job('backup-due')");
    await round();
    await expect.poll(() => backups(gwid)).toMatchObject([{ type: 'auto' }]);
    await round();
    await expect
      .poll(
        async () => (await systemPool.query('select from graphile_worker._private_jobs where key is null')).rowCount,
      )
      .toBe(0);
    expect(await backups(gwid)).toHaveLength(1);
    expect(await backups(quiet.gwid)).toEqual([]);
  });

  it('keep the fields of a plan that a save leaves out', async () => {
    const { gwid } = await network();
    const plan = (changed: object) => call('/api/v3/cloud_backup/plan/save', { gwids: [gwid], plan: changed });
    const planned = async () =>
      (
        await call<{ list: { gwid: string; plan: object }[] }>('/api/v3/cloud_backup/router/list', { limit: 200 })
      ).data.list.find((row) => row.gwid === gwid)?.plan;
    await plan({ cycle: 'weekly' });
    expect(await planned()).toEqual({ cycle: 'weekly', hour: 3, weekday: 1 });
    await plan({ weekday: 5 });
    await plan({ hour: 4 });
    expect(await planned()).toEqual({ cycle: 'weekly', hour: 4, weekday: 5 });
  });

  it('are overdue from the time that a plan names until one succeeds', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [ssid('Lobby')]);
    const { database, owner } = fixture.server.db;
    const query = (text: string) => asOwner(owner, (client) => client.query<{ since: Date }>(text));
    await query(`create function refuse_backup() returns trigger language plpgsql as $$ begin
      raise 'no room'; end $$`);
    await query(`create trigger refuse before insert on backup for each row when (new.gwid = '${gwid}')
      execute function refuse_backup()`);
    const round = () => database.systemPool.query("select graphile_worker.add_job('backup-due', max_attempts => 1)");
    const overdue = async () => (await query(`select since from missed_backup where gwid = '${gwid}'`)).rows;
    await round();
    await expect.poll(overdue).toEqual([{ since: expect.any(Date) }]);
    await query('drop trigger refuse on backup');
    await round();
    await expect.poll(overdue).toEqual([]);
    expect(await backups(gwid)).toMatchObject([{ type: 'auto' }]);
  });
});
