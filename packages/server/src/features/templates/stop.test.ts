import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { endDevices } from '../../../test/conformance/front-door.ts';
import { call, closeHouse, online, openHouse, pushes, running, ssid } from '../configuration/testing/house.ts';
import { apply, bare, change, device, path, settled, sums, template, update } from './testing.ts';

beforeAll(openHouse);
afterEach(endDevices);
afterAll(closeHouse);

const eventually = { timeout: 20_000, interval: 50 };
/** A network without any device. */
const place = async () => (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data.gwid;
const stop = (change_id: string) => call<object>(`${path}/change/stop`, { change_id });

it('is stopped whole, also where it was tried again meanwhile', async () => {
  const gwid = await place();
  let refuses = 1;
  const render = () => {
    refuses -= 1;
    return refuses >= 0 ? { error: 2 as const, rejected: ['[E] not now'] } : { error: 0 as const, rejected: [] };
  };
  const aps = [await device(gwid, { render }), await device(gwid, { render }), await device(gwid, { render })];
  const { id } = await template([ssid('Guests')]);
  const pushed = (await apply(id, { gwids: [gwid] }, { canary: 2, share: 100, rest: 3600, stop_above: 100 })).data;
  await expect.poll(() => sums(pushed.change_id), eventually).toEqual({ total: 3, applied: 1, rejected: 1, queued: 1 });
  expect(await call(`${path}/change/retry`, { change_id: pushed.change_id })).toMatchObject({ data: { devices: 1 } });
  await expect.poll(() => sums(pushed.change_id), eventually).toEqual({ total: 3, applied: 2, queued: 1 });

  expect(await stop(pushed.change_id)).toMatchObject({ code: 2000, data: { cancelled: 1, going_on: 0 } });
  const standing = await change(pushed.change_id);
  expect(standing.open).toBe(false);
  expect(await sums(pushed.change_id)).toEqual({ total: 3, applied: 2, cancelled: 1 });
  const { serial: spared } = standing.devices.find(({ status }) => status === 'cancelled')!;
  const left = aps.find(({ identity }) => identity.serial === spared)!;
  expect(pushes(left.device)).toBe(0);
  const log = await call<{ list: object[] }>('/api/v3/log/action/list', { page: 1, limit: 1 });
  expect(log.data.list).toMatchObject([{ action: 'template.stop', after: { version: 1, cancelled: 1, going_on: 0 } }]);
  // there is nothing left of it to be stopped
  expect(await stop(pushed.change_id)).toMatchObject({ code: 2000, data: { cancelled: 0, going_on: 0 } });
});

it('leaves to a device what it may be about, and that is taken back like the rest', async () => {
  const gwid = await place();
  const ap = await device(gwid, { applyMs: 100 });
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  const before = bare(running(ap.device));
  await update(id, name, [ssid('Visitors')]);
  // it applies what it was sent, and its answer is lost
  ap.device.options.applyMs = 60_000;
  const pushed = (await apply(id, { gwids: [gwid] })).data;
  const { params } = await ap.device.command('configure', 2);
  await ap.device.cut();
  await expect
    .poll(async () => (await change(pushed.change_id)).devices, eventually)
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
