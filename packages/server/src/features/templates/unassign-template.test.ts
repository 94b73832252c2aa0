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
import { apply, bare, change, device, path, settled, sums, template } from './testing/templates.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
const unassign = (id: string, targets: object = {}) =>
  call<{ change_id: string; devices: number }>(`${path}/apply`, { id, version: null, ...targets, plan });
const back = (change_id: string) => call(`${path}/rollback`, { change_id });
const place = async () =>
  (await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(fixture.owner, 'Shop') })).data.gwid;
const logged = async () =>
  (await call<{ list: { action: string; after: unknown }[] }>('/api/v3/log/action/list', { page: 1, limit: 1 })).data
    .list[0];
const use = async (id: string) => {
  const { list } = (
    await call<{ list: { id: string; devices: number; networks: number }[] }>(`${path}/list`, {
      kind: 'wireless',
    })
  ).data;
  return list.find((row) => row.id === id);
};

it('unassigns from a network, then from all, and rolls back exactly', async () => {
  const [here, there] = [await place(), await place()];
  const one = await device(here);
  const other = await device(there);
  const { id } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [here, there] })).data.change_id);
  const before = bare(running(one.device));
  const preview = await call<object>(`${path}/preview`, { id, version: null, gwids: [here] });
  expect(preview.data).toMatchObject({
    totals: { devices: 1, changed: 1, networks: 1 },
    ssids: [{ change: 'removed', name: 'Guests', devices: 1 }],
  });
  const { serial } = one.identity;
  const lines = await call<{ changes: { path: string }[] }>(`${path}/preview_device`, {
    id,
    version: null,
    serial,
    gwids: [here],
  });
  expect(JSON.stringify(lines.data.changes)).toContain('/ssids');

  const off = (await unassign(id, { gwids: [here] })).data;
  expect(off.devices).toBe(1);
  expect(await logged()).toMatchObject({ action: 'template.take_off', after: { gwids: [here], devices: 1 } });
  await settled(off.change_id);
  expect(await change(off.change_id)).toMatchObject({ takes_off: true, sums: { total: 1, applied: 1 } });
  expect(running(one.device)).not.toContain('Guests');
  expect(running(other.device)).toContain('Guests');
  expect(await use(id)).toMatchObject({ devices: 1, networks: 1 });
  expect(await unassign(id, { gwids: [here] })).toMatchObject({ code: 4109 });

  await back(off.change_id);
  await settled(off.change_id);
  expect(bare(running(one.device))).toEqual(before);
  expect(await use(id)).toMatchObject({ devices: 2, networks: 2 });
  expect(await change(off.change_id)).toMatchObject({ reversed: true });

  const all = (await unassign(id)).data;
  expect(all.devices).toBe(2);
  await settled(all.change_id);
  expect(running(other.device)).not.toContain('Guests');
  expect(await use(id)).toMatchObject({ devices: 0, networks: 0 });
  expect(await call(`${path}/delete`, { id })).toMatchObject({ code: 2000 });
});

it('refuses a push without devices, and unassigns from empty networks without a job', async () => {
  const [gwid, other] = [await place(), await place()];
  const { id } = await template([ssid('Guests')]);
  const before = (await call<{ total: number }>('/api/v3/job/list', { limit: 1 })).data.total;
  const refused = await apply(id, { gwids: [gwid] });
  expect(refused).toMatchObject({ code: 4102, data: { queue_allowed: false } });
  expect(await use(id)).toMatchObject({ devices: 0, networks: 0 });
  expect((await call<{ total: number }>(`${path}/change/list`, { id })).data.total).toBe(0);
  expect((await call<{ total: number }>('/api/v3/job/list', { limit: 1 })).data.total).toBe(before);

  // inherited through a device that left
  const one = await device(other);
  await settled((await apply(id, { gwids: [gwid, other] })).data.change_id);
  expect(await unassign(id, { gwids: [other] })).toMatchObject({ data: { devices: 1 } });
  await expect.poll(() => running(one.device)).not.toContain('Guests');
  expect(await use(id)).toMatchObject({ devices: 0, networks: 1 });
  const jobs = (await call<{ total: number }>('/api/v3/job/list', { limit: 1 })).data.total;
  const off = (await unassign(id)).data;
  expect(off).toMatchObject({ devices: 0, job_id: null });
  expect(await use(id)).toMatchObject({ devices: 0, networks: 0 });
  expect(await change(off.change_id)).toMatchObject({ open: false, sums: { total: 0 }, rounds: [{ job_id: null }] });
  expect(await back(off.change_id)).toMatchObject({ data: { devices: 0, job_id: null } });
  expect(await use(id)).toMatchObject({ networks: 1 });
  expect(await change(off.change_id)).toMatchObject({ reversed: true });
  expect(await back(off.change_id)).toMatchObject({ code: 4109 });
  expect((await call<{ total: number }>('/api/v3/job/list', { limit: 1 })).data.total).toBe(jobs);
});

it('keeps narrower assignments and other templates', async () => {
  const gwid = await place();
  const one = await device(gwid);
  const other = await device(gwid);
  const [below, own] = [await template([ssid('Everybody')]), await template([ssid('Till')])];
  await settled((await apply(below.id, { gwids: [gwid] })).data.change_id);
  await settled((await apply(own.id, { serials: [one.identity.serial] })).data.change_id);
  const off = (await unassign(below.id, { gwids: [gwid] })).data;
  expect(off.devices).toBe(1);
  await settled(off.change_id);
  expect(running(one.device)).toContain('Till');
  expect(running(other.device)).not.toContain('Everybody');
  await back(off.change_id);
  await settled(off.change_id);

  // the network's template applies again
  await settled((await unassign(own.id)).data.change_id);
  expect(running(one.device)).toContain('Everybody');
});

it('stays on offline devices until they return, and retries where a device rejected it', async () => {
  const gwid = await place();
  let refuses = 0;
  const render = () => {
    refuses -= 1;
    return refuses >= 0 ? { error: 2 as const, rejected: ['[E] not now'] } : { error: 0 as const, rejected: [] };
  };
  const one = await device(gwid, { render });
  const away = await device(gwid);
  const { id } = await template([ssid('Guests')]);
  await settled((await apply(id, { gwids: [gwid] })).data.change_id);
  await away.device.cut();
  refuses = 1;
  const off = (await unassign(id, { gwids: [gwid] })).data.change_id;
  await expect.poll(() => sums(off)).toEqual({ total: 2, rejected: 1, waiting_offline: 1 });
  expect(await use(id)).toMatchObject({ devices: 1, networks: 0 });
  // deletion fails and names the assignments
  const kept = await call(`${path}/delete`, { id });
  expect(kept).toMatchObject({ code: 4109, data: { devices: 1, networks: 0, groups: 0 } });
  expect(kept.message).toMatch(/^1 device, 0 networks and 0 groups use|^还有 1 台设备、0 个网络和 0 个分组/);
  const having = await call<{ list: object[] }>('/api/v3/ap/list', { template_id: id, page: 1, limit: 10 });
  expect(having.data.list).toMatchObject([{ serial: away.identity.serial }]);
  const again = await online(away.identity, { flash: away.device.flash });
  await settled(off);
  expect(running(again)).not.toContain('Guests');
  expect(pushes(again)).toBe(1);
  expect(await call(`${path}/change/retry`, { change_id: off })).toMatchObject({ data: { devices: 1 } });
  await settled(off);
  expect(await sums(off)).toEqual({ total: 2, applied: 2 });
  expect(running(one.device)).not.toContain('Guests');
});
