import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { endDevices } from '../../../test/conformance/device-client.ts';
import { numbered } from '../../../test/numbered.ts';
import {
  call,
  fixture,
  online,
  pushes,
  running,
  ssid,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';
import { apply, bare, change, device, path, settled, sums, template, update } from './testing/templates.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const back = (change_id: string, gwids?: string[]) =>
  call<{ devices: number }>(`${path}/rollback`, { change_id, ...(gwids && { gwids }) });
const place = async () =>
  (await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(fixture.owner, 'Shop') })).data.gwid;
const logged = async () =>
  (await call<{ list: { action: string; after: unknown }[] }>('/api/v3/log/action/list', { page: 1, limit: 1 })).data
    .list[0];

it('rolls back one network, offline devices included, and then the others', async () => {
  const [here, there] = [await place(), await place()];
  const stays = await device(there);
  const returns = await device(here);
  const away = await device(here);
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [here, there] })).data.change_id);
  const before = [stays, returns, away].map((one) => bare(running(one.device)));
  await update(id, name, [ssid('Visitors')]);
  await away.device.cut();
  const pushed = (await apply(id, { serials: [stays, returns, away].map(({ identity }) => identity.serial) })).data;
  await expect.poll(() => sums(pushed.change_id)).toEqual({ total: 3, applied: 2, waiting_offline: 1 });

  // the offline device's item is cancelled
  expect((await back(pushed.change_id, [here])).data.devices).toBe(1);
  await expect.poll(() => sums(pushed.change_id)).toEqual({ total: 3, applied: 1, taken_back: 1, cancelled: 1 });
  expect(await logged()).toMatchObject({ action: 'template.rollback', after: { gwids: [here] } });
  expect(bare(running(returns.device))).toEqual(before[1]);
  expect(running(stays.device)).toContain('Visitors');
  const current = await change(pushed.change_id);
  expect(current.reversed).toBe(false);
  expect(current.networks.map(({ gwid, devices }) => [gwid, devices]).toSorted()).toEqual(
    [
      [here, 0],
      [there, 1],
    ].toSorted(),
  );
  const again = await online(away.identity, { flash: away.device.flash });
  await expect.poll(() => bare(running(again))).toEqual(before[2]);
  expect(pushes(again)).toBe(0);
  expect(await back(pushed.change_id, [here])).toMatchObject({
    code: 4109,
    message: 'There is nothing left to do here: it is done or taken back already',
  });

  expect((await back(pushed.change_id)).data.devices).toBe(1);
  await settled(pushed.change_id);
  expect(bare(running(stays.device))).toEqual(before[0]);
  expect(await change(pushed.change_id)).toMatchObject({
    reversed: true,
    sums: { total: 3, taken_back: 2, cancelled: 1 },
  });
  expect(await call(`${path}/change/retry`, { change_id: pushed.change_id })).toMatchObject({ code: 4109 });
});

it('restores the explicit template of a device without a scope assignment', async () => {
  const ap = await device(await place());
  const serials = [ap.identity.serial];
  const first = await template([ssid('Guests')]);
  await settled((await apply(first.id, { serials })).data.change_id);
  const before = bare(running(ap.device));
  const second = await template([ssid('Visitors')]);
  const pushed = (await apply(second.id, { serials })).data.change_id;
  await settled(pushed);
  expect(running(ap.device)).toContain('Visitors');
  await back(pushed);
  await settled(pushed);
  expect(bare(running(ap.device))).toEqual(before);
});

it('that was stopped itself is not done: what it did not reach can be taken back later', async () => {
  const gwid = await place();
  const aps = [await device(gwid), await device(gwid)];
  const [first, second] = aps as [(typeof aps)[number], (typeof aps)[number]];
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  const before = bare(running(second.device));
  await update(id, name, [ssid('Visitors')]);
  const { change_id } = (await apply(id, { gwids: [gwid] })).data;
  await settled(change_id);
  await second.device.cut();
  await expect
    .poll(async () => (await call<{ status: string }>('/api/v3/ap/detail', { serial: second.identity.serial })).data)
    .toMatchObject({ status: 'offline' });
  await back(change_id);
  await expect.poll(() => sums(change_id)).toEqual({ total: 2, taken_back: 1, waiting_offline: 1 });
  await call(`${path}/change/stop`, { change_id });
  await settled(change_id);
  expect(await change(change_id)).toMatchObject({ reversed: false, sums: { taken_back: 1, cancelled: 1 } });
  const again = await online(second.identity, { flash: second.device.flash });
  expect(running(again)).toContain('Visitors');
  expect((await back(change_id)).data.devices).toBe(1);
  await settled(change_id);
  expect(await change(change_id)).toMatchObject({ reversed: true, sums: { total: 2, taken_back: 2 } });
  expect(bare(running(again))).toEqual(before);
  expect(running(first.device)).toContain('Guests');
});

it('does not undo what came after it, when its device was away for both', async () => {
  const gwid = await place();
  const ap = await device(gwid);
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  await ap.device.cut();
  await update(id, name, [ssid('Visitors')]);
  const older = (await apply(id, { serials: [ap.identity.serial] })).data.change_id;
  await expect.poll(() => sums(older)).toEqual({ total: 1, waiting_offline: 1 });
  await update(id, name, [ssid('Everybody')]);
  const newer = (await apply(id, { serials: [ap.identity.serial] })).data.change_id;
  await expect.poll(() => sums(newer)).toEqual({ total: 1, waiting_offline: 1 });
  const again = await online(ap.identity, { flash: ap.device.flash });
  await settled(newer);
  await settled(older);
  expect(running(again)).toContain('Everybody');
  expect(await sums(newer)).toEqual({ total: 1, applied: 1 });
  expect((await change(older)).devices).toMatchObject([{ status: 'skipped', reason: 'job.superseded' }]);
});

it('is tried again where a device refused it, forth and back', async () => {
  const gwid = await place();
  let refuses = 0;
  const render = () => {
    refuses -= 1;
    return refuses >= 0 ? { error: 2 as const, rejected: ['[E] not now'] } : { error: 0 as const, rejected: [] };
  };
  const ap = await device(gwid, { render });
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  const before = bare(running(ap.device));
  await update(id, name, [ssid('Visitors')]);
  refuses = 1;
  const pushed = (await apply(id, { gwids: [gwid] })).data.change_id;
  await settled(pushed);
  expect((await change(pushed)).devices).toMatchObject([{ status: 'rejected', reason: '[E] not now' }]);
  expect(await call(`${path}/change/retry`, { change_id: pushed })).toMatchObject({ data: { devices: 1 } });
  await settled(pushed);
  expect(await sums(pushed)).toEqual({ total: 1, applied: 1 });
  expect(running(ap.device)).toContain('Visitors');

  refuses = 1;
  await back(pushed);
  await settled(pushed);
  expect(await change(pushed)).toMatchObject({
    reversed: false,
    networks: [{ devices: 1 }],
    sums: { total: 1, rejected: 1 },
  });
  await back(pushed);
  await settled(pushed);
  expect(await change(pushed)).toMatchObject({ reversed: true, sums: { total: 1, taken_back: 1 } });
  expect(bare(running(ap.device))).toEqual(before);
});
