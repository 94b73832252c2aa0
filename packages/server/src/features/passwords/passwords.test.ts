import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { endDevices } from '../../../test/conformance/device-client.ts';
import { asOwner } from '../../../test/database.ts';
import {
  call,
  ended,
  expectConfig,
  fixture,
  network,
  online,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const path = '/api/v3/ac_password/rule';
const plan = (more: object = {}) => ({
  cycle: 'daily',
  weekday: 1,
  month_day: 1,
  at: '04:00',
  length: 12,
  charset: 'digits',
  prefix: 'shop-',
  quiet: ['09:00-18:00'],
  notify: true,
  emails: [],
  ...more,
});
interface Row {
  id: string;
  next_at: string | null;
  devices: number;
  ssid_gone: boolean;
  networks: string[];
  last_job: { status: string } | null;
}
const rows = async () => (await call<{ list: Row[] }>(`${path}/list`, { limit: 50 })).data.list;
const reveal = async (id: string, seq?: number) =>
  (
    await call<{ password: string; ssid: string; hidden: boolean; wpa3_only: boolean }>(`${path}/reveal`, {
      id,
      ...(seq && { seq }),
    })
  ).data;
const keyOf = (text: string, name: string): unknown => {
  const { interfaces } = JSON.parse(text) as {
    interfaces: { ssids?: { name: string; encryption: { key?: string } }[] }[];
  };
  return interfaces.flatMap(({ ssids }) => ssids ?? []).find((one) => one.name === name)?.encryption.key;
};

it('a rule gives an SSID passwords of its own, keeps them sealed, and gives the old one back when it goes', async () => {
  const { gwid, identity } = await network();
  const ap = await online({ ...identity, port: fixture.server.program.devicePort });
  await ended(await save(gwid, 0, [ssid('Guests'), ssid('Staff')]), 'applied');
  const given = { name: 'Guests of the shop', gwids: [gwid], ssid: 'Guests', plan: plan() };
  expect(await call(`${path}/create`, { ...given, name: 'Guests-1', ssid: 'Elsewhere' })).toMatchObject({ code: 422 });
  expect((await call<{ list: string[] }>('/api/v3/ac_password/ssids', { gwids: [gwid] })).data.list).toEqual([
    'Guests',
    'Staff',
  ]);
  const made = await call<{ id: string; job_id: string }>(`${path}/create`, { ...given, name: 'Guests-1' });
  expect(made, JSON.stringify(made)).toMatchObject({ code: 2000 });
  await ended(made, 'applied');
  const { id } = made.data;
  const first = await reveal(id);
  expect(first).toMatchObject({ ssid: 'Guests', password: expect.stringMatching(/^shop-[2-9]{7}$/) });
  expect(first).toMatchObject({ hidden: false, wpa3_only: false });
  expect(keyOf(running(ap), 'Guests')).toBe(first.password);
  expect(keyOf(running(ap), 'Staff')).toBe('welcome-2026');
  expect(await rows()).toMatchObject([
    {
      id,
      devices: 1,
      ssid_gone: false,
      networks: ['Shop'],
      next_at: expect.any(String),
      last_job: { status: 'succeeded' },
    },
  ]);
  const settings = await call('/api/v3/network/wireless/get', { gwid });
  expect(settings.data).toMatchObject({ password_rules: [{ ssid: 'Guests', name: 'Guests-1' }] });
  expect(await call(`${path}/create`, { ...given, name: 'Another' })).toMatchObject({ code: 4109 });

  await ended(await call<{ job_id: string }>(`${path}/rotate`, { id }), 'applied');
  const second = await reveal(id);
  expect(second.password).not.toBe(first.password);
  expect(keyOf(running(ap), 'Guests')).toBe(second.password);
  const { data: history } = await call<{ list: { seq: number; cause: string; valid_to: string | null }[] }>(
    `${path}/history`,
    { id },
  );
  expect(history.list).toMatchObject([
    { seq: 2, cause: 'hand', valid_to: null },
    { seq: 1, cause: 'made', valid_to: expect.any(String) },
  ]);
  expect(await call(`${path}/reveal`, { id, seq: 2 ** 40 })).toMatchObject({ status: 422, code: 422 });
  await ended(await save(gwid, 1, [ssid('Guests', { hidden: true }), ssid('Staff')]), 'applied');
  expect(keyOf(running(ap), 'Guests')).toBe(second.password);
  expect(await reveal(id, 1)).toMatchObject({ password: first.password, hidden: true });
  const log = await call<{ list: { action: string }[] }>('/api/v3/log/action/list', { page: 1, limit: 50 });
  for (const { password } of [first, second]) expect(JSON.stringify(log.data.list)).not.toContain(password);
  expect(log.data.list.filter(({ action }) => action === 'password.reveal')).toHaveLength(3);
  expect(JSON.stringify((await call('/api/v3/message/list', { page: 1, limit: 10 })).data)).not.toContain(
    second.password,
  );

  await ended(await save(gwid, 2, [ssid('Visitors'), ssid('Staff')]), 'applied');
  expect((await rows()).filter((row) => row.id === id)).toMatchObject([{ ssid_gone: true }]);
  await ended(await save(gwid, 3, [ssid('Guests'), ssid('Staff')]), 'applied');

  await ended(await call<{ job_id: string }>(`${path}/delete`, { id }), 'applied');
  expect(keyOf(running(ap), 'Guests')).toBe('welcome-2026');
});

it('passwords change when their time comes, in whichever process, and not while the rule is paused', async () => {
  const { gwid, identity } = await network();
  const ap = await online({ ...identity, port: fixture.server.program.devicePort });
  await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
  const made = await call<{ id: string; job_id: string }>(`${path}/create`, {
    name: 'Lobby',
    gwids: [gwid],
    ssid: 'Lobby',
    plan: plan({ prefix: '', charset: 'mixed' }),
  });
  await ended(made, 'applied');
  const { id } = made.data;
  const first = await reveal(id);
  const comeDue = async () => {
    const { owner, database } = fixture.server.db;
    await asOwner(owner, (client) =>
      client.query("update password_rule set next_at = now() - interval '1 minute' where id = $1", [id]),
    );
    // the job tables belong to the server's role
    await database.systemPool.query("select graphile_worker.add_job('passwords-due')");
  };
  expect(await call(`${path}/pause`, { id, paused: true })).toMatchObject({ code: 2000 });
  expect((await rows()).find((row) => row.id === id)).toMatchObject({ paused: true, next_at: null });
  expect(await call(`${path}/pause`, { id, paused: false })).toMatchObject({ code: 2000 });
  await comeDue();
  await expect.poll(async () => (await reveal(id)).password).not.toBe(first.password);
  const { password } = await reveal(id);
  await expect.poll(() => keyOf(running(ap), 'Lobby')).toBe(password);
  await expectConfig(identity.serial, { state: 'in_sync' });
  const { next_at } = (await rows()).find((row) => row.id === id)!;
  expect(new Date(next_at ?? 0).getTime()).toBeGreaterThan(Date.now());
  const inbox = await call<{ list: { template: string }[] }>('/api/v3/message/list', { page: 1, limit: 10 });
  expect(inbox.data.list.map(({ template }) => template)).toContain('wifiPasswordChanged');
});

it('mails each new password once to every address of its rule, and nothing when none is made', async () => {
  const { gwid } = (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Mailed' })).data;
  await save(gwid, 0, [ssid('Guests')]);
  const given = (emails: string[]) => ({ name: 'Mailed', gwids: [gwid], ssid: 'Guests', plan: plan({ emails }) });
  const wrong = await call<{ errors: object }>(`${path}/create`, given(['desk@example.org', 'nobody']));
  expect(wrong).toMatchObject({ code: 422 });
  const many = Array.from({ length: 11 }, (_, at) => `desk-${at}@example.org`);
  expect(await call(`${path}/create`, given(many))).toMatchObject({ code: 422 });

  const [officeSsid, shop] = ['desk@example.org', 'shop@example.org'];
  const { id } = (await call<{ id: string }>(`${path}/create`, given(['Desk@example.org', officeSsid, shop]))).data;
  const mails = (to: string) => fixture.server.outbox(to).filter(({ template }) => template === 'wifiPassword');
  const mailed = async (to: string, n: number) => {
    await expect.poll(() => mails(to)).toHaveLength(n);
    return mails(to).at(-1)!;
  };
  const { password } = await reveal(id);
  for (const to of [officeSsid, shop]) expect((await mailed(to, 1)).text).toContain(password);
  expect((await rows()).find((row) => row.id === id)).toMatchObject({ plan: { emails: [officeSsid, shop] } });

  expect(await call(`${path}/update`, { id, name: 'Mailed', plan: plan({ emails: [shop] }) })).toMatchObject({
    code: 2000,
  });
  const log = await call<{ list: { action: string; before: object; after: object }[] }>('/api/v3/log/action/list', {
    page: 1,
    limit: 1,
  });
  expect(log.data.list).toMatchObject([
    { action: 'password.update', before: { emails: [officeSsid, shop] }, after: { emails: [shop] } },
  ]);

  const { owner, database } = fixture.server.db;
  await asOwner(owner, (client) =>
    client.query("update password_rule set next_at = now() - interval '1 minute' where id = $1", [id]),
  );
  // concurrently in two processes
  for (const key of ['one', 'other'])
    await database.systemPool.query("select graphile_worker.add_job('passwords-due', job_key => $1)", [key]);
  await expect.poll(async () => (await reveal(id)).password).not.toBe(password);
  const second = await mailed(shop, 2);
  expect(second.text).toContain((await reveal(id)).password);

  const turns = [];
  for (let turn = 0; turn < 20; turn += 1) turns.push((await call(`${path}/rotate`, { id })).code);
  expect(new Set(turns.slice(0, 19))).toEqual(new Set([2000]));
  expect(turns[19]).toBe(429);
  const last = await mailed(shop, 21);
  expect(last.text).toContain((await reveal(id)).password);
  expect(mails(officeSsid)).toHaveLength(1);
  const keys = await call<{ total: number }>(`${path}/history`, { id });
  expect(keys.data.total).toBe(21);
});

it('starts no job where no access point is', async () => {
  const { gwid } = (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Nobody' })).data;
  await save(gwid, 0, [ssid('Guests')]);
  const made = await call<{ id: string }>(`${path}/create`, {
    name: 'Nobody',
    gwids: [gwid],
    ssid: 'Guests',
    plan: plan(),
  });
  expect(made).toMatchObject({ code: 2000, data: { job_id: null } });
  const { id } = made.data;
  expect(await call(`${path}/rotate`, { id })).toMatchObject({ code: 2000, data: { job_id: null } });
  expect((await rows()).find((row) => (row as { id: string }).id === id)).toMatchObject({ last_job: null });
  expect(await call(`${path}/delete`, { id })).toMatchObject({ code: 2000, data: { job_id: null } });
});

it('changes the named fields of a rule, so that two forms do not take each other back', async () => {
  const { gwid } = (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Two forms' })).data;
  await save(gwid, 0, [ssid('Guests')]);
  const { id } = (
    await call<{ id: string }>(`${path}/create`, { name: 'Two-forms', gwids: [gwid], ssid: 'Guests', plan: plan() })
  ).data;
  for (const change of [{ plan: { length: 16 } }, { plan: { at: '05:00' } }, { name: 'Forms' }])
    expect(await call(`${path}/update`, { id, ...change })).toMatchObject({ code: 2000 });
  expect((await rows()).find((row) => row.id === id)).toMatchObject({
    name: 'Forms',
    plan: plan({ length: 16, at: '05:00' }),
  });
});
