import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { bySystem } from '../../platform/acting.ts';
import { type Operation, record, recordSignIn } from './audit.ts';

interface Operated {
  seq: number;
  action: string;
  operator: string;
  hosted: boolean;
  token_name: string | null;
  source: string;
  gwid: string | null;
  result: string;
}
type As = { token: string; account?: string };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const actions = async (as: As, input: object = {}) =>
  (await server.call<{ list: Operated[]; total: number }>('/api/v3/log/action/list', { limit: 50, ...input }, as)).data;
const signIns = async (as: As, input: object = {}) =>
  (
    await server.call<{ list: Record<string, unknown>[]; total: number }>(
      '/api/v3/log/auth/list',
      { limit: 50, ...input },
      as,
    )
  ).data;

async function network(owner: Registered, remark: string): Promise<string> {
  return (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
}

const operate = (accountId: string, operation: Partial<Operation>, by: Partial<ReturnType<typeof bySystem>> = {}) =>
  server.db.database.withSystem((tx) =>
    record(
      tx,
      { ...bySystem(accountId), ...by },
      { action: 'test', object: { type: 'view' as const, id: 'x', name: 'X' }, ...operation },
    ),
  );

describe('the operation log', () => {
  it('is filtered by action, object, source, result, network, token and time', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'Lobby');
    await operate(owner.accountId, { action: 'thing.fail', result: 'failed' });
    await operate(owner.accountId, { action: 'thing.report', gwid }, { source: 'device' });
    const found = async (input: object) => (await actions(owner, input)).list.map((row) => row.action);
    expect(await found({})).toEqual(['thing.report', 'thing.fail', 'network.create', 'account.register']);
    expect((await found({ order: 'asc' })).slice(1)).toEqual(['network.create', 'thing.fail', 'thing.report']);
    expect(await found({ action: 'thing.fail' })).toEqual(['thing.fail']);
    expect(await found({ source: 'device' })).toEqual(['thing.report']);
    expect(await found({ source: 'web', object_type: 'network' })).toEqual(['network.create']);
    expect(await found({ result: 'failed' })).toEqual(['thing.fail']);
    expect(await found({ gwid })).toEqual(['thing.report', 'network.create']);
    expect(await found({ object_type: 'network', object_id: gwid })).toEqual(['network.create']);
    expect(await found({ token: 'none' })).toEqual([]);
    const future = new Date(Date.now() + 60_000).toISOString();
    expect(await found({ from: future })).toEqual([]);
    expect((await actions(owner, { to: future })).total).toBe(4);
  });

  it('finds a keyword in operators, objects and actions, and the actions whose text has it', async () => {
    const owner = await server.register();
    await network(owner, 'Lobby_1');
    await operate(owner.accountId, { action: 'thing.fail' });
    const found = async (keyword: string, keyword_actions?: string[]) =>
      (await actions(owner, { keyword, ...(keyword_actions && { keyword_actions }) })).list.map((row) => row.action);
    expect(await found('lobby_')).toEqual(['network.create']);
    expect(await found(owner.email)).toContain('network.create');
    expect(await found(owner.email)).not.toContain('thing.fail');
    expect(await found('y%1')).toEqual([]);
    expect(await found('made', ['network.create'])).toEqual(['network.create']);
  });

  it('names the person and the token behind delegated and API calls', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'Lobby');
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['network.read', 'network.write']);
    await server.call(
      '/api/v3/network/update',
      { gwid, remark: 'Hall' },
      { token: guest.token, account: owner.accountId },
    );
    expect((await actions(owner)).list[0]).toMatchObject({
      operator: guest.email,
      hosted: true,
      source: 'web',
      token_name: null,
    });
    const made = await server.call<{ token: string }>(
      '/api/v3/security/token/create',
      { name: 'Nightly', scope: 'write', areas: null, gwids: null, days: 30 },
      owner,
    );
    if (made.code !== 2000) throw new Error(`token/create: ${made.code} ${JSON.stringify(made.errors)}`);
    await server.call('/api/v3/network/update', { gwid, remark: 'Foyer' }, { token: made.data.token });
    expect((await actions(owner, { keyword: 'nightl' })).list.map((row) => row.token_name)).toContain('Nightly');
    const byToken = await actions(owner, { token: 'Nightly' });
    expect(byToken.list).toMatchObject([
      { operator: owner.email, hosted: false, source: 'api', token_name: 'Nightly' },
    ]);
  });

  it('shows a member limited to one network its rows, and of the chain only whether it is intact', async () => {
    const owner = await server.register();
    const [seen, hidden] = [await network(owner, 'Seen'), await network(owner, 'Hidden')];
    await operate(owner.accountId, { action: 'account.thing' });
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['log.read'], [seen]);
    const as = { token: guest.token, account: owner.accountId };
    const list = await actions(as);
    expect(list.list.map((row) => [row.action, row.gwid])).toEqual([['network.create', seen]]);
    expect(list.total).toBe(1);
    expect((await actions(as, { gwid: hidden })).total).toBe(0);
    const verdict = await server.call('/api/v3/log/action/verify', {}, as);
    expect(verdict.data).toEqual({ rows: null, intact: true, broken_at: null });
    expect((await server.call('/api/v3/log/action/verify', {}, owner)).data).toMatchObject({ rows: 4, intact: true });
    expect((await signIns(owner)).total).toBeGreaterThan(0);
    expect(await signIns(as)).toEqual({ list: [], total: 0 });
  });
});

describe('the sign-in log', () => {
  it('records the way, address and client of each sign-in, and the reason of each failure', async () => {
    const owner = await server.register();
    await server.call('/api/v3/login', { email: owner.email, password: 'wrong1horse' });
    await server.call('/api/v3/login', { email: owner.email, password: owner.password });
    const { list, total } = await signIns(owner);
    expect(total).toBe(3);
    expect(list).toMatchObject([
      { login: owner.email, action: 'login', method: 'password', ip: '127.0.0.1', result: 'success', reason: null },
      { method: 'password', result: 'failed', reason: 'wrong_password' },
      { method: 'register', result: 'success' },
    ]);
    expect(list[0]!.user_agent).toEqual(expect.any(String));
    expect(list[0]!.time).toMatch(/Z$/);
  });

  it('is filtered by action, method, result, place, person, keyword and time', async () => {
    const owner = await server.register();
    const base = { account_id: owner.accountId, person_id: null, login: 'a', action: 'login', result: 'success' };
    const later = (seconds: number) => ({ ...base, at: new Date(Date.now() + seconds * 1000) });
    await server.db.database.withSystem(async (tx) => {
      const sms = { method: 'sms', ip: '198.51.100.7', user_agent: 'One', reason: null, new_place: true };
      await recordSignIn(tx, { ...later(1), ...sms });
      const out = { action: 'logout', method: 'session', ip: null, user_agent: 'Two', reason: null };
      await recordSignIn(tx, { ...later(2), ...out });
    });
    const found = async (input: object) => (await signIns(owner, input)).list.map((row) => row.method);
    expect(await found({})).toEqual(['session', 'sms', 'register']);
    expect(await found({ action: 'logout' })).toEqual(['session']);
    expect(await found({ method: 'sms' })).toEqual(['sms']);
    expect(await found({ new_place: true })).toEqual(['sms']);
    expect(await found({ result: 'failed' })).toEqual([]);
    expect(await found({ person_id: owner.userId })).toEqual(['register']);
    expect(await found({ keyword: '198.51' })).toEqual(['sms']);
    expect(await found({ keyword: 'two' })).toEqual(['session']);
    expect(await found({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  });
});
