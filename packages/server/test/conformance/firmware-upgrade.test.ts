import { randomBytes } from 'node:crypto';
import type { firmware as contract, DataOf } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../database.ts';
import { endDevices, killedDuring, listedAs, overdue } from './device-client.ts';
import {
  ask,
  call,
  closeFixture,
  commands,
  connect,
  device,
  enrolled,
  fixture,
  identities,
  image,
  job,
  log,
  model,
  network,
  newest,
  openFixture,
  type Preview,
  start,
  stateOf,
  taken,
  uri,
  usual,
  was,
} from './firmware-fixture.ts';

beforeAll(openFixture);
afterEach(endDevices);
afterAll(closeFixture);

describe('an upgrade', () => {
  it('goes wave after wave, each device by its own word, with a backup before; the log says all of it', async () => {
    const gwid = await network();
    const devices = [await device(gwid), await device(gwid), await device(gwid)];
    const serials = devices.map(({ options }) => options.serial);
    await ask('network/wireless/save', {
      gwid,
      version: 0,
      ssids: [],
      radios: [],
    });
    const id = await image('v5.2.0');
    const reported = await ask<Preview>('firmware/upgrade/preview', { image_id: id, serials, first: 1, percent: 100 });
    expect(reported.devices.map(({ wave }) => wave)).toEqual([0, 1, 1]);
    const begun = await ask<{ job_id: string }>('firmware/upgrade/start', {
      image_id: id,
      serials: reported.devices.map(({ serial }) => serial),
      ...usual,
      backup: true,
    });
    const order = reported.devices.map(({ serial }) => devices.find(({ options }) => options.serial === serial)!);
    const { params } = await order[0]!.command('upgrade');
    expect(params).toMatchObject({ uri, signature: 'c2lnbmVk' });
    expect(order.map((one) => commands(one, 'upgrade'))).toEqual([1, 0, 0]);
    expect((await call('firmware/image/delete', { ids: [id] })).code).toBe(4109);
    await taken(order[0]!, newest);
    await Promise.all(order.slice(1).map((one) => taken(one, newest)));
    for (const one of order) await stateOf(begun.job_id, one).toMatchObject({ status: 'succeeded' });
    const backups = await ask<{ list: { type: string }[] }>('cloud_backup/list', { gwid, type: 'pre_upgrade' });
    expect(backups.list).toHaveLength(1);
    const given = await log({ gwid });
    expect(given.list).toHaveLength(3);
    expect(given.list[0]).toMatchObject({
      action: 'upgrade',
      result: 'success',
      trigger: 'plan',
      operator: fixture.owner.email,
      job_id: begun.job_id,
      from_version: 'OpenWrt 25.12 / TIP-v5.1.0',
      to_version: newest,
    });
  });

  it('backs a network up once, however many of its devices run at the same time', async () => {
    const gwid = await network();
    await ask('network/wireless/save', { gwid, version: 0, ssids: [], radios: [] });
    const devices = await Promise.all(Array.from({ length: 6 }, () => device(gwid)));
    const id = await image('v5.2.0');
    await ask('firmware/upgrade/start', {
      image_id: id,
      serials: devices.map(({ options }) => options.serial),
      ...usual,
      first: 6,
      backup: true,
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
      { action: 'upgrade', result: 'failed', reason: 'upgradefailed', to_version: 'v5.2.0' },
    ]);
  });

  it('is failed in the log too when a device starts with the version it had and calls that a cold boot', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      image_id: id,
      serials: [one.options.serial],
      ...usual,
    });
    await taken(one, 'OpenWrt 25.12 / TIP-v5.1.0', 'coldboot');
    await stateOf(job_id, one).toMatchObject({ status: 'failed', reason: 'job.firmware_unchanged' });
    expect((await log({ gwid })).list).toMatchObject([
      { action: 'upgrade', result: 'failed', reason: 'coldboot', to_version: 'v5.2.0', job_id },
    ]);
  });

  it('is failed in the log too when a device starts with a third version', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      image_id: id,
      serials: [one.options.serial],
      ...usual,
    });
    await taken(one, 'OpenWrt 24.10 / TIP-v4.9.0', 'upgrade');
    await stateOf(job_id, one).toMatchObject({ status: 'failed', reason: 'job.firmware_unchanged' });
    expect((await log({ gwid })).list).toMatchObject([
      { action: 'upgrade', result: 'failed', to_version: 'v5.2.0', job_id },
    ]);
  });

  it('is failed in the log too when a device never returns, and once', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      image_id: id,
      serials: [serial],
      ...usual,
    });
    await one.command('upgrade');
    await stateOf(job_id, one).toMatchObject({ status: 'waiting_offline', reason: 'job.upgrading' });
    await one.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: expect.not.stringMatching(/^online$/) });
    await overdue(fixture.server, 'firmware-look', job_id, serial);
    await stateOf(job_id, one).toMatchObject({ status: 'failed', reason: 'job.not_returned' });
    expect((await log({ gwid, result: 'failed' })).list).toMatchObject([
      { action: 'upgrade', result: 'failed', reason: 'job.not_returned', to_version: 'v5.2.0', job_id },
    ]);
  });

  it('of an offline device waits, and continues when it returns', async () => {
    const gwid = await network();
    const one = await device(gwid);
    const { serial } = one.options;
    await one.cut();
    await listedAs(fixture.server, fixture.owner, serial, { status: 'offline' });
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      image_id: id,
      serials: [serial],
      ...usual,
    });
    await stateOf(job_id, one).toMatchObject({ status: 'waiting_offline', reason: 'job.offline' });
    const back = await connect(serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'socket');
    await taken(back, newest);
    await stateOf(job_id, back).toMatchObject({ status: 'succeeded' });
  });
});

describe('devices that say many things', () => {
  const say = (count: number, firmware: string, kind = model) =>
    asOwner(fixture.server.db.owner, async (client) => {
      const { rows } = await client.query<{ serial: string }>(
        `insert into device (confirmed, account_id, serial, kind, remark, model, firmware, bound_at)
        select true, $1, substr(md5($4 || at), 1, 12), 'ap', 'Many', $2, $3, now() from generate_series(1, $5::int) as at
        returning serial`,
        [fixture.owner.accountId, kind, firmware, randomBytes(8).toString('hex'), count],
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
  ])('the version %s is what a device runs that says %s: %s', async (version, text, runs) => {
    const serials = await say(1, text);
    const reported = await ask<Preview>('firmware/upgrade/preview', {
      image_id: await image(version),
      serials,
      first: 1,
      percent: 100,
    });
    expect(reported.left_out.map(({ why }) => why)).toEqual(runs ? ['current'] : []);
    expect(reported.devices).toHaveLength(runs ? 0 : 1);
  });

  it('are reached however many of them run the version: those are left out before they are counted', async () => {
    const kind = 'Crowded';
    const max = 5000;
    await say(max + 1, 'TIP-v8.0.0', kind);
    const others = await say(3, 'TIP-v7.9.0', kind);
    const { id } = await ask<{ id: string }>('firmware/image/create', {
      version: 'v8.0.0',
      models: [kind],
      name: 'crowded.bin',
      uri,
      sha256: 'a'.repeat(64),
    });
    const all = { first: 1, percent: 100 };
    const reported = await ask<Preview>('firmware/upgrade/preview', { image_id: id, ...all });
    expect(reported.devices.map(({ serial }) => serial).toSorted()).toEqual(others.toSorted());
    expect(reported.beyond).toBe(0);
    const { id: next } = await ask<{ id: string }>('firmware/image/create', {
      version: 'v8.1.0',
      models: [kind],
      name: 'crowded.bin',
      uri,
      sha256: 'a'.repeat(64),
    });
    const more = await ask<Preview>('firmware/upgrade/preview', { image_id: next, ...all });
    expect(more.devices).toHaveLength(max);
    expect(more.beyond).toBe(4);
  });

  it('are asked which images are for them', async () => {
    const [one] = await say(1, 'TIP-v7.1.0', 'Single');
    const [other] = await say(1, 'TIP-v7.1.0', 'Sundry');
    const { id } = await ask<{ id: string }>('firmware/image/create', {
      version: 'v7.2.0',
      models: ['Single'],
      name: 'single.bin',
      uri,
      sha256: 'a'.repeat(64),
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
    // never today, in any time zone
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
  it('continues, and sends no device the command twice', async () => {
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
      open: 2,
      running: 1,
      queued: 1,
      waiting_offline: 0,
      networks: 1,
      about: (await ask<{ remark: string }>('network/detail', { gwid })).remark,
    });
    await fixture.server.restart();
    for (const serial of serials)
      identities.set(serial, { ...identities.get(serial)!, port: fixture.server.program.devicePort });
    const next = await start(last.options.serial, 'OpenWrt 25.12 / TIP-v5.1.0', 'socket');
    const back = await start(first.options.serial, newest, 'upgrade');
    await taken(next, newest);
    for (const one of [back, next]) await stateOf(job_id, one).toMatchObject({ status: 'succeeded' });
    expect(commands(back, 'upgrade')).toBe(0);
  });

  it('sends no second command to a device that was downloading, and marks no upgrading device as failed', async () => {
    const gwid = await network();
    const { serial } = await enrolled(gwid);
    const one = await start(serial, was, 'coldboot', { fetchMs: 600_000 });
    const id = await image('v5.2.0');
    const { job_id } = await ask<{ job_id: string }>('firmware/upgrade/start', {
      image_id: id,
      serials: [serial],
      ...usual,
    });
    await one.command('upgrade');
    await stateOf(job_id, one).toMatchObject({ status: 'running' });
    await killedDuring(fixture.server, job_id, one);
    identities.set(serial, { ...identities.get(serial)!, port: fixture.server.program.devicePort! });
    const back = await start(serial, was, 'socket');
    await stateOf(job_id, back).toMatchObject({ status: 'waiting_offline', reason: 'job.upgrading' });
    expect(commands(back, 'upgrade')).toBe(0);
    await back.cut();
    const done = await start(serial, newest, 'upgrade');
    await stateOf(job_id, done).toMatchObject({ status: 'succeeded' });
    expect((await log({ serial })).list).toMatchObject([{ action: 'upgrade', result: 'success', job_id }]);
  });
});
