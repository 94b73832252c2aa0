import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { endDevices } from '../../../test/conformance/device-client.ts';
import { accessPointCapabilities } from '../../../test/conformance/peer/access-point.ts';
import { asOwner } from '../../../test/database.ts';
import { dueNow } from '../../../test/due-now.ts';
import { numbered } from '../../../test/numbered.ts';
import {
  call,
  expectConfig,
  fixture,
  online,
  pushes,
  running,
  ssid,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';
import { apply, bare, change, device, path, settled, sql, sums, template, update } from './testing/templates.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const place = async () =>
  (await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(fixture.owner, 'Shop') })).data.gwid;
const stop = (change_id: string) => call<object>(`${path}/change/stop`, { change_id });

it('stops all rounds, retries included', async () => {
  const gwid = await place();
  let refuses = 1;
  const render = () => {
    refuses -= 1;
    return refuses >= 0 ? { error: 2 as const, rejected: ['[E] not now'] } : { error: 0 as const, rejected: [] };
  };
  const aps = [await device(gwid, { render }), await device(gwid, { render }), await device(gwid, { render })];
  const { id } = await template([ssid('Guests')]);
  const pushed = (await apply(id, { gwids: [gwid] }, { canary: 2, share: 100, rest: 3600, stop_above: 100 })).data;
  await expect.poll(() => sums(pushed.change_id)).toEqual({ total: 3, applied: 1, rejected: 1, queued: 1 });
  expect(await call(`${path}/change/retry`, { change_id: pushed.change_id })).toMatchObject({ data: { devices: 1 } });
  await expect.poll(() => sums(pushed.change_id)).toEqual({ total: 3, applied: 2, queued: 1 });

  expect(await stop(pushed.change_id)).toMatchObject({ code: 2000, data: { cancelled: 1, going_on: 0 } });
  const current = await change(pushed.change_id);
  expect(current.open).toBe(false);
  expect(await sums(pushed.change_id)).toEqual({ total: 3, applied: 2, cancelled: 1 });
  const { serial: spared } = current.devices.find(({ status }) => status === 'cancelled')!;
  const left = aps.find(({ identity }) => identity.serial === spared)!;
  expect(pushes(left.device)).toBe(0);
  const log = await call<{ list: object[] }>('/api/v3/log/action/list', { page: 1, limit: 1 });
  expect(log.data.list).toMatchObject([{ action: 'template.stop', after: { version: 1, cancelled: 1, going_on: 0 } }]);
  expect(await stop(pushed.change_id)).toMatchObject({ code: 2000, data: { cancelled: 0, going_on: 0 } });
});

it('leaves to a device what it may be about, and that is taken back like the rest', async () => {
  const gwid = await place();
  const ap = await device(gwid, { applyMs: 100 });
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  const before = bare(running(ap.device));
  await update(id, name, [ssid('Visitors')]);
  // it applies, but its answer is lost
  ap.device.options.applyMs = 60_000;
  const pushed = (await apply(id, { gwids: [gwid] })).data;
  const { params } = await ap.device.command('configure', 2);
  await ap.device.cut();
  await expect
    .poll(async () => (await change(pushed.change_id)).devices)
    .toMatchObject([{ status: 'waiting_offline', reason: 'job.answer_lost' }]);
  expect(await stop(pushed.change_id)).toMatchObject({ data: { cancelled: 0, going_on: 1 } });
  expect(await call('/api/v3/job/cancel', { job_id: pushed.job_id })).toMatchObject({
    data: { cancelled: 0, going_on: 1 },
  });
  ap.device.flash.active = (params as { uuid: number }).uuid;
  const back = await online(ap.identity, { flash: ap.device.flash });
  await settled(pushed.change_id);
  expect(await sums(pushed.change_id)).toEqual({ total: 1, applied: 1 });
  expect(running(back)).toContain('Visitors');
  await call(`${path}/rollback`, { change_id: pushed.change_id });
  await settled(pushed.change_id);
  expect(await sums(pushed.change_id)).toEqual({ total: 1, taken_back: 1 });
  expect(bare(running(back))).toEqual(before);
});

/** Lets the second model reject while `picky`. */
async function twoModels() {
  const gwid = await place();
  const mood = { picky: false };
  const render = () =>
    mood.picky ? { error: 2 as const, rejected: ['[E] not this'] } : { error: 0 as const, rejected: [] };
  const capabilities = { ...accessPointCapabilities, model: 'Picky' };
  await device(gwid);
  await device(gwid);
  const bad = [await device(gwid, { render, capabilities }), await device(gwid, { render, capabilities })];
  return { gwid, mood, bad };
}
const canaries = { canary: 2, share: 100, rest: 0, stop_above: 0 };
const resume = (change_id: string, without: string[]) =>
  call<{ devices: number }>(`${path}/change/resume`, { change_id, without });
const ssidsOf = async (serial: string) =>
  (await call<{ ssids: { name: string }[] }>('/api/v3/ap/effective/get', { serial })).data.ssids.map(
    ({ name }) => name,
  );
const networksOf = async (id: string) =>
  (
    await call<{ list: { id: string; networks: number }[] }>(`${path}/list`, { kind: 'wireless', limit: 100 })
  ).data.list.find((row) => row.id === id)!.networks;

it('does not reach a model that was left out by way of its network', async () => {
  const { gwid, mood, bad } = await twoModels();
  mood.picky = true;
  const { id } = await template([ssid('Guests')]);
  const { change_id } = (await apply(id, { gwids: [gwid] }, canaries)).data;
  await settled(change_id);
  expect(await sums(change_id)).toEqual({ total: 4, applied: 1, rejected: 1, cancelled: 2 });
  const spared = (await change(change_id)).devices.filter(({ status }) => status === 'cancelled');
  const left = bad.find(({ identity }) => spared.some(({ serial }) => serial === identity.serial))!;
  // a retry does not start the rest
  await call(`${path}/change/retry`, { change_id });
  await settled(change_id);
  expect(await networksOf(id)).toBe(0);
  expect((await resume(change_id, ['Picky'])).data.devices).toBe(1);
  await settled(change_id);
  expect(await sums(change_id)).toEqual({ total: 4, applied: 2, rejected: 1, cancelled: 1 });
  expect(await ssidsOf(left.identity.serial)).toEqual([]);
  expect(await networksOf(id)).toBe(0);
  mood.picky = false;
  expect((await resume(change_id, [])).data.devices).toBe(1);
  await settled(change_id);
  expect(await ssidsOf(left.identity.serial)).toEqual(['Guests']);
  expect(await networksOf(id)).toBe(1);
});

it('has a canary again when it continues', async () => {
  const gwid = await place();
  const refusing = { render: () => ({ error: 2 as const, rejected: ['[E] no'] }) };
  for (let n = 0; n < 4; n += 1) await device(gwid, refusing);
  const { id } = await template([ssid('Guests')]);
  const { change_id } = (await apply(id, { gwids: [gwid] }, { canary: 1, share: 100, rest: 0, stop_above: 0 })).data;
  await settled(change_id);
  expect(await sums(change_id)).toEqual({ total: 4, rejected: 1, cancelled: 3 });
  expect((await resume(change_id, [])).data.devices).toBe(3);
  await settled(change_id);
  expect(await sums(change_id)).toEqual({ total: 4, rejected: 2, cancelled: 2 });
});

it('keeps the version of an excluded model, while joining devices get the new version', async () => {
  const { gwid, mood, bad } = await twoModels();
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  await update(id, name, [ssid('Visitors')]);
  mood.picky = true;
  const { change_id } = (await apply(id, { gwids: [gwid] }, canaries)).data;
  await settled(change_id);
  await resume(change_id, ['Picky']);
  await settled(change_id);
  expect(await sums(change_id)).toEqual({ total: 4, applied: 2, rejected: 1, cancelled: 1 });
  const { serial } = (await change(change_id)).devices.find(({ status }) => status === 'cancelled')!;
  expect(bad.map(({ identity }) => identity.serial)).toContain(serial);
  expect(await ssidsOf(serial)).toEqual(['Guests']);
  const late = await device(gwid);
  late.device.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
  await expectConfig(late.identity.serial, { state: 'in_sync' });
  expect(running(late.device)).toContain('Visitors');
});

/** Pushes to two devices in sequence. @returns the second */
async function twoSteps() {
  const gwid = await place();
  const aps = [await device(gwid), await device(gwid)];
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  await update(id, name, [ssid('Visitors')]);
  const pushed = await call<{ change_id: string; job_id: string }>(`${path}/apply`, {
    id,
    gwids: [gwid],
    start_at: new Date(Date.now() + 3_600_000).toISOString(),
    plan: { canary: 1, share: 100, rest: 0, stop_above: 0 },
  });
  const { serial } = (await change(pushed.data.change_id)).devices.find(({ wave }) => wave === 1)!;
  const second = aps.find(({ identity }) => identity.serial === serial)!;
  const current = async () => (await sql('select version from standing_layer where ref = $1', [gwid]))[0]?.version;
  return { ...pushed.data, second, before: bare(running(second.device)), current };
}
const rollback = (change_id: string) => call<{ devices: number }>(`${path}/rollback`, { change_id });

it('rolls back a device whose item is just starting', async () => {
  const { change_id, second, before, current } = await twoSteps();
  await asOwner(fixture.server.db.owner, async (client) => {
    await client.query('begin');
    await client.query('select from config_state where serial = $1 for update', [second.identity.serial]);
    await dueNow(fixture.server);
    await expect.poll(() => sums(change_id)).toEqual({ total: 2, applied: 1, running: 1 });
    let answered = false;
    const back = rollback(change_id).finally(() => {
      answered = true;
    });
    const waits = () => sql("select from pg_locks where locktype = 'advisory' and not granted");
    await expect.poll(async () => answered || (await waits()).length > 0).toBe(true);
    await client.query('commit');
    expect((await back).data.devices).toBe(2);
  });
  await settled(change_id);
  expect(await change(change_id)).toMatchObject({ reversed: true, sums: { total: 2, taken_back: 2 } });
  expect(bare(running(second.device))).toEqual(before);
  expect(await current()).toBe(1);
});

it('rolls back a device whose item was starting when the program was killed', async () => {
  const { change_id, job_id, second, before, current } = await twoSteps();
  await sql("update job_item set status = 'running', started_at = now() where job_id = $1 and serial = $2", [
    job_id,
    second.identity.serial,
  ]);
  expect((await rollback(change_id)).data.devices).toBe(1);
  await settled(change_id);
  expect(await sums(change_id)).toEqual({ total: 2, taken_back: 1, cancelled: 1 });
  await dueNow(fixture.server);
  const left = () => sql('select status, reason from job_item where job_id = $1 and wave = 1', [job_id]);
  await expect.poll(left).toEqual([{ status: 'skipped', reason: 'job.superseded' }]);
  expect(pushes(second.device)).toBe(1);
  expect(bare(running(second.device))).toEqual(before);
  expect(await current()).toBe(1);
});
