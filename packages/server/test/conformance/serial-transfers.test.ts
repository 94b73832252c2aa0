import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administrator } from '../../src/features/installation/testing/administrator.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import {
  accessPoint,
  askToEnrol,
  comeOnline,
  endDevices,
  enrol,
  type Identity,
  listed,
  turnedAway,
} from './device-client.ts';
import { makeKey, makeRequest } from './peer/identity.ts';

let server: TestServer;
let admin: Registered;
let holder: Registered;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
});
beforeEach(async () => {
  [holder, owner] = [await server.register(), await server.register()];
});
afterEach(endDevices);
afterAll(() => server.stop());

const install = <T = { due_at: string | null }>(act: string, input: object, as: Registered = admin) =>
  server.call<T>(`/api/v3/install/serial/${act}`, input, as);
const move = (serial: string, to: Registered | null = owner) =>
  install('transfer', { serial, reason: 'Bought-with-the-shop', ...(to && { binding_code: to.bindingCode }) });
const rowOf = async (serial: string) =>
  (await install<{ list: { serial: string; id: string }[] }>('list', { limit: 50 })).data.list.find(
    (row) => row.serial === serial,
  )!;
const waiting = async (of: Registered) =>
  (await server.call<{ list: { id: string; serial: string }[] }>('/api/v3/binding/transfer/list', {}, of)).data.list;
const object = (id: string, by: Registered = holder) =>
  server.call('/api/v3/binding/transfer/object', { id, reason: 'Ours-since-May' }, by);
const messages = async (of: Registered) => {
  const { data } = await server.call<{ list: { template: string; params: object }[] }>(
    '/api/v3/message/list',
    { limit: 50 },
    of,
  );
  return data.list.map(({ template, params }): [string, object] => [template, params]);
};
const templates = async (of: Registered) => (await messages(of)).map(([template]) => template);
const actions = async (of: Registered, serial: string) =>
  (
    await server.call<{ list: { action: string; object: { id: string } }[] }>(
      '/api/v3/log/action/list',
      { limit: 50 },
      of,
    )
  ).data.list
    .filter((row) => row.object.id === serial)
    .map(({ action }) => action);
const enrolAs = (by: Registered, { serial }: Identity, key = makeKey()) =>
  askToEnrol(server, by.bindingCode, serial, makeRequest(serial, key));

async function online(confirmed: boolean) {
  const identity = await enrol(server, holder);
  const device = await comeOnline(server, holder, identity);
  await server.db.database.systemPool.query('update device set confirmed = $2 where serial = $1', [
    identity.serial,
    confirmed,
  ]);
  return { identity, serial: identity.serial, device };
}
async function passTime(serial: string) {
  const { systemPool } = server.db.database;
  await systemPool.query(`update serial_transfer set due_at = due_at - interval '72 hours' where serial = $1`, [
    serial,
  ]);
  await systemPool.query(`select graphile_worker.add_job('binding-transfers')`);
}

describe('a serial whose holder has not confirmed the device', () => {
  it('moves at once: the fake is cut off, the owner enrols with the code, and both sides know', async () => {
    const { identity, serial, device } = await online(false);
    expect((await enrolAs(owner, identity)).code).toBe(4112);
    expect((await install('find', { serial })).data).toMatchObject({
      holder: { account_id: holder.accountId, confirmed: false, proven_at: null },
    });
    expect((await move(serial)).data).toEqual({ due_at: null });
    await device.closed;
    await turnedAway(accessPoint(identity));
    expect((await enrolAs(holder, identity)).code).toBe(4112);
    const key = makeKey();
    const { code, data } = await enrolAs(owner, identity, key);
    expect(code).toBe(2000);
    await comeOnline(server, owner, { ...identity, key: key.keyPem, cert: data.certificate });
    expect(await listed(server, holder, serial)).toBeUndefined();
    expect(await templates(holder)).toContain('serialMoved');
    expect(await templates(owner)).toContain('serialGiven');
    for (const side of [holder, owner, admin]) expect(await actions(side, serial)).toContain('device.transfer');
  });

  it('stays reserved for the owner, and is free for all after a release', async () => {
    const { identity, serial } = await online(false);
    await move(serial);
    await server.db.database.systemPool.query(
      `update serial_directory set enrolled_at = enrolled_at - interval '30 days' where serial = $1`,
      [serial],
    );
    expect((await enrolAs(holder, identity)).code).toBe(4112);
    expect((await move(serial, null)).data).toEqual({ due_at: null });
    expect((await enrolAs(holder, identity)).code).toBe(2000);
  });
});

describe('a serial that no device of its holder has connected with', () => {
  it.each(['adopt', 'confirm'])('moves at once and cannot be objected to, after device/%s too', async (act) => {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' }, holder);
    const named = act === 'confirm' ? { gwid: data.gwid } : {};
    const identity = await enrol(server, holder, named);
    const { serial } = identity;
    const input = act === 'confirm' ? { serials: [serial] } : { serial, gwid: data.gwid };
    expect((await server.call(`/api/v3/device/${act}`, input, holder)).code).toBe(2000);
    expect(await listed(server, holder, serial)).toMatchObject({ confirmed: true, gwid: data.gwid });
    expect((await install('find', { serial })).data).toMatchObject({
      holder: { account_id: holder.accountId, confirmed: false, first_connected_at: null },
    });
    expect((await move(serial)).data).toEqual({ due_at: null });
    expect(await waiting(holder)).toEqual([]);
    expect(await rowOf(serial)).toMatchObject({ state: 'moved' });
    expect((await object((await rowOf(serial)).id)).code).toBe(4104);
    expect((await enrolAs(holder, identity)).code).toBe(4112);
    expect((await enrolAs(owner, identity)).code).toBe(2000);
  });

  it('lapses after 24 hours although its holder has adopted it', async () => {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' }, holder);
    const identity = await enrol(server, holder);
    const { serial } = identity;
    await server.db.database.systemPool.query(
      `update serial_directory set enrolled_at = enrolled_at - interval '25 hours' where serial = $1`,
      [serial],
    );
    await server.call('/api/v3/device/adopt', { serial, gwid: data.gwid }, holder);
    await enrolAs(holder, identity);
    expect((await enrolAs(owner, identity)).code).toBe(2000);
    expect(await listed(server, holder, serial)).toBeUndefined();
  });
});

describe('a serial whose holder has confirmed the device', () => {
  it('moves after 72 hours without an objection', async () => {
    const { serial, device } = await online(true);
    const due = Date.parse((await move(serial)).data.due_at!);
    expect(Math.round((due - Date.now()) / 3_600_000)).toBe(72);
    const second = await move(serial);
    expect(second).toMatchObject({ code: 4104, data: { due_at: new Date(due).toISOString() } });
    expect(second.message).toContain(new Date(due).toISOString().slice(0, 16).replace('T', ' '));
    expect(await templates(holder)).toContain('serialClaimed');
    expect(await templates(owner)).toContain('serialAwaited');
    for (const side of [holder, owner]) expect(await actions(side, serial)).toContain('device.transfer_request');
    await server.db.database.systemPool.query(`select graphile_worker.add_job('binding-transfers')`);
    expect(await waiting(holder)).toMatchObject([{ serial }]);
    expect(device.socket).not.toBeNull();
    await passTime(serial);
    await device.closed;
    expect(await rowOf(serial)).toMatchObject({ state: 'moved' });
    expect((await object((await rowOf(serial)).id)).code).toBe(4104);
  });

  it('stays when the holder objects, and the administrator reads the reason', async () => {
    const { serial, device } = await online(true);
    await move(serial);
    const [{ id }] = (await waiting(holder)) as [{ id: string; serial: string }];
    expect((await object(id, owner)).code).toBe(4113);
    expect((await object(id)).code).toBe(2000);
    expect((await object(id)).code).toBe(4104);
    await passTime(serial);
    expect(await rowOf(serial)).toMatchObject({ state: 'objected', objection: 'Ours-since-May' });
    for (const side of [admin, owner])
      expect(await messages(side)).toContainEqual(['serialObjected', { serial, reason: 'Ours-since-May' }]);
    expect(await templates(owner)).not.toContain('serialWithdrawn');
    expect(await actions(owner, serial)).toContain('device.transfer_object');
    expect(device.socket).not.toBeNull();
    expect(await waiting(holder)).toEqual([]);
  });

  it('stays when the administrator withdraws the move', async () => {
    const { serial } = await online(true);
    await move(serial);
    const { id } = await rowOf(serial);
    expect((await install('withdraw', { id, reason: 'Settled' })).code).toBe(2000);
    for (const side of [holder, owner]) {
      expect(await messages(side)).toContainEqual(['serialWithdrawn', { serial, reason: 'Settled' }]);
      expect(await templates(side)).not.toContain('serialObjected');
    }
    expect(await waiting(holder)).toEqual([]);
    expect(await listed(server, holder, serial)).toMatchObject({ serial });
  });

  it('goes to the owner when the holder unbinds it meanwhile', async () => {
    const { identity, serial } = await online(true);
    await move(serial);
    await server.call('/api/v3/device/unbind', { serial }, holder);
    await server.db.database.systemPool.query(`select graphile_worker.add_job('binding-transfers')`);
    await expect.poll(async () => rowOf(serial)).toMatchObject({ state: 'moved' });
    expect((await enrolAs(holder, identity)).code).toBe(4112);
    expect((await enrolAs(owner, identity)).code).toBe(2000);
  });
});

it('refuses serials and accounts that do not fit, beside their fields, and anyone but the administrator', async () => {
  const { serial } = await online(false);
  expect((await move('9c00000000ff')).errors).toHaveProperty('serial');
  expect((await move(serial, holder)).errors).toHaveProperty('binding_code');
  const wrong = { serial, binding_code: 'AAAAA-00000', reason: 'x' };
  expect((await install('transfer', wrong)).errors).toHaveProperty('binding_code');
  expect((await install('transfer', { serial, reason: 'x' }, holder)).code).toBe(4101);
});
