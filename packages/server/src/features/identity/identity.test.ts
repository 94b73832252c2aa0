import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { loginOf, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createExpiry } from './expiry.ts';

let server: TestServer;
// noon in Shanghai: one day for the SMS counter
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
let mobiles = 13_800_000_000;
function newMobile(): string {
  mobiles += 1;
  return String(mobiles);
}

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

async function smsCode(mobile: string): Promise<string> {
  const answer = await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
  expect(answer.code).toBe(2000);
  return server.outbox(mobile).at(-1)!.params.code!;
}

describe('registering by e-mail', () => {
  it('makes an account that can sign in, and says who is signed in', async () => {
    const owner = await server.register();
    const login = await server.call('/api/v3/login', { email: owner.email.toUpperCase(), password: owner.password });
    expect(login.code).toBe(2000);
    const user = await server.get<{ email: string; personalization: object; sdwan_status: boolean }>('/api/v3/user', {
      token: login.token!,
    });
    expect(user.data).toMatchObject({
      email: owner.email,
      personalization: {
        theme: 'light',
        home_section: 'revenue',
        language: 'en',
        density: 'comfortable',
        time_zone: null,
        page_size: 10,
      },
      sdwan_status: true,
    });
  });

  it('reveals only by mail that an e-mail is already registered', async () => {
    const owner = await server.register();
    clock.advance(61_000);
    const { email } = owner;
    const ask = (to: string) => server.call('/api/v3/register/get_email_code', { email: to });
    const [known, unknown] = [await ask(email), await ask(`new.${email}`)];
    expect([known.code, known.data]).toEqual([2000, unknown.data]);
    const register = (email_code: string) =>
      server.call('/api/v3/register', { email, email_code, password: 'good1234', confirm_password: 'good1234' });
    const { code } = server.outbox(email).at(-1)!.params;
    expect((await register(code === '000000' ? '000001' : '000000')).code).toBe(4007);
    const taken = await register(code!);
    expect([taken.code, taken.token]).toEqual([4010, undefined]);
    expect((await server.call('/api/v3/login', { email, password: owner.password })).code).toBe(2000);
  });

  it.each([
    [{ email: 'nonsense' }, 'email'],
    [{ email_code: '12' }, 'email_code'],
    [{ password: 'short1' }, 'password'],
    [{ password: 'lettersonly' }, 'password'],
    [{ confirm_password: 'other1234' }, 'confirm_password'],
  ])('shows bad input beside its field: %o', async (change, field) => {
    const input = {
      email: 'q@example.com',
      email_code: '123456',
      password: 'good1234',
      confirm_password: 'good1234',
      ...change,
    };
    for (const locale of ['zh-CN', 'en']) {
      const answer = await server.call('/api/v3/register', input, { locale });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.errors!)).toEqual([field]);
      expect(/[\u4e00-\u9fff]/.test(answer.errors![field]![0]!)).toBe(locale === 'zh-CN');
    }
  });

  it('ends a code after five minutes', async () => {
    const email = 'late@example.com';
    await server.call('/api/v3/register/get_email_code', { email });
    const code = server.outbox(email).at(-1)!.params.code!;
    clock.advance(5 * 60_000 + 1);
    const answer = await server.call('/api/v3/register', {
      email,
      email_code: code,
      password: 'good1234',
      confirm_password: 'good1234',
    });
    expect(answer.code).toBe(4007);
  });
});

describe('signing in by SMS', () => {
  it('asks for a first password, keeps the code, and opens no session before', async () => {
    const mobile = newMobile();
    const code = await smsCode(mobile);
    const first = await server.call('/api/v3/sms_code/login', { mobile, sms_code: code });
    expect(first.code).toBe(2005);
    expect(first.token).toBeUndefined();
    const registered = await server.call('/api/v3/register_for_sms_code', {
      mobile,
      sms_code: code,
      password: 'first1234',
      confirm_password: 'first1234',
    });
    expect(registered.code).toBe(2000);
    expect((await server.get('/api/v3/user', { token: registered.token! })).data).toMatchObject({ mobile });
    const account = await server.call<{ name: string }>('/api/v3/account/detail', {}, { token: registered.token! });
    expect(account.data.name).toBe(`${mobile.slice(0, 3)}••••${mobile.slice(-4)}`);
    const kept = await server.call('/api/v3/account/update', { name: account.data.name }, { token: registered.token! });
    expect(kept.code).toBe(2000);
    expect((await server.call('/api/v3/sms_code/login', { mobile, sms_code: code })).code).toBe(4007);
  });

  it('signs a known mobile in without a password', async () => {
    const mobile = newMobile();
    const first = await smsCode(mobile);
    const input = { mobile, sms_code: first, password: 'first1234', confirm_password: 'first1234' };
    const weak = await server.call('/api/v3/sms_code/login', {
      ...input,
      password: 'short',
      confirm_password: 'short',
    });
    expect(weak.errors?.password?.[0]).toContain('8-16');
    expect((await server.call('/api/v3/sms_code/login', input)).code).toBe(2000);
    clock.advance(61_000);
    const again = await server.call('/api/v3/sms_code/login', { mobile, sms_code: await smsCode(mobile) });
    expect(again.code).toBe(2000);
    expect(again.token).toBeTruthy();
  });

  it('holds 60 seconds between codes and five a day per mobile', async () => {
    const mobile = newMobile();
    for (let left = 4; left >= 0; left -= 1) {
      const sent = await server.call<{ left_today: number }>('/api/v3/mobile_login/get_sms_code', { mobile });
      expect(sent.data.left_today).toBe(left);
      const tooSoon = await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
      expect(tooSoon.status).toBe(429);
      expect(Number(tooSoon.headers.get('retry-after'))).toBeGreaterThan(0);
      clock.advance(60_001);
    }
    expect((await server.call('/api/v3/mobile_login/get_sms_code', { mobile })).code).toBe(4012);
    expect(server.outbox(mobile)).toHaveLength(5);
  });

  it('sends one code to two requests at the same moment', async () => {
    const mobile = newMobile();
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.call('/api/v3/mobile_login/get_sms_code', { mobile })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(server.outbox(mobile)).toHaveLength(1);
  });

  it('ends a code after five wrong tries', async () => {
    const mobile = newMobile();
    const code = await smsCode(mobile);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await server.call('/api/v3/sms_code/login', { mobile, sms_code: wrong })).code).toBe(4007);
    }
    expect((await server.call('/api/v3/sms_code/login', { mobile, sms_code: code })).code).toBe(4007);
  });
});

describe('signing in by password', () => {
  it('counts wrong passwords and locks for a quarter of an hour', async () => {
    const owner = await server.register();
    for (let left = 4; left > 0; left -= 1) {
      expect(await server.call('/api/v3/login', { email: owner.email, password: 'wrong' })).toMatchObject({
        code: 4006,
        data: { left },
      });
    }
    expect(await server.call('/api/v3/login', { email: owner.email, password: 'wrong' })).toMatchObject({
      code: 4009,
      data: { minutes: 15 },
    });
    expect((await server.call('/api/v3/login', { email: owner.email, password: owner.password })).code).toBe(4009);
    clock.advance(15 * 60_000 + 1);
    expect((await server.call('/api/v3/login', { email: owner.email, password: owner.password })).code).toBe(2000);
  });

  it('counts guesses made at the same moment one by one', async () => {
    const owner = await server.register();
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        server.call('/api/v3/login', { email: owner.email, password: at === 11 ? owner.password : `wrong${at}` }),
      ),
    );
    expect(guesses.filter(({ code }) => code === 4006).length).toBeLessThan(5);
  });

  it('answers an unknown e-mail as a wrong password', async () => {
    expect((await server.call('/api/v3/login', { email: 'nobody@example.com', password: 'whatever' })).code).toBe(4006);
  });
});

describe('sessions', () => {
  it('answers 4003 on the user fetch and 401 elsewhere without a live token', async () => {
    const owner = await server.register();
    await server.get('/api/v3/logout', { token: owner.token });
    for (const as of [{}, { token: 'made-up' }, { token: owner.token }]) {
      expect(await server.get('/api/v3/user', as)).toMatchObject({ status: 200, code: 4003 });
      expect(await server.call('/api/v3/job/list', {}, as)).toMatchObject({ status: 401, code: 401 });
    }
  });

  it('slides: twelve hours, or seven days when remembered', async () => {
    const owner = await server.register();
    const { token: remembered } = await server.call('/api/v3/login', {
      email: owner.email,
      password: owner.password,
      remember: true,
    });
    clock.advance(11 * 3600_000);
    expect((await server.get('/api/v3/user', { token: owner.token })).code).toBe(2000);
    clock.advance(11 * 3600_000);
    expect((await server.get('/api/v3/user', { token: owner.token })).code).toBe(2000);
    clock.advance(13 * 3600_000);
    expect((await server.get('/api/v3/user', { token: owner.token })).code).toBe(4003);
    expect((await server.get('/api/v3/user', { token: remembered! })).code).toBe(2000);
    clock.advance(8 * 24 * 3600_000);
    expect((await server.get('/api/v3/user', { token: remembered! })).code).toBe(4003);
  });

  it('does not let a stranger act in another account', async () => {
    const [one, two] = [await server.register(), await server.register()];
    expect((await server.call('/api/v3/job/list', {}, { token: one.token, account: two.accountId })).code).toBe(4113);
  });
});

it('forgets what has expired, and nothing else', async () => {
  const owner = await server.register();
  await server.call('/api/v3/login', { email: 'anybody@example.com', password: 'x' });
  const { systemPool } = server.db.database;
  const left = async () => {
    const counts = ['throttle', 'verification_code', 'user_session', 'token_directory'].map(
      async (table) => (await systemPool.query(`select 1 from ${table}`)).rowCount,
    );
    return Promise.all(counts);
  };
  const { tasks } = createExpiry({ database: server.db.database, clock });
  await tasks['identity-expire']();
  expect((await server.get('/api/v3/user', owner)).code).toBe(2000);
  // the confirmation renews the token; the session continues
  const { token } = await server.call('/api/v3/security/confirm', { password: owner.password }, owner);
  clock.advance(60_000);
  await tasks['identity-expire']();
  expect((await server.get('/api/v3/user', { token: token! })).code).toBe(2000);
  expect((await server.get('/api/v3/user', owner)).code).toBe(4003);
  clock.advance(8 * 24 * 3600_000);
  await tasks['identity-expire']();
  expect(await left()).toEqual([0, 0, 0, 0]);
});

it('says to a dead token that it is dead, whatever account it names', async () => {
  expect((await server.call('/api/v3/job/list', {}, { token: 'dead', account: 'no-id' })).status).toBe(401);
  const owner = await server.register();
  expect((await server.call('/api/v3/job/list', {}, { token: owner.token, account: 'no-id' })).code).toBe(4113);
});

it('logs what a hosted person changes of the own account as no hosting', async () => {
  const [owner, guest] = [await server.register(), await server.register()];
  await host(server, owner.accountId, guest.accountId, ['network.read']);
  await server.call(
    '/api/v3/personalization/save',
    { theme: 'dark' },
    { token: guest.token, account: owner.accountId },
  );
  const log = await server.call<{ list: { action: string; hosted: boolean }[] }>('/api/v3/log/action/list', {}, guest);
  expect(log.data.list[0]).toMatchObject({ action: 'person.personalize', hosted: false });
});

describe('the binding code', () => {
  it('is replaced at once and the change is logged', async () => {
    const owner = await server.register();
    const answer = await server.call<{ account_code: string }>('/api/v3/profile/binding_code/rotate', {}, owner);
    expect(answer.data.account_code).not.toBe(owner.bindingCode);
    const log = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', {}, owner);
    expect(log.data.list[0]!.action).toBe('account.rotate_binding_code');
    expect(JSON.stringify(log.data)).not.toContain(answer.data.account_code);
  });
});

describe('personalization', () => {
  it('changes what it names and nothing else of the person', async () => {
    const owner = await server.register();
    const others = { email: 'boss@example.com', mobile: '13800000000', password_hash: '', qq: '1' };
    const refused = await server.call('/api/v3/personalization/save', { theme: 'dark', ...others }, owner);
    expect(refused).toMatchObject({ status: 422 });
    expect(Object.keys(refused.errors ?? {}).toSorted()).toEqual(Object.keys(others).toSorted());
    const saved = await server.call('/api/v3/personalization/save', { theme: 'dark' }, owner);
    expect(saved.data).toMatchObject({ theme: 'dark', home_section: 'revenue', density: 'comfortable' });
    const user = await server.get('/api/v3/user', owner);
    expect(user.data).toMatchObject({ email: owner.email, mobile: null, qq: '' });
    expect((await server.call('/api/v3/login', loginOf(owner))).code).toBe(2000);
  });
});
