import { randomBytes } from 'node:crypto';
import type { firmware as contract, DataOf } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { join } from '../../src/features/account/testing/people.ts';
import { asOwner } from '../database.ts';
import { endDevices, listedAs } from './device-client.ts';
import {
  ask,
  call,
  closeFixture,
  connect,
  device,
  fixture,
  type Images,
  image,
  type Log,
  log,
  model,
  network,
  newest,
  openFixture,
  type Preview,
  sha,
  start,
  stateOf,
  uri,
  usual,
} from './firmware-fixture.ts';

beforeAll(openFixture);
afterEach(endDevices);
afterAll(closeFixture);

describe('the catalogue', () => {
  it('takes an image in parts, verifies its checksum, and serves it at an unguessable address', async () => {
    const bytes = randomBytes(1024 * 1024 + 1000);
    const given = { version: 'v6.0.0', models: [model], name: 'eap102-v6.0.0.bin', size: bytes.length };
    const { id } = await ask<{ id: string }>('firmware/image/create', { ...given, sha256: sha(bytes) });
    const part = (at: number, data: Buffer) =>
      call('firmware/image/part', { id, part: at, data: data.toString('base64') });
    const [first, last] = [bytes.subarray(0, 1024 * 1024), bytes.subarray(1024 * 1024)];
    expect((await part(0, first)).code).toBe(2000);
    const early = await call('firmware/image/finish', { id });
    expect(early).toMatchObject({ code: 422, errors: { sha256: [expect.stringContaining('missing')] } });
    await part(1, Buffer.alloc(last.length));
    const wrong = await call('firmware/image/finish', { id });
    expect(wrong).toMatchObject({ code: 422, errors: { sha256: [expect.stringContaining('checksum')] } });
    expect((await call('firmware/upgrade/start', { image_id: id, serials: ['903cb3000009'], ...usual })).code).toBe(
      4113,
    );
    await part(1, last);
    await ask('firmware/image/finish', { id });
    const list = await ask<DataOf<typeof contract.imageList>>('firmware/image/list', {});
    expect(list.list[0]).toMatchObject({ version: 'v6.0.0', ready: true, source: 'upload', size: bytes.length });
    const { rows } = await fixture.server.db.database.systemPool.query<{ token: string }>(
      'select token from firmware_image where id = $1',
      [id],
    );
    const place = `${fixture.server.url}/firmware/${fixture.owner.accountId}/${id}`;
    const got = await fetch(`${place}/${rows[0]!.token}/${given.name}`);
    expect(got.headers.get('content-length')).toBe(String(bytes.length));
    expect(sha(Buffer.from(await got.arrayBuffer()))).toBe(sha(bytes));
    expect((await fetch(`${place}/${id}/${given.name}`)).status).toBe(404);
    expect((await call('firmware/image/delete', { ids: [id] })).code).toBe(2000);
    expect((await fetch(`${place}/${rows[0]!.token}/${given.name}`)).status).toBe(404);
  });

  it('deletes an upload that was not finished within a day', async () => {
    const bytes = randomBytes(1000);
    const begin = async (version: string) => {
      const given = { version, models: [model], name: 'eap102.bin', size: bytes.length, sha256: sha(bytes) };
      const { id } = await ask<{ id: string }>('firmware/image/create', given);
      await ask('firmware/image/part', { id, part: 0, data: bytes.toString('base64') });
      return id;
    };
    const [left, done, fresh] = [await begin('v6.1.0'), await begin('v6.1.1'), await begin('v6.1.2')];
    await ask('firmware/image/finish', { id: done });
    const byAddress = await image('v6.1.3');
    const { systemPool } = fixture.server.db.database;
    await systemPool.query(
      "update firmware_image set created_at = created_at - interval '25 hours' where id = any ($1)",
      [[left, done, byAddress]],
    );
    await systemPool.query("select graphile_worker.add_job('firmware-unfinished')");
    const kept = async () => {
      const { list } = await ask<Images>('firmware/image/list', { limit: 50 });
      return list.map(({ id }) => id).filter((id) => [left, done, fresh, byAddress].includes(id));
    };
    await expect.poll(kept).not.toContain(left);
    expect((await kept()).toSorted()).toEqual([done, fresh, byAddress].toSorted());
    const parts = await systemPool.query('select from firmware_part where id = $1', [left]);
    expect(parts.rowCount).toBe(0);
    await ask('firmware/image/delete', { ids: [done, fresh, byAddress] });
  });

  it('knows the models that there are, and whom an image is for', async () => {
    const gwid = await network();
    const [one] = [await device(gwid), await device(gwid)];
    const { list } = await ask<DataOf<typeof contract.models>>('firmware/models', {});
    expect(list.find((row) => row.model === model)!.versions).toContainEqual({
      version: 'OpenWrt 25.12 / TIP-v5.1.0',
      devices: 2,
    });
    // v5.1 must not match v5.1.0
    const near = await image('TIP-v5.1');
    const same = await image('TIP-v5.1.0');
    const reported = async (id: string) =>
      ask<Preview>('firmware/upgrade/preview', { image_id: id, serials: [one!.options.serial], first: 1, percent: 50 });
    expect((await reported(near)).devices).toHaveLength(1);
    expect((await reported(same)).left_out).toMatchObject([{ serial: one!.options.serial, why: 'current' }]);
  });

  it('shows people of some networks the images for devices there, and the log of there, and no more', async () => {
    const [here, there] = [await network(), await network()];
    const one = await device(here);
    await one.cut();
    await listedAs(fixture.server, fixture.owner, one.options.serial, { status: 'offline' });
    await start(one.options.serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'crashlog');
    const fits = await image('v5.3.0');
    const models = ['Unknown AP'];
    const other = { version: 'v9', models, name: 'other.bin', uri, sha256: 'b'.repeat(64) };
    await ask('firmware/image/create', other);
    const into = { token: fixture.owner.token, accountId: fixture.owner.accountId };
    const seen = async (gwid: string, lines: number) => {
      const { inside } = await join(fixture.server, into, 'operator', [gwid]);
      const list = await fixture.server.call<Images>('/api/v3/firmware/image/list', { limit: 50 }, inside);
      expect(list.code).toBe(2000);
      expect(list.data.total).toBe(list.data.list.length);
      const refused = {
        'image/create': other,
        'image/delete': { ids: [fits] },
        'upgrade/preview': { image_id: fits, first: 1, percent: 50 },
      };
      for (const [path, body] of Object.entries(refused))
        expect(await fixture.server.call(`/api/v3/firmware/${path}`, body, inside), path).toMatchObject({
          code: 4101,
          data: { reason: 'networks' },
        });
      const auditor = await join(fixture.server, into, 'auditor', [gwid]);
      const { data } = await fixture.server.call<Log>('/api/v3/log/upgrade/list', { limit: 50 }, auditor.inside);
      expect(data.list.map((row) => row.gwid)).toEqual(Array.from({ length: lines }, () => gwid));
      return list.data.list;
    };
    const own = await seen(here, 1);
    expect(own.find(({ id }) => id === fits)).toMatchObject({ version: 'v5.3.0', devices: 1, other: 1, uri: null });
    expect(own.filter(({ version }) => version === 'v9')).toEqual([]);
    expect(await seen(there, 0)).toEqual([]);
    const all = await ask<Images>('firmware/image/list', { limit: 50 });
    expect(all.list.find(({ id }) => id === fits)).toMatchObject({ uri });
  });
});

describe('the log', () => {
  it('holds what devices do by themselves, and restarts by a plan', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    await one.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: 'offline' });
    const again = await start(serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'socket');
    expect((await log({ serial })).list).toEqual([]);
    await again.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: 'offline' });
    const crashed = await start(serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'crashlog');
    expect((await log({ serial })).list).toMatchObject([{ action: 'restart', trigger: 'device', reason: 'crashlog' }]);
    const { backup: _backup, ...plan } = usual;
    const { job_id } = await ask<{ job_id: string }>('firmware/restart/start', { serials: [serial], ...plan });
    await crashed.command('reboot');
    await crashed.until('the restart', () => crashed.socket === null);
    const back = await start(serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'reboot');
    await stateOf(job_id, back).toMatchObject({ status: 'succeeded' });
    expect((await log({ serial, trigger: 'plan' })).list).toMatchObject([
      { action: 'restart', job_id, reason: 'reboot' },
    ]);
  });

  it('knows an upgrade by the version, when the word for the boot was lost; a mere reconnect is nothing', async () => {
    const one = await device(await network());
    const { serial } = one.options;
    await one.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: 'offline' });
    const back = await start(serial, newest, 'socket');
    const upgrade = { action: 'upgrade', to_version: newest, trigger: 'device', result: 'success', reason: null };
    await expect.poll(async () => (await log({ serial })).list).toMatchObject([upgrade]);
    await back.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: 'offline' });
    await start(serial, newest, 'socket');
    expect((await log({ serial })).total).toBe(1);
  });

  it('is logged once when the reporting session was lost before it was stored', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    const sql = (text: string) => asOwner(fixture.server.db.owner, (client) => client.query(text));
    await one.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: 'offline' });
    await sql(`create function lost() returns trigger language plpgsql as $$ begin raise 'lost'; end $$`);
    await sql(
      `create trigger lost before update on device for each row when (new.serial = '${serial}' and new.online) execute function lost()`,
    );
    const lost = await connect(serial, newest, 'upgrade');
    await lost.until('the end of the session', () => lost.socket === null);
    await sql('drop function lost cascade');
    await start(serial, newest, 'socket');
    expect((await log({ gwid })).list).toMatchObject([{ action: 'upgrade', to_version: newest }]);
  });
});
