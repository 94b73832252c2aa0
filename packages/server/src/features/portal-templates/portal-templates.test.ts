import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { portalDraft, portalLimits } from '../../../test/portal-draft.ts';
import { type Answer, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

const call = <T = unknown>(path: string, input: object = {}, as: Registered = owner): Promise<Answer<T>> =>
  server.call<T>(`/api/v3/auth_template/${path}`, input, as);
const create = async (name = 'Cafe', more: object = {}) => {
  const made = await call<{ id: string }>('create', { name, ...portalDraft(more) });
  expect(made, JSON.stringify(made)).toMatchObject({ code: 2000 });
  return made.data.id;
};
interface Shown {
  status: string;
  revision: number;
  version: number | null;
  remember_days: number;
  methods: { kind: string; password_set: boolean }[];
}
const detail = async (id: string, version?: number) =>
  (await call<Shown>('detail', { id, ...(version && { version }) })).data;
const method = (kind: string, more: object = {}) => ({ kind, ...portalLimits, ...more });

it('publishes drafts as versions and restores one into the draft', async () => {
  const id = await create();
  expect(await detail(id)).toMatchObject({ status: 'draft', version: null, revision: 1 });
  expect(await call('publish', { id, revision: 1 })).toMatchObject({ code: 2000, data: { version: 1, networks: 0 } });
  expect(await detail(id)).toMatchObject({ status: 'published', version: 1 });
  expect(await call('publish', { id, revision: 1 })).toMatchObject({ code: 4109 });
  expect(await call('save', { id, revision: 1, name: 'Cafe', ...portalDraft({ remember_days: 3 }) })).toMatchObject({
    data: { revision: 2 },
  });
  expect(await detail(id)).toMatchObject({ status: 'changed', remember_days: 3 });
  expect(await detail(id, 1)).toMatchObject({ remember_days: 0 });
  expect(await call('publish', { id, revision: 2 })).toMatchObject({ data: { version: 2 } });
  expect(await call('restore', { id, revision: 2, version: 1 })).toMatchObject({ data: { revision: 3 } });
  expect(await detail(id)).toMatchObject({ status: 'changed', remember_days: 0, version: 2 });
  expect(await call('restore', { id, revision: 3, version: 9 })).toMatchObject({ code: 4113 });
  const { data } = await call<{ list: { version: number }[] }>('versions', { id });
  expect(data.list.map(({ version }) => version)).toEqual([2, 1]);
});

it('refuses to save over a draft that changed meanwhile, and says who changed it', async () => {
  const id = await create();
  await call('save', { id, revision: 1, name: 'Cafe', ...portalDraft() });
  for (const [path, more] of [
    ['save', { name: 'Cafe', ...portalDraft() }],
    ['publish', {}],
    ['restore', { version: 1 }],
  ] as const)
    expect(await call(path, { id, revision: 1, ...more })).toMatchObject({
      code: 4104,
      data: { revision: 2, updated_by: expect.any(String) },
    });
});

it('keeps names unique, whatever their case', async () => {
  const id = await create('Cafe');
  const other = await create('Bar');
  expect(await call('create', { name: 'CAFE', ...portalDraft() })).toMatchObject({
    code: 4105,
    message: 'Template name already exists',
  });
  expect(await call('save', { id: other, revision: 1, name: 'cafe', ...portalDraft() })).toMatchObject({ code: 4105 });
  expect(await call('copy', { id, name: 'Bar' })).toMatchObject({ code: 4105 });
  expect(await call('save', { id, revision: 1, name: 'cafe', ...portalDraft() })).toMatchObject({ code: 2000 });
});

it('names what is wrong with methods, beside the field', async () => {
  const errors = async (methods: object[]) =>
    (await call('create', { name: 'Cafe', ...portalDraft({ methods }) })).errors;
  const all = ['one_click', 'password', 'voucher', 'account', 'sms'].map((kind) => method(kind));
  expect(await errors([])).toEqual({ methods: ['Choose at least 1 item'] });
  expect(await errors([...all, ...all].slice(0, 9))).toEqual({ methods: ['At most 8 items'] });
  expect(await errors([method('sms'), method('one_click'), method('sms')])).toEqual({
    'methods.2.kind': ['This method is in the list already'],
  });
  expect(await errors([method('one_click'), method('password')])).toEqual({
    'methods.1.password': ['This field is required'],
  });
  for (const password of ['中文', 'Lobby 2026'])
    expect(await errors([method('password', { password })])).toEqual({
      'methods.0.password': ['Blanks, Chinese and special characters are not supported'],
    });
  expect(await errors([method('sms', { minutes: 50_000, devices: 0 })])).toEqual({
    'methods.0.minutes': ['Must be 43200 or less'],
    'methods.0.devices': ['Must be 1 or more'],
  });
});

it('keeps the order of methods', async () => {
  const id = await create('Cafe', { methods: [method('voucher'), method('one_click'), method('sms')] });
  expect((await detail(id)).methods.map(({ kind }) => kind)).toEqual(['voucher', 'one_click', 'sms']);
});

it('names what is wrong with whitelist, jump address, texts and pictures', async () => {
  const errors = async (more: object) => (await call('create', { name: 'Cafe', ...portalDraft(more) })).errors;
  const { page } = portalDraft();
  expect(await errors({ whitelist: [{ name: '', link: 'https://example.org' }] })).toEqual({
    'whitelist.0.name': ['This field is required'],
  });
  const site = 'Enter a link to a host name or an IPv4 address, such as https://example.com';
  for (const wrong of [
    'example.org',
    'https:// example.org',
    'javascript:alert(1)',
    'https://',
    'https://*.example.org',
  ])
    expect(await errors({ whitelist: [{ name: 'Menu', link: wrong }] })).toEqual({ 'whitelist.0.link': [site] });
  expect(await errors({ whitelist: [{ name: 'Menu', link: `https://${'a'.repeat(300)}` }] })).toEqual({
    'whitelist.0.link': ['Use at most 255 characters'],
  });
  expect(await errors({ whitelist: [{ name: 'Menu', link: 'https://s.example.org/menu' }] })).toBeUndefined();
  const link = 'Enter a link that starts with http:// or https://';
  expect(await errors({ jump: 'ftp://example.org' })).toEqual({ jump: [link] });
  const hours = [{ days: [1, 1], from: '08:00', to: '22:00' }];
  expect(await errors({ hours })).toEqual({ 'hours.0.days': ['An entry stands here more than once'] });
  expect(await errors({ page: { ...page, title: { zh: ' ', en: 'Welcome' } } })).toEqual({
    'page.title.zh': ['This field is required'],
  });
  expect(await errors({ page: { ...page, colour: 'red' } })).toEqual({
    'page.colour': ['Enter a colour such as #1264d8, in lower case'],
  });
  for (const slot of ['logo', 'background', 'carousel', 'countdown'])
    expect(await errors({ show: [slot] })).toEqual({ [`page.${slot}`]: ['This field is required'] });
  expect(await errors({ page: { ...page, logo: owner.accountId } })).toEqual({
    'page.logo': ['This image no longer exists; upload it again'],
  });
});

it('never gives out the fixed password, and keeps it when a save names none', async () => {
  const secret = 'guest-secret-77';
  const id = await create('Cafe', { methods: [method('password', { password: secret })] });
  await call('publish', { id, revision: 1 });
  await call('save', { id, revision: 1, name: 'Cafe', ...portalDraft({ methods: [method('password')] }) });
  expect(await detail(id)).toMatchObject({ status: 'published', methods: [{ kind: 'password', password_set: true }] });
  const other = 'guest-secret-78';
  const changed = portalDraft({ methods: [method('password', { password: other })] });
  await call('save', { id, revision: 2, name: 'Cafe', ...changed });
  expect(await detail(id)).toMatchObject({ status: 'changed' });
  await call('restore', { id, revision: 3, version: 1 });
  expect(await detail(id)).toMatchObject({ status: 'published' });
  const copied = await call<{ id: string }>('copy', { id, name: 'Bar' });
  await call('delete', { id: copied.data.id });
  const log = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { limit: 50 }, owner);
  expect(log.data.list.map(({ action }) => action)).toContain('portal_template.restore');
  const { rows } = await server.db.database.systemPool.query(
    `select to_jsonb(t)::text as text from portal_template t where account_id = $1
     union all select to_jsonb(t)::text from portal_template_version t where account_id = $1
     union all select to_jsonb(t)::text from operation_log t where account_id = $1`,
    [owner.accountId],
  );
  const written = [...rows.map(({ text }) => text as string), JSON.stringify([log.data, await detail(id)])].join('\n');
  expect(rows.length).toBeGreaterThan(8);
  expect(written).not.toContain('guest-secret');
  expect(written).toContain('password_changed');
});

it('lists templates by name, state and time, with their page', async () => {
  const id = await create('Cafe');
  await create('Bar');
  await call('publish', { id, revision: 1 });
  const names = async (input: object) =>
    (await call<{ list: { name: string }[]; total: number }>('list', input)).data.list.map(({ name }) => name);
  expect(await names({ sort: 'name' })).toEqual(['Bar', 'Cafe']);
  expect(await names({})).toEqual(['Cafe', 'Bar']);
  expect(await names({ keyword: 'ca' })).toEqual(['Cafe']);
  expect(await names({ status: 'draft' })).toEqual(['Bar']);
  const { data } = await call<{ list: object[]; total: number }>('list', { status: 'published' });
  expect(data).toMatchObject({
    total: 1,
    list: [{ methods: ['password'], status: 'published', version: 1, networks: 0, page: { colour: '#1264d8' } }],
  });
});

it('keeps the hosts of the approval, and refuses it without any or with what is no address', async () => {
  const sponsors = ['Lin@Example.com', '@corp.example.com'];
  const id = await create('Office', { methods: [method('sponsor', { sponsors })] });
  expect((await detail(id)).methods).toMatchObject([
    { kind: 'sponsor', sponsors: ['lin@example.com', '@corp.example.com'], password_set: false },
  ]);
  const refused = (more: object) =>
    call('create', { name: 'Other', ...portalDraft({ methods: [method('sponsor', more)] }) });
  expect(await refused({})).toMatchObject({ code: 422, errors: { 'methods.0.sponsors': [expect.any(String)] } });
  for (const wrong of [['lin'], [], ['a b@example.com']]) expect((await refused({ sponsors: wrong })).code).toBe(422);
});
