import type { DataOf, installation } from '@yunxun/contract';
import { limits } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPerson } from '../../../test/seed-account.ts';
import { appCode, newMobile } from '../../../test/seed-personal.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createAccountKeys } from '../../platform/crypto/account-keys.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { inbox, join, log, network } from '../account/testing/people.ts';
import { bindLogin } from '../identity/people.ts';
import { beginTotp, enableTotp, hasSecondFactor } from '../identity/second-factor.ts';
import { createToken } from '../identity/tokens.ts';
import { administrator } from './testing/administrator.ts';

type Accounts = DataOf<typeof installation.accountList>;

const clock = new ManualClock();
let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  server = await startTestServer({ clock });
  admin = await administrator(server);
});
afterAll(() => server.stop());

const personOf = (one: { accountId: string; userId: string }) => ({ accountId: one.accountId, personId: one.userId });
const list = async (input: object) => (await server.call<Accounts>('/api/v3/install/account/list', input, admin)).data;
const lock = (id: string, locked: boolean) =>
  server.call('/api/v3/install/account/lock', { account_id: id, locked }, admin);
const reset = (id: string, what: 'password' | 'second_factor') =>
  server.call<{ sent_to: string | null }>('/api/v3/install/account/reset', { account_id: id, what }, admin);
const signIn = (one: Registered, password = one.password) =>
  server.call<{ ticket?: string }>('/api/v3/login', { email: one.email, password });
const newest = async (as: As) => (await log(server, as))[0]!;

describe('the list of accounts', () => {
  it('finds one by its name, its people’s logins and its binding code, and counts', async () => {
    const owner = await server.register();
    const mobile = newMobile();
    await server.db.database.withSystem((tx) => bindLogin(tx, personOf(owner), 'mobile', mobile));
    await server.call('/api/v3/account/update', { name: '望江酒店' }, owner);
    const member = await join(server, owner, 'operator');
    const code = `${owner.bindingCode.slice(0, 5)}-${owner.bindingCode.slice(5).toLowerCase()}`;
    for (const keyword of ['望江', owner.email, mobile.slice(2), code]) {
      expect(await list({ keyword }), keyword).toMatchObject({
        total: 1,
        list: [
          {
            account_id: owner.accountId,
            name: '望江酒店',
            owner: owner.email,
            members: 2,
            locked: false,
            last_active_at: expect.stringMatching(/Z$/),
          },
        ],
      });
    }
    // members of other accounts are found; wildcards are literal
    expect((await list({ keyword: member.email })).list.map((row) => row.account_id)).toEqual([member.accountId]);
    expect((await list({ keyword: '%' })).total).toBe(0);
    const all = await list({ limit: 50 });
    expect(all.total).toBe(
      (await server.call<{ accounts: number }>('/api/v3/install/detail', {}, admin)).data.accounts,
    );
    expect(all.list.length).toBe(all.total);
    const newestFirst = all.list.map((row) => row.created_at);
    expect(newestFirst).toEqual(newestFirst.toSorted().toReversed());
    const oldest = await list({ limit: 1, order: 'asc' });
    expect(oldest.list[0]!.created_at).toBe(newestFirst.at(-1));
    const second = await list({ limit: 1, page: 2, order: 'asc' });
    expect(second.list[0]!.account_id).not.toBe(oldest.list[0]!.account_id);
  });
});

describe('an account that is locked', () => {
  it('loses its sessions, tokens and open pages at once, and keeps its devices', async () => {
    const owner = await server.register();
    await network(server, owner, 'Lobby');
    const member = await join(server, owner, 'operator');
    const { token: api } = await server.db.database.withSystem((tx) =>
      createToken(tx, personOf(owner), { name: 'CI', scope: 'read', areas: null, gwids: null, days: 30 }, clock.now()),
    );
    const page = await fetch(`${server.url}/api/v3/live`, { headers: { authorization: `Bearer ${owner.token}` } });
    const heard = new Response(page.body).text();
    expect((await lock(owner.accountId, true)).code).toBe(2000);
    // before the next heartbeat
    expect(await heard).not.toContain(': beat');
    for (const token of [owner.token, api])
      expect((await server.call('/api/v3/network/list', {}, { token })).status).toBe(401);
    expect((await server.call('/api/v3/network/list', {}, member.inside)).code).toBe(4019);
    // the member's own account is unaffected
    expect((await server.call('/api/v3/network/list', {}, { token: member.token })).code).toBe(2000);
    expect((await signIn(owner)).code).toBe(4019);
    expect((await list({ locked: true })).list.map((row) => row.account_id)).toEqual([owner.accountId]);
    const { rows } = await server.db.database.systemPool.query('select remark from network where account_id = $1', [
      owner.accountId,
    ]);
    expect(rows).toEqual([{ remark: 'Lobby' }]);

    expect((await lock(owner.accountId, false)).code).toBe(2000);
    expect((await server.call('/api/v3/network/list', {}, { token: api })).code).toBe(2000);
    expect((await server.call('/api/v3/network/list', {}, { token: owner.token })).status).toBe(401);
    const { token } = await signIn(owner);
    expect((await list({ locked: true })).total).toBe(0);
    const done = (await log(server, { token: token! })).filter((row) => row.action.startsWith('installation.'));
    expect(done).toMatchObject([
      {
        action: 'installation.unlock_account',
        operator: admin.email,
        object: { type: 'account', id: owner.accountId },
      },
      { action: 'installation.lock_account', operator: admin.email, after: { locked: true, ended_sessions: 1 } },
    ]);
  });

  it('is never the administrator’s own', async () => {
    expect(await lock(admin.accountId, true)).toMatchObject({
      status: 422,
      errors: { account_id: [expect.any(String)] },
    });
    expect((await server.call('/api/v3/network/list', {}, admin)).code).toBe(2000);
  });

  it('is unlocked by undoing, from the administrator’s log only', async () => {
    const owner = await server.register();
    await lock(owner.accountId, true);
    const mine = (await newest(admin)) as { seq: number; action: string } & object;
    expect(mine).toMatchObject({ action: 'installation.lock_account', object: { id: owner.accountId } });
    expect((await server.call('/api/v3/log/action/undo', { seq: mine.seq }, admin)).code).toBe(2000);
    const { token } = await signIn(owner);
    const theirs = (await log(server, { token: token! })).find((row) => row.action === 'installation.lock_account')!;
    expect((await server.call('/api/v3/log/action/undo', { seq: theirs.seq }, { token: token! })).code).toBe(4116);
  });

  it('is written down once, however often it is asked for', async () => {
    const owner = await server.register();
    await lock(owner.accountId, true);
    const { seq } = await newest(admin);
    expect((await lock(owner.accountId, true)).code).toBe(2000);
    expect((await newest(admin)).seq).toBe(seq);
    expect((await lock('0198a1b2-0000-7000-8000-000000000001', true)).code).toBe(4113);
  });
});

describe('an owner who cannot get in', () => {
  it('gets a link by e-mail, and loses the sessions', async () => {
    const owner = await server.register();
    const answer = await reset(owner.accountId, 'password');
    expect(answer).toMatchObject({ code: 2000, data: { sent_to: expect.stringMatching(/^o\*\*\*@example\.com$/) } });
    expect((await server.call('/api/v3/network/list', {}, owner)).status).toBe(401);
    await expect.poll(() => server.outbox(owner.email).at(-1)?.template).toBe('passwordReset');
    // the message names the administrator
    expect(server.outbox(owner.email).at(-1)!.text).toMatch(/^(The administrator of your|平台管理员)/);
    const token = server.outbox(owner.email).at(-1)!.params.url!.split('/').at(-1);
    const password = 'another2horse';
    const done = await server.call('/api/v3/password/reset', { token, password, confirm_password: password });
    expect(done.code).toBe(2000);
    const again = { token: (await signIn(owner, password)).token! };
    expect((await inbox(server, again)).map(({ template }) => template)).toContain('passwordResetSent');
    expect((await log(server, again)).map(({ action }) => action)).toContain('installation.reset_password');
    expect(await newest(admin)).toMatchObject({
      action: 'installation.reset_password',
      object: { id: owner.accountId },
    });
  });

  it('gets nothing while the account is locked: a new password would open nothing', async () => {
    const owner = await server.register();
    await lock(owner.accountId, true);
    const before = server.outbox(owner.email).length;
    expect((await reset(owner.accountId, 'password')).code).toBe(4019);
    expect(await newest(admin)).toMatchObject({ action: 'installation.lock_account' });
    expect((await lock(owner.accountId, false)).code).toBe(2000);
    expect((await reset(owner.accountId, 'password')).code).toBe(2000);
    await expect.poll(() => server.outbox(owner.email).length).toBe(before + 1);
  });

  it('gets a code by SMS without an e-mail', async () => {
    const owner = await seedPerson(server);
    const mobile = newMobile();
    await server.db.database.withSystem((tx) => bindLogin(tx, owner, 'mobile', mobile));
    await server.db.database.systemPool.query('update person set email = null where id = $1', [owner.personId]);
    const answer = await reset(owner.accountId, 'password');
    expect(answer.data.sent_to).toBe(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`);
    await expect.poll(() => server.outbox(mobile).at(-1)?.template).toBe('resetCode');
    // code limits apply to the administrator too
    expect((await reset(owner.accountId, 'password')).status).toBe(429);
    clock.advance(limits.codeIntervalSeconds * 1000);
    expect((await reset(owner.accountId, 'password')).code).toBe(2000);
  });

  it('signs in without the second factor', async () => {
    const owner = await server.register();
    const keys = createAccountKeys(createSealer(server.db.masterKey));
    const { withSystem } = server.db.database;
    await withSystem(async (tx) => {
      const { uri } = await beginTotp(tx, keys, personOf(owner), owner.email);
      await enableTotp(tx, keys, personOf(owner), appCode(uri, clock.now()), clock.now());
    });
    expect((await signIn(owner)).code).toBe(2006);
    // distinguishes unavailable from off
    const reported = async () =>
      (await list({ keyword: owner.email })).list.map((row) => (row as { second_factor?: boolean }).second_factor);
    expect(await reported()).toEqual([true]);
    expect((await reset(owner.accountId, 'second_factor')).data).toEqual({ sent_to: null });
    expect(await withSystem((tx) => hasSecondFactor(tx, personOf(owner)))).toBe(false);
    expect(await reported()).toEqual([false]);
    expect((await server.call('/api/v3/network/list', {}, owner)).status).toBe(401);
    const again = { token: (await signIn(owner)).token! };
    expect((await inbox(server, again)).map(({ template }) => template)).toContain('secondFactorReset');
    expect(await newest(again)).toMatchObject({ action: 'installation.reset_second_factor', operator: admin.email });
  });
});

describe('SD-WAN', () => {
  it('is switched per account', async () => {
    const owner = await server.register();
    const status = async () => (await server.get<{ sdwan_status: boolean }>('/api/v3/user', owner)).data.sdwan_status;
    const set = (on: boolean) =>
      server.call('/api/v3/install/account/sdwan', { account_id: owner.accountId, on }, admin);
    expect(await status()).toBe(true);
    expect((await set(false)).code).toBe(2000);
    expect(await status()).toBe(false);
    expect(await newest(owner)).toMatchObject({ action: 'installation.sdwan_off', before: { sdwan_status: true } });
    expect((await set(true)).code).toBe(2000);
    expect(await status()).toBe(true);
  });
});
