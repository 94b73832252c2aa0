import type { alarmBrowsers as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import * as fixture from '../testing/fixture.ts';
import { hook, type Made, type Notices, notices, resetHook, run, save, send, startHook } from '../testing/notify.ts';
import {
  decrypt,
  type PushService,
  startPushService,
  subscribe,
  type TestBrowser,
  vapidClaims,
} from '../testing/push-service.ts';

const { call, clock, devices, lose, back, minute, query } = fixture;

type List = DataOf<typeof contract.browserList>;

let service: PushService;

beforeAll(async () => {
  await fixture.startFixture();
  await startHook();
  service = await startPushService();
});
afterAll(async () => {
  await fixture.stopFixture();
  await hook.stop();
  await service.stop();
});
beforeEach(async () => {
  await fixture.start();
  resetHook();
  Object.assign(service, { requests: [], status: 201, headers: {} });
});

const browsers = (as: Registered = fixture.owner) => call<List>('alarm_browser/list', {}, as);

async function add(name = 'Phone', as: Registered = fixture.owner, browser = subscribe(service)): Promise<TestBrowser> {
  await call('alarm_browser/save', { name, ...browser.subscription }, as);
  return browser;
}

const toMe = () => save({ members: [fixture.owner.userId], member_channels: ['web_push'], endpoints: [] });

async function test({ id }: Pick<Made, 'id'>) {
  const { batch_id } = await call<{ batch_id: string }>('alarm_subscription/test', { id });
  await send();
  return (await notices({ batch_id })).list;
}

const shown = (browser: TestBrowser) =>
  service.requests.filter(({ path }) => path === browser.path).map(({ body }) => decrypt(browser, body));

it('shows an alarm and its recovery in the language of the member', async () => {
  await query("update person set locale = 'zh-CN' where id = $1", [fixture.owner.userId]);
  const browser = await add();
  await toMe();
  const gateway = await devices('gateway', 1);
  await lose(gateway);
  await run(4);
  const { id } = (await fixture.list())[0]!;
  await back(gateway);
  await run(2);
  const same = { tag: `alarm ${id}`, path: `/alarm?alarm=${id}`, lang: 'zh-CN', at: expect.any(Number) };
  expect(shown(browser)).toEqual([
    { title: '严重告警：West-Lake 的网关 gateway-1 离线', body: expect.stringContaining('开始于'), ...same },
    { title: expect.stringContaining('恢复'), body: expect.stringContaining('至'), ...same },
  ]);
  expect(service.requests.map(({ headers }) => headers.urgency)).toEqual(['high', 'normal']);
  expect((await notices()).list).toMatchObject([
    { channel: 'web_push', state: 'sent', recipient: expect.stringContaining('Phone'), attempts: [{ ok: true }] },
    { channel: 'web_push', state: 'sent' },
  ]);
  expect((await browsers()).list).toMatchObject([{ name: 'Phone', last: { error: null } }]);
});

it('signs for the push service, with the key that browsers subscribe with', async () => {
  await add();
  const { public_key: key } = await browsers();
  expect(await test(await toMe())).toMatchObject([{ state: 'sent' }]);
  const [request] = service.requests;
  const { aud, exp, sub } = vapidClaims(request!, key);
  expect({ aud, sub }).toEqual({ aud: service.url, sub: 'mailto:console@localhost' });
  expect(exp).toBeGreaterThan(Date.now() / 1000);
  expect(exp).toBeLessThanOrEqual(Date.now() / 1000 + 24 * 3600);
  expect(request!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' });
  expect(() => decrypt(subscribe(service), request!.body)).toThrow();
});

it('lists many alarms in one notification that a push service takes', async () => {
  const browser = await add();
  await save({ members: [fixture.owner.userId], member_channels: ['web_push'], endpoints: [], digest_minutes: 10 });
  const far = await fixture.network('湖'.repeat(10));
  await lose(await devices('ap', 40, far));
  await lose(await devices('gateway', 1));
  await run(17);
  const [{ title, body, path, tag }] = shown(browser) as [Record<string, string>];
  expect(title).toMatch(/^\d+ alarms in/);
  expect(body).toContain('West-Lake');
  expect({ path, tag }).toEqual({ path: '/alarm', tag: expect.stringMatching(/^message /) });
  expect(service.requests[0]!.body.length).toBeLessThanOrEqual(4096);
});

it('sends to every browser of a member, and says of a member without one', async () => {
  const made = await toMe();
  expect(await test(made)).toMatchObject([
    { state: 'failed', error: 'This member has added no browser for notifications' },
  ]);
  const two = [await add('Phone'), await add('Laptop')];
  expect((await test(made)).map(({ state }) => state)).toEqual(['sent', 'sent']);
  for (const browser of two) expect(shown(browser)).toHaveLength(1);
  const people = await call<{ list: { browser: boolean }[] }>('alarm_subscription/people');
  expect(people.list).toMatchObject([{ browser: true }]);
});

it.each([404, 410])('removes a browser whose push service answers %s', async (status) => {
  await add();
  const made = await toMe();
  service.status = status;
  expect(await test(made)).toMatchObject([
    { state: 'failed', error: expect.stringContaining('ended its subscription') },
  ]);
  expect((await browsers()).list).toEqual([]);
  expect(service.requests).toHaveLength(1);
});

it('tries again after an error, and keeps the browser', async () => {
  const browser = await add();
  await toMe();
  service.status = 503;
  await lose(await devices('ap', 1));
  await run(6);
  expect((await notices()).list).toMatchObject([{ state: 'waiting', error: 'The address answered with HTTP 503' }]);
  expect((await browsers()).list).toMatchObject([{ last: { error: 'The address answered with HTTP 503' } }]);
  service.status = 201;
  clock.advance(11 * minute);
  await send();
  expect((await notices()).list).toMatchObject([{ state: 'sent' }]);
  expect(new Set(shown(browser).map((one) => JSON.stringify(one))).size).toBe(1);
});

it.each([
  [413, 'failed'],
  [429, 'waiting'],
])('keeps the browser after an answer %s: the message is %s', async (status, state) => {
  await add();
  await toMe();
  service.status = status;
  await lose(await devices('ap', 1));
  await run(6);
  expect((await notices()).list).toMatchObject([{ state, error: `The address answered with HTTP ${status}` }]);
  expect((await browsers()).list).toHaveLength(1);
  // leaves no message for the next test
  service.status = 201;
  clock.advance(11 * minute);
  await send();
});

it('waits as long as the push service asks', async () => {
  await add();
  await toMe();
  Object.assign(service, { status: 429, headers: { 'retry-after': '1500' } });
  await lose(await devices('ap', 1));
  await run(6);
  const sent = service.requests.length;
  expect(sent).toBe(1);
  service.status = 201;
  clock.advance(12 * minute);
  await send();
  expect(service.requests).toHaveLength(sent);
  clock.advance(14 * minute);
  await send();
  expect((await notices()).list).toMatchObject([{ state: 'sent' }]);
});

it('sends nothing to a browser that was removed meanwhile', async () => {
  await add();
  await toMe();
  service.status = 503;
  await lose(await devices('ap', 1));
  await run(6);
  const sent = service.requests.length;
  await call('alarm_browser/delete', { id: (await browsers()).list[0]!.id });
  clock.advance(11 * minute);
  await send();
  expect(service.requests).toHaveLength(sent);
  expect((await notices()).list).toMatchObject([{ state: 'failed', error: 'The browser was removed from the list' }]);
});

describe('a renewed push subscription', () => {
  const renew = (old: TestBrowser, next: TestBrowser, changed: object = {}) =>
    fixture.server.call('/api/v3/open/alarm_browser/renew', {
      old_endpoint: old.subscription.endpoint,
      old_auth: old.subscription.auth,
      ...next.subscription,
      ...changed,
    });

  it('gets the messages of the old one under its name, and the log says so', async () => {
    const [old, next] = [await add(), subscribe(service)];
    const [{ id }] = (await browsers()).list as [List['list'][number]];
    expect((await renew(old, next)).code).toBe(2000);
    expect((await browsers()).list).toMatchObject([{ id, name: 'Phone' }]);
    expect(await test(await toMe())).toMatchObject([{ state: 'sent' }]);
    expect([shown(old).length, shown(next).length]).toEqual([0, 1]);
    const log = await call<{ list: unknown[] }>('log/action/list', { limit: 5 });
    expect(log.list).toContainEqual(expect.objectContaining({ action: 'alarm.browser_renew' }));
    for (const secret of [old, next]) expect(JSON.stringify(log)).not.toContain(secret.path);
  });

  it('continues a browser whose push service has ended the old one', async () => {
    const [old, next] = [await add(), subscribe(service)];
    const made = await toMe();
    service.status = 410;
    await test(made);
    service.status = 201;
    expect((await browsers()).list).toEqual([]);
    expect((await renew(old, next)).code).toBe(2000);
    expect((await browsers()).list).toMatchObject([{ name: 'Phone' }]);
    expect(await test(made)).toMatchObject([{ state: 'sent' }]);
    expect(shown(next)).toHaveLength(1);
  });

  it('needs both secrets of the old one, which serve once', async () => {
    const [old, next] = [await add(), subscribe(service)];
    const { auth } = subscribe(service).subscription;
    expect((await renew(old, next, { old_auth: auth })).code).toBe(4113);
    expect((await renew(subscribe(service), next)).code).toBe(4113);
    expect((await renew(old, next)).code).toBe(2000);
    expect((await renew(old, subscribe(service))).code).toBe(4113);
    expect((await browsers()).list).toHaveLength(1);
  });

  it('waits for a save of the old one, and a save for it', async () => {
    const old = await add();
    let current = old;
    for (let n = 0; n < 8; n += 1) {
      const next = subscribe(service);
      const [renewed] = await Promise.all([renew(current, next), add('Pocket', fixture.owner, current)]);
      expect(renewed.code).toBe(2000);
      current = next;
    }
  });

  it('revives no browser that its person has removed', async () => {
    const old = await add();
    await call('alarm_browser/delete', { id: (await browsers()).list[0]!.id });
    expect((await renew(old, subscribe(service))).code).toBe(4113);
    expect((await browsers()).list).toEqual([]);
  });
});

describe('a browser', () => {
  it('belongs to one person, even if two save it together', async () => {
    const people = [fixture.owner, await fixture.server.register()];
    for (let n = 0; n < 5; n += 1) {
      const browser = subscribe(service);
      await Promise.all(people.map((one) => add('Kiosk', one, browser)));
      const lists = await Promise.all(people.map(async (one) => (await browsers(one)).list.length));
      expect(lists.reduce((sum, count) => sum + count)).toBe(n + 1);
    }
  });

  it('is renamed by its next save, and belongs to the last person who saved it', async () => {
    const browser = await add('Phone');
    const [{ id }] = (await browsers()).list as [List['list'][number]];
    await add('Pocket', fixture.owner, browser);
    expect((await browsers()).list).toMatchObject([{ id, name: 'Pocket' }]);
    const other = await fixture.server.register();
    await add('Pocket', other, browser);
    expect((await browsers()).list).toEqual([]);
    expect((await browsers(other)).list).toMatchObject([{ name: 'Pocket' }]);
  });

  it('is removed only by its person, and with its person', async () => {
    await add();
    const [{ id }] = (await browsers()).list as [List['list'][number]];
    const other = await fixture.server.register();
    const { code } = await fixture.server.call('/api/v3/alarm_browser/delete', { id }, other);
    expect(code).toBe(4113);
    await query('delete from person where id = $1', [fixture.owner.userId]);
    expect((await query('select from alarm_browser where id = $1', [id])).rowCount).toBe(0);
  });

  it('keeps its endpoint and keys secret in database and log', async () => {
    const { subscription, path } = await add();
    const rows = await query('select * from alarm_browser where account_id = $1', [fixture.owner.accountId]);
    const log = await call('log/action/list', { limit: 5 });
    const text = JSON.stringify([rows.rows, log, await browsers()]);
    for (const secret of [path, subscription.p256dh, subscription.auth]) expect(text).not.toContain(secret);
  });

  it('is one of ten', async () => {
    for (let n = 0; n < 10; n += 1) await add(`Browser ${n}`);
    const eleventh = { name: 'Browser', ...subscribe(service).subscription };
    const { code } = await fixture.server.call('/api/v3/alarm_browser/save', eleventh, fixture.owner);
    expect(code).toBe(4106);
  });

  it.each([
    ['p256dh', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['p256dh', { p256dh: 'short' }],
    ['auth', { auth: 'A'.repeat(23) }],
    ['endpoint', { endpoint: 'javascript:alert(1)' }],
    ['endpoint', { endpoint: 'https://user:secret@push.example.org/a' }],
    ['name', { name: '' }],
  ])('refuses a forged %s beside its field: %o', async (field, forged) => {
    const input = { name: 'Phone', ...subscribe(service).subscription, ...forged };
    const { errors } = await fixture.server.call('/api/v3/alarm_browser/save', input, fixture.owner);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});

describe('without YUNXUN_WEBHOOK_PRIVATE', () => {
  let closed: TestServer;
  let owner: Registered;
  beforeAll(async () => {
    closed = await startTestServer({ config: { privateWebhooks: false } });
    owner = await closed.register();
  });
  afterAll(() => closed.stop());

  it.each([
    ['https://127.0.0.1/a', 'private address'],
    ['https://localhost/a', 'private address'],
    ['https://[::ffff:10.0.0.1]/a', 'private address'],
    ['https://169.254.169.254/latest/meta-data', 'private address'],
    ['https://push.invalid/a', 'unknown'],
    ['http://push.example.org/a', 'https://'],
  ])('refuses %s beside the field', async (endpoint, words) => {
    const input = { name: 'Phone', ...subscribe(service).subscription, endpoint };
    const { status, errors } = await closed.call('/api/v3/alarm_browser/save', input, owner);
    expect({ status, errors }).toEqual({ status: 422, errors: { endpoint: [expect.stringContaining(words)] } });
  });

  it('sends nothing to an address that is private by now, and keeps the installation’s key', async () => {
    const server = await startTestServer();
    try {
      const person = await server.register();
      await server.call('/api/v3/alarm_browser/save', { name: 'Phone', ...subscribe(service).subscription }, person);
      const input = {
        name: 'On-call',
        enabled: true,
        locale: 'en',
        levels: ['FATAL'],
        kinds: [],
        endpoints: [],
        scope: { type: 'all', ids: [] },
        schedule: [],
        quiet: null,
        digest_minutes: 0,
        repeat_hours: 0,
        members: [person.userId],
        member_channels: ['web_push'],
        recovery: true,
      };
      const { data: made } = await server.call<Made>('/api/v3/alarm_subscription/save', input, person);
      const keyOf = async () => (await server.call<List>('/api/v3/alarm_browser/list', {}, person)).data.public_key;
      const key = await keyOf();
      server.config.privateWebhooks = false;
      await server.restart();
      expect(await keyOf()).toBe(key);
      expect((await browsers()).public_key).not.toBe(key);
      await server.call('/api/v3/alarm_subscription/test', { id: made.id }, person);
      const record = () => server.call<Notices>('/api/v3/alarm_notice/list', {}, person);
      await expect
        .poll(async () => (await record()).data.list)
        .toMatchObject([{ state: 'failed', error: expect.stringContaining('private network') }]);
      expect(service.requests).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
