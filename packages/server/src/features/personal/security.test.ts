import { limits } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appCode, newMobile } from '../../../test/seed-personal.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const minute = 60_000;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

type As = { token: string };
interface Overview {
  score: number;
  items: { key: string; met: boolean; points: number }[];
  confirmed_until: string | null;
  [key: string]: unknown;
}

const overview = async (as: As) => (await server.call<Overview>('/api/v3/security/overview', {}, as)).data;
const confirm = (input: object, as: As) =>
  server.call<{ until: string; left: number; minutes: number }>('/api/v3/security/confirm', input, as);
const login = (owner: Registered, password = owner.password) =>
  server.call('/api/v3/login', { email: owner.email, password });
/** Requires a recent confirmation. */
const sensitive = (as: As) => server.call('/api/v3/security/totp/begin', {}, as);

async function useApp(as: As): Promise<{ codes: string[]; show(): string }> {
  const { data } = await server.call<{ uri: string }>('/api/v3/security/totp/begin', {}, as);
  const show = () => appCode(data.uri, clock.now());
  const on = await server.call<{ recovery_codes: string[] }>('/api/v3/security/totp/enable', { code: show() }, as);
  expect(on.code, on.message).toBe(2000);
  clock.advance(30_000);
  return { codes: on.data.recovery_codes, show };
}

describe("confirming the person's identity", () => {
  it('holds for ten minutes, as a sign-in does, for this session only', async () => {
    const owner = await server.register();
    expect((await sensitive(owner)).code).toBe(2000);
    expect((await overview(owner)).confirmed_until).toBe(new Date(clock.now().getTime() + 10 * minute).toISOString());
    clock.advance(10 * minute);
    expect((await sensitive(owner)).code).toBe(4015);
    expect((await overview(owner)).confirmed_until).toBeNull();
    const answer = await confirm({ password: owner.password }, owner);
    const [before, now] = [{ token: owner.token }, { token: answer.token! }];
    expect((await sensitive(before)).code).toBe(2000);
    clock.advance(30_000);
    expect((await sensitive(before)).status).toBe(401);
    clock.advance(-30_000);
    owner.token = now.token;
    expect(answer.data.until).toBe(new Date(clock.now().getTime() + 10 * minute).toISOString());
    expect((await sensitive(owner)).code).toBe(2000);
    clock.advance(10 * minute - 1);
    expect((await sensitive(owner)).code).toBe(2000);
    clock.advance(1);
    expect((await sensitive(owner)).code).toBe(4015);
    const other = { token: (await login(owner)).token! };
    clock.advance(10 * minute);
    expect((await confirm({ password: owner.password }, owner)).code).toBe(2000);
    expect((await sensitive(other)).code).toBe(4015);
  });

  it('takes a code of the app, once, and a recovery code, once', async () => {
    const owner = await server.register();
    const app = await useApp(owner);
    clock.advance(10 * minute);
    const code = app.show();
    expect((await confirm({ code }, owner)).code).toBe(2000);
    expect((await sensitive(owner)).code).toBe(2000);
    expect((await confirm({ code }, owner)).code).toBe(4017);
    const [recovery] = app.codes;
    expect((await confirm({ code: recovery!.toLowerCase().replace('-', ' ') }, owner)).code).toBe(2000);
    expect((await confirm({ code: recovery }, owner)).code).toBe(4017);
    expect((await overview(owner)).recovery_codes_left).toBe(limits.recoveryCodes - 1);
  });

  it('locks after five wrong ones, for a quarter of an hour, this session only', async () => {
    const owner = await server.register();
    const other = { token: (await login(owner)).token! };
    for (const left of [4, 3, 2]) {
      expect(await confirm({ password: 'wrong' }, owner)).toMatchObject({ code: 4006, data: { left } });
    }
    expect(await confirm({ code: '000000' }, owner)).toMatchObject({ code: 4017, data: { left: 1 } });
    expect(await confirm({ password: 'wrong' }, owner)).toMatchObject({ code: 4009, data: { minutes: 15 } });
    for (const input of [{ password: owner.password }, { code: '000000' }]) {
      expect((await confirm(input, owner)).code).toBe(4009);
    }
    const change = { old_password: owner.password, password: 'another2Horse', confirm_password: 'another2Horse' };
    expect((await server.call('/api/v3/security/password', change, owner)).code).toBe(4009);
    expect((await confirm({ password: owner.password }, other)).code).toBe(2000);
    clock.advance(15 * minute);
    expect((await confirm({ password: owner.password }, owner)).code).toBe(2000);
  });

  it('is not in the way of a sign-in, nor a sign-in in its way', async () => {
    const owner = await server.register();
    for (let at = 0; at < 5; at += 1) await login(owner, 'wrong');
    expect((await login(owner)).code).toBe(4009);
    const confirmed = await confirm({ password: owner.password }, owner);
    expect(confirmed.code).toBe(2000);
    owner.token = confirmed.token!;
    expect((await login(owner)).code).toBe(4009);
    clock.advance(15 * minute);
    for (let at = 0; at < 5; at += 1) await confirm({ password: 'wrong' }, owner);
    expect((await confirm({ password: owner.password }, owner)).code).toBe(4009);
    expect((await login(owner)).code).toBe(2000);
  });

  it('forgets wrong ones with the right password, not with a code', async () => {
    const owner = await server.register();
    const app = await useApp(owner);
    const wrong = () => confirm({ password: 'wrong' }, owner);
    await wrong();
    await wrong();
    expect((await confirm({ code: app.show() }, owner)).code).toBe(2000);
    expect(await wrong()).toMatchObject({ code: 4006, data: { left: 2 } });
    expect((await confirm({ password: owner.password }, owner)).code).toBe(2000);
    expect(await wrong()).toMatchObject({ code: 4006, data: { left: 4 } });
  });

  it('is in the sign-in log', async () => {
    const owner = await server.register();
    await confirm({ password: 'wrong' }, owner);
    await confirm({ password: owner.password }, owner);
    const log = await server.call<{ list: object[] }>('/api/v3/log/auth/list', { action: 'confirm' }, owner);
    expect(log.data.list).toMatchObject([
      { action: 'confirm', method: 'password', result: 'success' },
      { action: 'confirm', method: 'password', result: 'failed', reason: 'wrong_password' },
    ]);
  });

  it('is not guessed at with codes from many sessions', async () => {
    const owner = await server.register();
    const sessions: As[] = [];
    for (let at = 0; at < 6; at += 1) sessions.push({ token: (await login(owner)).token! });
    const { show } = await useApp(owner);
    const right = show();
    const code = String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');
    const codes: number[] = [];
    for (let at = 0; at < 24; at += 1) codes.push((await confirm({ code }, sessions[Math.floor(at / 4)]!)).code);
    expect(codes).toEqual([...Array<number>(20).fill(4017), ...Array<number>(4).fill(4009)]);
    expect((await confirm({ code: right }, owner)).code).toBe(4009);
    expect((await confirm({ password: owner.password }, owner)).code).toBe(2000);
  });

  it('asks for one or the other beside the field', async () => {
    const owner = await server.register();
    expect(await confirm({}, owner)).toMatchObject({ status: 422, errors: { password: [expect.any(String)] } });
  });
});

describe('the password', () => {
  const change = (owner: Registered, more: object = {}) =>
    server.call(
      '/api/v3/security/password',
      { old_password: owner.password, password: 'another2Horse', confirm_password: 'another2Horse', ...more },
      owner,
    );
  const alive = async (as: As) => (await server.get('/api/v3/user', as)).code === 2000;

  it('is changed with the old one; the other sessions end, this one stays', async () => {
    const owner = await server.register();
    const other = { token: (await login(owner)).token! };
    expect((await change(owner, { old_password: 'wrong' })).code).toBe(4006);
    expect((await change(owner)).code).toBe(2000);
    expect([await alive(owner), await alive(other)]).toEqual([true, false]);
    expect((await login(owner)).code).toBe(4006);
    expect((await login(owner, 'another2Horse')).code).toBe(2000);
    const inbox = await server.call<{ list: object[] }>('/api/v3/message/list', {}, owner);
    expect(inbox.data.list[0]).toMatchObject({ type: 'security', template: 'passwordChanged' });
  });

  it('is not changed with a wrong old one, and the sign-in log says so', async () => {
    const owner = await server.register();
    expect((await change(owner, { old_password: 'wrong1234' })).code).toBe(4006);
    const log = await server.call<{ list: object[] }>('/api/v3/log/auth/list', { result: 'failed' }, owner);
    expect(log.data.list).toMatchObject([{ action: 'confirm', method: 'password', reason: 'wrong_password' }]);
  });

  it('keeps other sessions when requested', async () => {
    const owner = await server.register();
    const other = { token: (await login(owner)).token! };
    expect((await change(owner, { keep_others: true })).code).toBe(2000);
    expect(await alive(other)).toBe(true);
  });

  it.each([
    ['the old one again', { password: 'correct1horse', confirm_password: 'correct1horse' }, 'password'],
    ['two different ones', { confirm_password: 'another3Horse' }, 'confirm_password'],
    ['a weak one', { password: 'lettersonly', confirm_password: 'lettersonly' }, 'password'],
  ])('refuses %s beside its field', async (_name, more, field) => {
    const owner = await server.register();
    const answer = await change(owner, more);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.errors!)).toEqual([field]);
    expect((await login(owner)).code).toBe(2000);
  });

  it('is stored only as a hash, the one for withdrawals too', async () => {
    const owner = await server.register();
    await change(owner);
    const withdrawal = { password: '135790', confirm_password: '135790' };
    expect((await server.call('/api/v3/security/withdrawal_password', withdrawal, owner)).code).toBe(2000);
    const { rows } = await server.db.database.systemPool.query<{ password_hash: string; withdrawal_hash: string }>(
      'select password_hash, withdrawal_hash from person where id = $1',
      [owner.userId],
    );
    for (const hash of Object.values(rows[0]!)) expect(hash).toMatch(/^\$argon2id\$/);
    const log = JSON.stringify((await server.call('/api/v3/log/action/list', {}, owner)).data);
    expect(log).toContain('person.change_withdrawal_password');
    expect(log).not.toMatch(/135790|another2Horse|argon2/);
  });
});

describe('the security score', () => {
  const met = async (as: As) => {
    const { score, items } = await overview(as);
    expect(items.reduce((sum, { points }) => sum + points, 0)).toBe(100);
    expect(items.filter((item) => item.met).reduce((sum, { points }) => sum + points, 0)).toBe(score);
    return items.filter((item) => item.met).map(({ key }) => key);
  };

  it('rises with each thing it names, to 100', async () => {
    const owner = await server.register();
    expect(await met(owner)).toEqual(['password', 'fresh']);
    const mobile = newMobile();
    await server.get(`/api/v3/sms_code_for_mobile/${mobile}`, owner);
    const sms_code = server.outbox(mobile).at(-1)!.params.code;
    await server.call('/api/v3/profile/mobile', { mobile, sms_code }, owner);
    expect(await met(owner)).toEqual(['password', 'two_logins', 'fresh']);
    const withdrawal = { password: '135790', confirm_password: '135790' };
    await server.call('/api/v3/security/withdrawal_password', withdrawal, owner);
    expect(await met(owner)).toEqual(['password', 'two_logins', 'withdrawal', 'fresh']);
    const app = await useApp(owner);
    expect((await overview(owner)).score).toBe(100);
    expect(await overview(owner)).toMatchObject({ mobile, email: owner.email, has_withdrawal_password: true });
    for (const code of app.codes.slice(2)) expect((await confirm({ code }, owner)).code).toBe(2000);
    expect(await met(owner)).toEqual(['password', 'two_logins', 'second_factor', 'withdrawal', 'fresh']);
    await server.db.database.systemPool.query('update person set password_changed_at = $2 where id = $1', [
      owner.userId,
      new Date(clock.now().getTime() - 366 * 86_400_000),
    ]);
    expect(await met(owner)).toEqual(['password', 'two_logins', 'second_factor', 'withdrawal']);
  });
});
