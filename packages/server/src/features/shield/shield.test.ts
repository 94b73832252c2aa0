import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { shield as contract, DataOf } from '@yunxun/contract';
import type { EdgeShield } from '@yunxun/contract/device';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { administer } from '../../../test/endpoints.ts';
import { startTestServer } from '../../../test/server.ts';
import {
  call,
  config,
  ended,
  expectConfig,
  fixture,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../configuration/testing/gateway.ts';

type Setting = DataOf<typeof contract.settingList>['list'][number];
type Briefing = DataOf<typeof contract.briefing>;
type Lists = DataOf<typeof contract.listList>;

const lists: Record<string, { status: number; body: string }> = {};
let source: Server;
let gwid: string;
let serial: string;
let gateway: AccessPoint;
const listIds: string[] = [];

const security = <T>(path: string, body: object = {}) => call<T>(`/api/v3/cloud_security/${path}`, body);
const setting = async (id = gwid) =>
  (await security<{ list: Setting[] }>('setting/list', { limit: 50 })).data.list.find((row) => row.gwid === id)!;
const shieldOf = async () =>
  ((await config(serial)).desired!.document as { 'third-party': { yunxun: { shield?: EdgeShield } } })['third-party']
    .yunxun.shield;
const save = (more: object = {}) =>
  security<{ job_id: string }>('setting/save', {
    gwids: [gwid],
    mode: 'block',
    categories: ['malware', 'own'],
    redirect: false,
    ...more,
  });
const run = (task: string) =>
  fixture.server.db.database.systemPool.query('select graphile_worker.add_job($1, job_key => $1, queue_name => $1)', [
    task,
  ]);
const report = (shield: object | null) =>
  gateway.state({
    unit: { uptime: 9000, localtime: Math.floor(Date.now() / 1000) },
    yunxun: shield === null ? {} : { shield },
  });
/** Reports until shown: a second report within a second may be dropped. */
const reported = (shield: object | null, wanted: object) =>
  expect
    .poll(() => {
      report(shield);
      return setting();
    })
    .toMatchObject(wanted);
const loaded = async (shown: object) => {
  const { mode, lists: wanted } = (await shieldOf())!;
  const all = {
    mode,
    error: null,
    refuses: true,
    lists: wanted.map(({ category, sha256 }) => ({ category, sha256, domains: 3 })),
  };
  await reported(all, { state: 'enforced', reason: null, ...shown });
};
const importList = async (name: string, category = 'malware') => {
  const { port } = source.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/${name}`;
  const made = await security<{ id: string }>('list/create', { name, category, url });
  expect(made).toMatchObject({ code: 2000 });
  listIds.push(made.data.id);
  return made.data.id;
};
const listed = async (id: string) => (await security<Lists>('list/list')).data.list.find((list) => list.id === id);

beforeAll(async () => {
  await startFixture();
  source = createServer((request, response) => {
    const { status, body } = lists[request.url ?? ''] ?? { status: 404, body: '' };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => void source.listen(0, '127.0.0.1', resolve));
  await administer(fixture.server, fixture.owner.userId);
});
afterAll(async () => {
  source.close();
  await stopFixture();
});

describe('protection settings', () => {
  it('come to a gateway that has its network settings', async () => {
    const made = await gatewayNetwork();
    gwid = made.gwid;
    serial = made.identity.serial;
    gateway = await connectGateway(made.identity, undefined, {}, { shield: true });
    const saved = await call<{ job_id: string }>('/api/v3/network/gateway/save', {
      gwid,
      version: 0,
      settings: settings(),
    });
    await ended(saved, 'applied');
  });

  it('are off first, and say that a network without gateway cannot have them', async () => {
    const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Bare' });
    expect(await setting()).toMatchObject({ mode: 'off', state: 'off', reason: null, score: 0 });
    expect(await setting(data.gwid)).toMatchObject({ state: 'off', reason: 'no_gateway' });
    await save({ gwids: [data.gwid] });
    expect(await setting(data.gwid)).toMatchObject({ mode: 'block', state: 'not_possible', reason: 'no_gateway' });
  });

  it('are refused for an agent that has no shield', async () => {
    const { gwid: other, identity } = await gatewayNetwork();
    await connectGateway(identity, undefined, {}, {});
    expect((await setting(other)).reason).toBe('ability');
    const refused = await save({ gwids: [other] });
    expect(refused).toMatchObject({ code: 4103, message: expect.stringContaining('DNS') });
    expect(refused.message).not.toMatch(/\d\.\d/);
    expect((await save({ gwids: [other], mode: 'off' })).code).toBe(2000);
  });

  it('reach the gateway with the own list, and are enforced once it has loaded them', async () => {
    expect((await security('own/save', { domains: ['Games.example', ' games.example'] })).code).toBe(2000);
    const saved = await save({ redirect: true });
    await ended(saved, 'applied');
    const shield = (await shieldOf())!;
    expect(shield).toMatchObject({ mode: 'block', allow: [], redirect: true, lists: [{ category: 'own' }] });
    await reported(null, { state: 'waiting', reason: 'not_applied', score: 0 });
    await reported({ mode: 'block', lists: [], error: '404' }, { state: 'waiting', reason: 'list_missing' });
    const used = shield.lists.map(({ category, sha256 }) => ({ category, sha256, domains: 3 }));
    const report = { mode: 'block', error: null, lists: used };
    await reported(report, { state: 'waiting', reason: 'not_asked', score: 0 });
    await reported({ ...report, refuses: false }, { state: 'waiting', reason: 'not_refusing', score: 0 });
    await loaded({ domains: 3, score: 55 });
    const text = await fetch(new URL(shield.lists[0]!.path, fixture.server.url));
    expect(await text.text()).toBe('games.example\n');
  });

  it('serve a list only to whom the document names it', async () => {
    const [{ path } = { path: '' }] = (await shieldOf())!.lists;
    const parts = path.split('/');
    const wrong = (at: number, text: string) => parts.with(at, text).join('/');
    const others = [wrong(4, 'x'), wrong(5, '0'.repeat(64)), wrong(2, 'list'), wrong(3, 'x')];
    for (const other of others) expect((await fetch(new URL(other, fixture.server.url))).status, other).toBe(404);
  });

  it('are undone as one operation', async () => {
    await ended(await save({ mode: 'monitor', redirect: true }), 'applied');
    const { data } = await call<{ list: { seq: number; action: string }[] }>('/api/v3/log/action/list', {});
    expect(data.list[0]).toMatchObject({ action: 'shield.save' });
    expect((await call('/api/v3/log/action/undo', { seq: data.list[0]!.seq })).code).toBe(2000);
    expect(await setting()).toMatchObject({ mode: 'block' });
    // in_sync stays until the undo's job begins
    await expect.poll(shieldOf).toMatchObject({ mode: 'block' });
    await expectConfig(serial, { state: 'in_sync' });
  });
});

describe('the URL whitelist', () => {
  const create = (name: string, link: string) =>
    security<{ id: string; domain: string; job_id: string }>('allowlist/create', { name, link });

  it('allows the domain of a link in all protected networks', async () => {
    const made = await create('Tax-Office', 'https://Tax.Example/login?x=1');
    expect(made.data).toMatchObject({ domain: 'tax.example' });
    await ended(made, 'applied');
    expect((await shieldOf())!.allow).toEqual(['tax.example']);
    const { id } = made.data;
    const update = { id, name: 'Tax', link: 'vat.example' };
    await ended(await security<{ job_id: string }>('allowlist/update', update), 'applied');
    expect((await security<{ list: object[] }>('allowlist/list')).data.list).toMatchObject([
      { name: 'Tax', link: 'vat.example', domain: 'vat.example' },
    ]);
    await ended(await security<{ job_id: string }>('allowlist/delete', { ids: [id] }), 'applied');
    expect((await shieldOf())!.allow).toEqual([]);
  });

  it('refuses links without domain, long ones, and a second row for a name or domain', async () => {
    for (const link of [
      'https://192.0.2.1/',
      'intranet',
      'ftp://files.example',
      `https://a.example/${'x'.repeat(2048)}`,
    ])
      expect((await create('Wrong', link)).errors, link).toHaveProperty('link');
    expect((await create('', 'a.example')).errors).toHaveProperty('name');
    expect((await create('n'.repeat(65), 'a.example')).errors).toHaveProperty('name');
    const { data } = await create('Bank', 'https://bank.example');
    expect((await create('bank', 'other.example')).code).toBe(4105);
    expect((await create('Bank-2', 'http://bank.example/path')).errors).toHaveProperty('link');
    await security('allowlist/delete', { ids: [data.id] });
  });

  it('has an own list beside it that takes domains only', async () => {
    expect((await security('own/save', { domains: ['games.example', 'not a domain'] })).errors).toHaveProperty(
      'domains',
    );
    expect((await security<{ domains: string[] }>('own/detail')).data.domains).toEqual(['games.example']);
  });
});

describe('imported lists', () => {
  it('are fetched, reach gateways, and keep their last good contents', async () => {
    lists['/bad'] = { status: 200, body: '# test\n0.0.0.0 bad.example\n0.0.0.0 worse.example\n' };
    const id = await importList('bad');
    const sha256 = createHash('sha256').update('bad.example\nworse.example\n').digest('hex');
    await expect.poll(() => listed(id)).toMatchObject({ domains: 2, sha256, error: null });
    const has = async () => (await shieldOf())!.lists.map(({ category }) => category);
    await expect.poll(has).toEqual(['malware', 'own']);
    const { path } = (await shieldOf())!.lists[0]!;
    expect(await (await fetch(new URL(path, fixture.server.url))).text()).toBe('bad.example\nworse.example\n');
    lists['/bad'] = { status: 200, body: '<html>moved</html>\n' };
    await security('list/refresh', { id });
    await expect.poll(() => listed(id)).toMatchObject({ domains: 2, sha256, error: 'no_domains' });
    lists['/bad'] = { status: 500, body: '' };
    await security('list/refresh', { id });
    await expect.poll(() => listed(id)).toMatchObject({ sha256, error: 'http_status' });
    await security('list/delete', { id });
    await expect.poll(has).toEqual(['own']);
    await expectConfig(serial, { state: 'in_sync' });
  });

  it('refuse private addresses and plain HTTP where the installation does not allow them', async () => {
    const closed = await startTestServer();
    const owner = await closed.register();
    await administer(closed, owner.userId);
    const create = (url: string) =>
      closed.call<{ id: string }>('/api/v3/cloud_security/list/create', { name: 'X', category: 'ads', url }, owner);
    const all = () => closed.call<Lists>('/api/v3/cloud_security/list/list', {}, owner);
    const { data } = await create('https://127.0.0.1:9/list');
    await expect.poll(async () => (await all()).data.list).toMatchObject([{ error: 'connection_refused' }]);
    closed.config.privateWebhooks = false;
    await closed.restart();
    await closed.call('/api/v3/cloud_security/list/refresh', { id: data.id }, owner);
    await expect.poll(async () => (await all()).data.list).toMatchObject([{ id: data.id, error: 'private_target' }]);
    for (const url of ['http://lists.example/', 'https://127.0.0.1:9/list', 'https://[fec0::1]/list'])
      expect((await create(url)).errors).toHaveProperty('url');
    await closed.stop();
  });
});

describe('the briefing', () => {
  const answered = new Set<unknown>();
  const taken: unknown[] = [];
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  const row = (domain: string, queries: number, more: object = {}) => ({
    at: hour,
    domain,
    mac: '02000000000a',
    category: 'own',
    blocked: true,
    queries,
    ...more,
  });
  const briefing = async (body: object = {}) => (await security<Briefing>('briefing', body)).data;
  const intercepted = async () => (await call<{ intercept_number: number }>('/api/v3/user_stat/complex', {})).data;

  /** Answers with a batch until the console has taken another. */
  function answer(shield: Json | null): void {
    for (const { command } of gateway.received) {
      const params = command?.params as Json | undefined;
      if (params?.tool !== 'shield' || answered.has(command!.id)) continue;
      answered.add(command!.id);
      taken.push(params.taken);
      const status = { error: 0, text: 'Success', tool: { shield } };
      gateway.sendJson({ jsonrpc: '2.0', id: command!.id, result: { serial, status } });
    }
  }
  const until = (shield: Json | null, read: () => Promise<unknown>, wanted: object) =>
    expect
      .poll(async () => {
        await run('shield-counts');
        answer(shield);
        return read();
      })
      .toMatchObject(wanted);

  it('knows no number before a gateway has answered, and then 0 of the days from then on', async () => {
    expect(await briefing()).toMatchObject({ blocked: { today: null, month: null }, monitored: null });
    expect(await intercepted()).toMatchObject({ intercept_number: null, intercept_source: 'none' });
    await until(null, briefing, { blocked: { today: 0, week: 0, month: 0 }, monitored: 0 });
    const { by_day: days, counted_from } = await briefing();
    expect(Date.now() - Date.parse(counted_from!)).toBeLessThan(600_000);
    expect(days.slice(0, -2).map(({ blocked }) => blocked)).toEqual(Array(28).fill(null));
    expect(days.at(-1)).toMatchObject({ blocked: 0, monitored: 0 });
    expect(await intercepted()).toMatchObject({ intercept_number: 0, intercept_source: 'complete' });
  });

  it('counts a batch once, however often the gateway repeats it', async () => {
    const first = { id: 'one', rows: [row('games.example', 990), row('bets.example', 10, { mac: '' })] };
    await until(first, briefing, { blocked: { today: 1000 } });
    const seen = taken.length;
    await expect
      .poll(async () => {
        await run('shield-counts');
        answer(first);
        return taken.slice(seen);
      })
      .toContain('one');
    const wrong = [row('x', 1, { category: 'none' }), row('X;', 1), row('y', -1), row('z', 1, { at: 12 })];
    const second = { id: 'two', rows: [row('games.example', 5, { blocked: false }), ...wrong] };
    await until(second, briefing, { monitored: 5, blocked: { today: 1000, week: 1000, month: 1000 } });
    expect(await briefing()).toMatchObject({
      top_domains: [
        { domain: 'games.example', category: 'own', queries: 990 },
        { domain: 'bets.example', queries: 10 },
      ],
      top_terminals: [{ mac: '02000000000a', gwid, queries: 990 }, { mac: '' }],
      networks: [{ gwid, queries: 1000 }],
      categories: [{ category: 'own', queries: 1000 }],
    });
    expect(await intercepted()).toMatchObject({ intercept_number: 1000, intercept_source: 'complete' });
  });

  it('names networks that are not protected, and shows another account nothing', async () => {
    await loaded({});
    const { unprotected, protected_total: count } = await briefing();
    expect(count).toBe(1);
    expect(unprotected.map((one) => one.gwid)).not.toContain(gwid);
    expect(unprotected).toContainEqual(expect.objectContaining({ state: 'not_possible', reason: 'no_gateway' }));
    const stranger = await fixture.server.register();
    const theirs = await fixture.server.call<Briefing>('/api/v3/cloud_security/briefing', {}, stranger);
    expect(theirs.data).toMatchObject({ blocked: { month: null }, top_domains: [], networks: [], unprotected: [] });
    const home = await fixture.server.call('/api/v3/user_stat/complex', {}, stranger);
    expect(home.data).toMatchObject({ intercept_number: null, intercept_source: 'none' });
  });
});
