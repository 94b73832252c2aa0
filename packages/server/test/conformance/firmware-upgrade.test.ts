import { createHash, randomBytes } from 'node:crypto';
import type { firmware as contract, DataOf } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { join } from '../../src/features/account/testing/people.ts';
import { asOwner } from '../database.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, killedDuring, listedAs } from './front-door.ts';
import type { AccessPoint } from './peer/access-point.ts';
import type { FirmwareOptions } from './peer/firmware.ts';

/** Images of the catalogue, upgrades to them in waves, and the log that devices write by what they say. */

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
type Preview = DataOf<typeof contract.upgradePreview>;
type Log = DataOf<typeof contract.upgradeLog>;
type Images = DataOf<typeof contract.imageList>;

const model = 'Edgecore EAP102';
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);
const ask = async <T>(path: string, input: object): Promise<T> => {
  const answer = await call<T>(path, input);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
};
const uri = 'http://images.example.org/eap102-v5.2.0.bin';
const image = async (version: string) =>
  (
    await ask<{ id: string }>('firmware/image/create', {
      ...{ version, models: [model], name: 'eap102.bin', uri, sha256: 'a'.repeat(64), signature: 'c2lnbmVk' },
    })
  ).id;
const job = (id: string) => ask<Job>('job/detail', { job_id: id });
const stateOf = (id: string, { options }: AccessPoint) =>
  expect.poll(async () => (await job(id)).items.find(({ serial }) => serial === options.serial), { timeout: 20_000 });
const log = (input: object = {}) => ask<Log>('log/upgrade/list', { limit: 50, ...input });

const identities = new Map<string, Identity>();

/** An access point in the network, online. */
async function device(gwid: string): Promise<AccessPoint> {
  return start((await enrolled(gwid)).serial, was, 'coldboot');
}

async function enrolled(gwid: string): Promise<Identity> {
  const identity = await enrol(server, owner, { gwid });
  identities.set(identity.serial, identity);
  return identity;
}

/** The device opens its session. What waited for it may tell it to restart before anybody has seen it online. */
async function connect(
  serial: string,
  firmware: string,
  bootCause: string,
  more: Partial<FirmwareOptions> = {},
): Promise<AccessPoint> {
  const one = accessPoint(identities.get(serial)!, { firmware, bootCause, actionMs: 10, ...more });
  await one.connect();
  return one;
}

async function start(...args: Parameters<typeof connect>): Promise<AccessPoint> {
  const one = await connect(...args);
  const [serial] = args;
  await listedAs(server, owner, serial, { status: 'online' });
  return one;
}

/** The device takes the command, and comes back as what it then is. */
async function taken(one: AccessPoint, firmware: string, cause = 'upgrade'): Promise<AccessPoint> {
  await one.command('upgrade');
  await one.until('the restart', () => one.socket === null);
  return start(one.options.serial, firmware, cause);
}

const commands = (one: AccessPoint, method: string) =>
  one.received.filter(({ command }) => command?.method === method).length;
const network = async () => (await ask<{ gwid: string }>('network/create', { remark: 'Shop' })).gwid;
const was = 'OpenWrt 25.12 / TIP-v5.1.0';
const newest = 'OpenWrt 25.12 / TIP-v5.2.0';
const usual = { first: 1, percent: 100, rest_s: 0, stop_above: 20, backup: false };

describe('the catalogue', () => {
  it('takes an image in parts, holds it to its checksum, and gives it out by an address nobody guesses', async () => {
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
    // what a device is sent
    const { rows } = await server.db.database.systemPool.query<{ token: string }>(
      'select token from firmware_image where id = $1',
      [id],
    );
    const place = `${server.url}/firmware/${owner.accountId}/${id}`;
    const got = await fetch(`${place}/${rows[0]!.token}/${given.name}`);
    expect(got.headers.get('content-length')).toBe(String(bytes.length));
    expect(sha(Buffer.from(await got.arrayBuffer()))).toBe(sha(bytes));
    expect((await fetch(`${place}/${id}/${given.name}`)).status).toBe(404);
    expect((await call('firmware/image/delete', { ids: [id] })).code).toBe(2000);
    expect((await fetch(`${place}/${rows[0]!.token}/${given.name}`)).status).toBe(404);
  });

  it('loses an upload that nobody finished within a day, with its bytes', async () => {
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
    const { systemPool } = server.db.database;
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
    // v5.1 is no part of v5.1.0
    const near = await image('TIP-v5.1');
    const same = await image('TIP-v5.1.0');
    const told = async (id: string) =>
      ask<Preview>('firmware/upgrade/preview', { image_id: id, serials: [one!.options.serial], first: 1, percent: 50 });
    expect((await told(near)).devices).toHaveLength(1);
    expect((await told(same)).left_out).toMatchObject([{ serial: one!.options.serial, why: 'current' }]);
  });

  it('shows people of some networks the images for devices there, and the log of there, and no more', async () => {
    const [here, there] = [await network(), await network()];
    const one = await device(here);
    await one.cut();
    await listedAs(server, owner, one.options.serial, { status: 'offline' });
    await start(one.options.serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'crashlog');
    const fits = await image('v5.3.0');
    const models = ['Unknown AP'];
    const other = { version: 'v9', models, name: 'other.bin', uri, sha256: 'b'.repeat(64) };
    await ask('firmware/image/create', other);
    const into = { token: owner.token, accountId: owner.accountId };
    const seen = async (gwid: string, lines: number) => {
      const { inside } = await join(server, into, 'operator', [gwid]);
      const list = await server.call<Images>('/api/v3/firmware/image/list', { limit: 50 }, inside);
      expect(list.code).toBe(2000);
      expect(list.data.total).toBe(list.data.list.length);
      for (const path of ['image/create', 'image/delete', 'upgrade/preview'])
        expect(
          await server.call(
            `/api/v3/firmware/${path}`,
            { ...other, ids: [fits], image_id: fits, first: 1, percent: 50 },
            inside,
          ),
          path,
        ).toMatchObject({ code: 4101, data: { reason: 'networks' } });
      const auditor = await join(server, into, 'auditor', [gwid]);
      const { data } = await server.call<Log>('/api/v3/log/upgrade/list', { limit: 50 }, auditor.inside);
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

describe('an upgrade', () => {
  it('goes wave after wave, each device by its own word, with a backup before; the log says all of it', async () => {
    const gwid = await network();
    const devices = [await device(gwid), await device(gwid), await device(gwid)];
    const serials = devices.map(({ options }) => options.serial);
    await ask('network/wireless/save', {
      ...{ gwid, version: 0, ssids: [], radios: [] },
    });
    const id = await image('v5.2.0');
    const told = await ask<Preview>('firmware/upgrade/preview', { image_id: id, serials, first: 1, percent: 100 });
    expect(told.devices.map(({ wave }) => wave)).toEqual([0, 1, 1]);
    const begun = await ask<{ job_id: string }>('firmware/upgrade/start', {
      ...{ image_id: id, serials: told.devices.map(({ serial }) => serial), ...usual, backup: true },
    });
    const order = told.devices.map(({ serial }) => devices.find(({ options }) => options.serial === serial)!);
    const { params } = await order[0]!.command('upgrade');
    expect(params).toMatchObject({ uri, signature: 'c2lnbmVk' });
    expect(order.map((one) => commands(one, 'upgrade'))).toEqual([1, 0, 0]);
    expect((await call('firmware/image/delete', { ids: [id] })).code).toBe(4109);
    await taken(order[0]!, newest);
    await Promise.all(order.slice(1).map((one) => taken(one, newest)));
    for (const one of order) await stateOf(begun.job_id, one).toMatchObject({ status: 'succeeded' });
    const backups = await ask<{ list: { type: string }[] }>('cloud_backup/list', { gwid, type: 'pre_upgrade' });
    expect(backups.list).toHaveLength(1);
    const said = await log({ gwid });
    expect(said.list).toHaveLength(3);
    expect(said.list[0]).toMatchObject({
      ...{ action: 'upgrade', result: 'success', trigger: 'plan', operator: owner.email, job_id: begun.job_id },
      ...{ from_version: 'OpenWrt 25.12 / TIP-v5.1.0', to_version: newest },
    });
  });

  it('backs a network up once, however many of its devices have their turn at the same time', async () => {
    const gwid = await network();
    await ask('network/wireless/save', { gwid, version: 0, ssids: [], radios: [] });
    const devices = await Promise.all(Array.from({ length: 6 }, () => device(gwid)));
    const id = await image('v5.2.0');
    await ask('firmware/upgrade/start', {
      ...{ image_id: id, serials: devices.map(({ options }) => options.serial), ...usual, first: 6, backup: true },
    });
    await Promise.all(devices.map((one) => one.command('upgrade')));
    const { list } = await ask<{ list: object[] }>('cloud_backup/list', { gwid, type: 'pre_upgrade' });
    expect(list).toHaveLength(1);
  });

  it('stops when the first one comes back as it was, and harms no other', async () => {
    const gwid = await network();
    const devices = [await device(gwid), await device(gwid), await device(gwid)];
    const serials = devices.map(({ options }) => options.serial);
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', { image_id: id, serials, ...usual });
    const first = devices.find((one) => one.options.serial === serials.toSorted()[0])!;
    await taken(first, 'OpenWrt 25.12 / TIP-v5.1.0', 'upgradefailed');
    await stateOf(job_id, first).toMatchObject({ status: 'failed', reason: 'job.firmware_unchanged' });
    await expect.poll(async () => (await job(job_id)).status).toBe('failed');
    for (const one of devices.filter((other) => other !== first)) {
      await stateOf(job_id, one).toMatchObject({ status: 'cancelled', reason: 'job.wave_stopped' });
      expect(commands(one, 'upgrade')).toBe(0);
    }
    expect((await log({ gwid })).list).toMatchObject([
      { action: 'upgrade', result: 'failed', reason: 'upgradefailed' },
    ]);
  });

  it('of whoever is offline waits for it, and goes on when it is back', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    await one.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      ...{ image_id: id, serials: [serial], ...usual },
    });
    await stateOf(job_id, one).toMatchObject({ status: 'waiting_offline', reason: 'job.offline' });
    const back = await connect(serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'socket');
    await taken(back, newest);
    await stateOf(job_id, back).toMatchObject({ status: 'succeeded' });
  });
});

describe('devices that say many things', () => {
  /** Bound devices of the model, by what they say, without sessions. */
  const say = (count: number, firmware: string, kind = model) =>
    asOwner(server.db.owner, async (client) => {
      const { rows } = await client.query<{ serial: string }>(
        `insert into device (account_id, serial, kind, remark, model, firmware, bound_at)
        select $1, substr(md5($4 || at), 1, 12), 'ap', 'Many', $2, $3, now() from generate_series(1, $5::int) as at
        returning serial`,
        [owner.accountId, kind, firmware, randomBytes(8).toString('hex'), count],
      );
      return rows.map(({ serial }) => serial);
    });

  it.each([
    ['v7.1.0', 'TIP-v7.1.0', true],
    ['v7.1.0', 'OpenWrt 25.12 / TIP-v7.1.0-36b5478', true],
    ['v7.1.0', 'TIP-v7.1.0-rc1', false],
    ['v7.1.0-rc1', 'TIP-v7.1.0-rc1-36b5478', true],
    ['v7.1.0', 'TIP-v7.1.0~beta', false],
    ['7.1.0', 'TIP-v7.1.0', true],
    ['v7.1.0', 'TIP 7.1.0', true],
    ['7.1.0', 'TIP-v17.1.0', false],
    ['v7.1', 'TIP-v7.1.0', false],
  ])('the version %s is what a device runs that says %s: %s', async (version, said, runs) => {
    const serials = await say(1, said);
    const told = await ask<Preview>('firmware/upgrade/preview', {
      ...{ image_id: await image(version), serials, first: 1, percent: 100 },
    });
    expect(told.left_out.map(({ why }) => why)).toEqual(runs ? ['current'] : []);
    expect(told.devices).toHaveLength(runs ? 0 : 1);
  });

  it('are reached however many of them run the version: those are left out before they are counted', async () => {
    const kind = 'Crowded';
    const most = 5000;
    await say(most + 1, 'TIP-v8.0.0', kind);
    const others = await say(3, 'TIP-v7.9.0', kind);
    const { id } = await ask<{ id: string }>('firmware/image/create', {
      ...{ version: 'v8.0.0', models: [kind], name: 'crowded.bin', uri, sha256: 'a'.repeat(64) },
    });
    const all = { first: 1, percent: 100 };
    const told = await ask<Preview>('firmware/upgrade/preview', { image_id: id, ...all });
    expect(told.devices.map(({ serial }) => serial).toSorted()).toEqual(others.toSorted());
    expect(told.beyond).toBe(0);
    const { id: next } = await ask<{ id: string }>('firmware/image/create', {
      ...{ version: 'v8.1.0', models: [kind], name: 'crowded.bin', uri, sha256: 'a'.repeat(64) },
    });
    const more = await ask<Preview>('firmware/upgrade/preview', { image_id: next, ...all });
    expect(more.devices).toHaveLength(most);
    expect(more.beyond).toBe(4);
  });

  it('are asked which images are for them', async () => {
    const [one] = await say(1, 'TIP-v7.1.0', 'Single');
    const [other] = await say(1, 'TIP-v7.1.0', 'Sundry');
    const { id } = await ask<{ id: string }>('firmware/image/create', {
      ...{ version: 'v7.2.0', models: ['Single'], name: 'single.bin', uri, sha256: 'a'.repeat(64) },
    });
    const fitting = (serials: unknown[]) => ask<DataOf<typeof contract.imageList>>('firmware/image/list', { serials });
    expect(await fitting([one, other])).toMatchObject({ total: 1, list: [{ id, devices: 1, other: 1 }] });
    expect(await fitting([other])).toMatchObject({ total: 0, list: [] });
  });
});

describe('a plan for maintenance windows', () => {
  it('leaves those whose window is closed alone until it opens, upgrades and restarts alike', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const serials = [one.options.serial];
    // three days from now, wherever that is
    const weekday = ((new Date().getUTCDay() + 2) % 7) + 1;
    await ask('network/window/save', { gwid, window: { weekdays: [weekday], start: '03:00', minutes: 15 } });
    const id = await image('v5.2.0');
    const later = { image_id: id, serials, ...usual, windows: true };
    const { backup: _backup, image_id: _image, ...restart } = later;
    for (const [path, input] of [
      ['firmware/upgrade/start', later],
      ['firmware/restart/start', restart],
    ] as const) {
      const { job_id } = await ask<{ job_id: string }>(path, input);
      await stateOf(job_id, one).toMatchObject({ status: 'queued', reason: 'job.window' });
      await ask('job/cancel', { job_id });
    }
    expect(commands(one, 'upgrade') + commands(one, 'reboot')).toBe(0);
    await ask('network/window/save', { gwid, window: null });
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', later);
    await taken(one, newest);
    await stateOf(job_id, one).toMatchObject({ status: 'succeeded' });
  });
});

describe('a plan in the middle of which the server is restarted', () => {
  it('goes on, and gives nobody the command twice', async () => {
    const gwid = await network();
    const devices = [await device(gwid), await device(gwid)];
    const serials = devices.map(({ options }) => options.serial);
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', { image_id: id, serials, ...usual });
    const first = devices.find((one) => one.options.serial === serials.toSorted()[0])!;
    const last = devices.find((one) => one !== first)!;
    await first.command('upgrade');
    await stateOf(job_id, first).toMatchObject({
      status: 'waiting_offline',
      reason: 'job.upgrading',
      cancellable: false,
    });
    expect(await ask('job/detail', { job_id })).toMatchObject({
      ...{ open: 2, running: 1, queued: 1, waiting_offline: 0 },
      ...{ networks: 1, about: (await ask<{ remark: string }>('network/detail', { gwid })).remark },
    });
    await server.restart();
    for (const serial of serials)
      identities.set(serial, { ...identities.get(serial)!, port: server.program.devicePort });
    const next = await start(last.options.serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'socket');
    const back = await start(first.options.serial, newest, 'upgrade');
    await taken(next, newest);
    for (const one of [back, next]) await stateOf(job_id, one).toMatchObject({ status: 'succeeded' });
    expect(commands(back, 'upgrade')).toBe(0);
  });

  it('commands nobody again who was fetching the image when it was killed, and calls nobody failed who is about it', async () => {
    const gwid = await network();
    const { serial } = await enrolled(gwid);
    const one = await start(serial, was, 'coldboot', { fetchMs: 600_000 });
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      ...{ image_id: id, serials: [serial], ...usual },
    });
    await one.command('upgrade');
    await stateOf(job_id, one).toMatchObject({ status: 'running' });
    await killedDuring(server, job_id, one);
    identities.set(serial, { ...identities.get(serial)!, port: server.program.devicePort! });
    // it lost its connection only
    const back = await start(serial, was, 'socket');
    await stateOf(job_id, back).toMatchObject({ status: 'waiting_offline', reason: 'job.upgrading' });
    expect(commands(back, 'upgrade')).toBe(0);
    await back.cut();
    const done = await start(serial, newest, 'upgrade');
    await stateOf(job_id, done).toMatchObject({ status: 'succeeded' });
    expect((await log({ serial })).list).toMatchObject([{ action: 'upgrade', result: 'success', job_id }]);
  });
});

describe('the log', () => {
  it('holds what devices do by themselves, and restarts by a plan', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    // a plain reconnect is no restart
    await one.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    const again = await start(serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'socket');
    expect((await log({ serial })).list).toEqual([]);
    await again.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
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
    await listedAs(server, owner, serial, { status: 'offline' });
    const back = await start(serial, newest, 'socket');
    const upgrade = { action: 'upgrade', to_version: newest, trigger: 'device', result: 'success', reason: null };
    await expect.poll(async () => (await log({ serial })).list).toMatchObject([upgrade]);
    await back.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    await start(serial, newest, 'socket');
    expect((await log({ serial })).total).toBe(1);
  });

  it('is in the log once when the session that told of it was lost before anybody had taken note', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    const sql = (text: string) => asOwner(server.db.owner, (client) => client.query(text));
    await one.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
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
