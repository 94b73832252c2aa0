import { limits } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createExpiry } from '../identity/expiry.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const day = 86_400_000;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

type As = { token: string };
const call = <T = unknown>(path: string, input: object, as: As) =>
  server.call<T>(`/api/v3/security/${path}`, input, as);
const signIn = async ({ email, password }: Registered): Promise<As> => ({
  token: (await server.call('/api/v3/login', { email, password })).token!,
});
const alive = async (as: As) => (await server.get('/api/v3/user', as)).code === 2000;

interface SessionRow {
  id: string;
  current: boolean;
  method: string;
  expires_at: string;
  created_at: string;
}
const sessions = async (as: As, input: object = {}) =>
  (await call<{ list: SessionRow[]; total: number }>('session/list', input, as)).data;

describe('sessions', () => {
  it('are listed while they are alive, the last used first, with how they began and when they end', async () => {
    const owner = await server.register();
    clock.advance(1000);
    const other = await signIn(owner);
    const { list, total } = await sessions(other);
    expect(total).toBe(2);
    expect(list).toMatchObject([
      { current: true, method: 'password', created_at: clock.now().toISOString() },
      { current: false, method: 'register' },
    ]);
    expect(list[0]!.expires_at).toBe(new Date(clock.now().getTime() + limits.sessionSeconds * 1000).toISOString());
    expect((await sessions(other, { limit: 1, page: 2 })).list).toMatchObject([{ id: list[1]!.id }]);
    clock.advance((limits.sessionSeconds - 1) * 1000);
    await sessions(other);
    clock.advance(2000);
    expect((await sessions(other)).list.map(({ id }) => id)).toEqual([list[0]!.id]);
    expect(await alive(owner)).toBe(false);
  });

  it('end one by one, or all others, and are dead at once', async () => {
    const owner = await server.register();
    const [second, third, fourth] = [await signIn(owner), await signIn(owner), await signIn(owner)];
    const id = (await sessions(second)).list.find(({ current }) => current)!.id;
    expect((await call('session/end', { id }, owner)).code).toBe(2000);
    expect([await alive(owner), await alive(second), await alive(third)]).toEqual([true, false, true]);
    expect((await call('session/end', { id }, owner)).code).toBe(4113);
    expect((await call('session/end_others', {}, owner)).data).toEqual({ ended: 2 });
    expect([await alive(owner), await alive(third), await alive(fourth)]).toEqual([true, false, false]);
  });

  it('of another person cannot be ended', async () => {
    const [owner, stranger] = [await server.register(), await server.register()];
    const { id } = (await sessions(owner)).list[0]!;
    expect((await call('session/end', { id }, stranger)).code).toBe(4113);
    expect(await alive(owner)).toBe(true);
  });
});

interface TokenRow {
  id: string;
  name: string;
  expires_at: string;
  last_used_at: string | null;
  last_ip: string | null;
}
const wanted = { name: 'Backup', scope: 'write', areas: null, gwids: null, days: 30 };
const create = async (as: As, more: object = {}) =>
  (await call<{ id: string; token: string }>('token/create', { ...wanted, ...more }, as)).data;
const tokens = async (as: As) => (await call<{ list: TokenRow[]; total: number }>('token/list', {}, as)).data;

describe('API tokens', () => {
  it('that are wrong get an error, without a sign-in prompt', async () => {
    const en = { localization: 'en' };
    const wrong = await fetch(`${server.url}/api/v3/network/list`, {
      method: 'POST',
      headers: { ...en, 'content-type': 'application/json', authorization: `Bearer yx_${'x'.repeat(43)}` },
      body: '{}',
    });
    expect(wrong.status).toBe(401);
    expect(await wrong.json()).toMatchObject({ message: expect.stringMatching(/^This API token is wrong/) });
    const person = await fetch(`${server.url}/api/v3/live`, {
      headers: { ...en, authorization: `Bearer ${'x'.repeat(43)}` },
    });
    expect(await person.json()).toMatchObject({ code: 401, message: 'Your sign-in has ended. Sign in again' });
  });

  it('are shown once, kept as hashes, and say when they were used', async () => {
    const owner = await server.register();
    const { id, token } = await create(owner);
    expect(token).toMatch(/^yx_[\w-]{43}$/);
    const expected = { id, name: 'Backup', scope: 'write', areas: null, gwids: null };
    expect(await tokens(owner)).toMatchObject({ total: 1, list: [{ ...expected, last_used_at: null, last_ip: null }] });
    clock.advance(5000);
    expect(await alive({ token })).toBe(true);
    expect((await tokens(owner)).list[0]).toMatchObject({
      last_used_at: clock.now().toISOString(),
      last_ip: '127.0.0.1',
    });
    const { rows } = await server.db.database.systemPool.query(
      `select row_to_json(t)::text, (select string_agg(row_to_json(l)::text, '') from operation_log l where l.account_id = t.account_id)
       from api_token t where id = $1`,
      [id],
    );
    expect(JSON.stringify(rows)).toContain('person.create_token');
    expect(JSON.stringify(rows)).not.toContain(token.slice(3));
  });

  it('live for their days, and are dead at once when revoked', async () => {
    const owner = await server.register();
    const [week, month] = [await create(owner, { days: 7 }), await create(owner)];
    const { list } = await tokens(owner);
    expect(list.map(({ expires_at }) => (Date.parse(expires_at) - clock.now().getTime()) / day)).toEqual([30, 7]);
    clock.advance(7 * day - 1);
    expect([await alive(week), await alive(month)]).toEqual([true, true]);
    clock.advance(1);
    expect([await alive(week), await alive(month)]).toEqual([false, true]);
    const again = await signIn(owner);
    expect((await call('token/revoke', { id: month.id }, again)).code).toBe(2000);
    expect(await alive(month)).toBe(false);
    expect((await call('token/revoke', { id: month.id }, again)).code).toBe(4113);
    expect((await call('token/create', { ...wanted, days: 31 }, again)).status).toBe(422);
  });

  it('are shown for a month after they have expired', async () => {
    const owner = await server.register();
    const { id } = await create(owner, { days: 7 });
    const expire = createExpiry({ database: server.db.database, clock }).tasks['identity-expire'];
    const shown = async () => {
      await expire();
      return (await tokens(await signIn(owner))).list.map((row) => row.id);
    };
    clock.advance(36 * day);
    expect(await shown()).toEqual([id]);
    clock.advance(day);
    expect(await shown()).toEqual([]);
  });

  it('of another person cannot be revoked, and name no network of another account', async () => {
    const [owner, stranger] = [await server.register(), await server.register()];
    const mine = await create(owner);
    expect((await call('token/revoke', { id: mine.id }, stranger)).code).toBe(4113);
    expect(await alive(mine)).toBe(true);
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Mine' }, owner);
    expect((await call('token/create', { ...wanted, gwids: [data.gwid] }, stranger)).code).toBe(4113);
  });

  it('are limited in number; expired ones do not count', async () => {
    const owner = await server.register();
    const limit = limits.tokensPerPerson;
    for (let count = 0; count < limit; count += 1) await create(owner, { days: count === 0 ? 7 : 30 });
    expect(await call('token/create', wanted, owner)).toMatchObject({ code: 4106, data: { limit, used: limit } });
    clock.advance(7 * day);
    expect((await create(await signIn(owner))).token).toBeTruthy();
  });

  it('are revoked by signing out, and survive a change of the password', async () => {
    const owner = await server.register();
    const [leaving, staying] = [await create(owner), await create(owner)];
    expect((await server.get('/api/v3/logout', leaving)).code).toBe(2000);
    expect(await alive(leaving)).toBe(false);
    const log = await server.call<{ list: object[] }>('/api/v3/log/action/list', {}, owner);
    expect(log.data.list[0]).toMatchObject({
      action: 'person.revoke_token',
      source: 'api',
      object: { type: 'token', id: leaving.id },
    });
    const change = { old_password: owner.password, password: 'another2Horse', confirm_password: 'another2Horse' };
    expect((await call('password', change, owner)).code).toBe(2000);
    expect(await alive(staying)).toBe(true);
    expect((await tokens(owner)).list.map(({ id }) => id)).toEqual([staying.id]);
  });
});
