import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CreationOptions, type RequestOptions, SoftAuthenticator } from '../../../test/authenticator.ts';
import { appCode, newMobile } from '../../../test/seed-personal.ts';
import { type Answer, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const origin = 'http://localhost';

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const signIn = ({ email, password }: Registered) =>
  server.call<{ ticket: string }>('/api/v3/login', { email, password });
const step = (ticket: string, code: string) =>
  server.call<{ left: number }>('/api/v3/login/second_factor', { ticket, code });
const alive = async (token: string | undefined) =>
  (await server.get('/api/v3/user', token ? { token } : {})).code === 2000;

async function withApp(owner: Registered): Promise<{ app: () => string; recovery: string[] }> {
  const begun = await server.call<{ uri: string }>('/api/v3/security/totp/begin', {}, owner);
  const app = () => appCode(begun.data.uri, clock.now());
  const on = await server.call<{ recovery_codes: string[] }>('/api/v3/security/totp/enable', { code: app() }, owner);
  expect(on.code).toBe(2000);
  clock.advance(30_000);
  return { app, recovery: on.data.recovery_codes };
}

describe('the second step', () => {
  it('is required after the password: the session token comes with the code of the app', async () => {
    const owner = await server.register();
    const { app } = await withApp(owner);
    const first = await signIn(owner);
    expect(first).toMatchObject({ status: 200, code: 2006, data: { methods: ['totp', 'recovery'] } });
    expect(first.token).toBeUndefined();
    expect(await alive(first.data.ticket)).toBe(false);
    const code = app();
    const second = await step(first.data.ticket, code);
    expect(second.code).toBe(2000);
    expect(await alive(second.token)).toBe(true);
    expect((await step(first.data.ticket, code)).code).toBe(4014);
    const again = await signIn(owner);
    expect((await step(again.data.ticket, code)).code).toBe(4017);
  });

  it('is required after an SMS code too', async () => {
    const mobile = newMobile();
    await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
    const sms_code = server.outbox(mobile).at(-1)!.params.code!;
    const made = await server.call('/api/v3/register_for_sms_code', {
      mobile,
      sms_code,
      password: 'correct1horse',
      confirm_password: 'correct1horse',
    });
    const { app } = await withApp({ token: made.token! } as Registered);
    clock.advance(61_000);
    await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
    const next = server.outbox(mobile).at(-1)!.params.code!;
    const first = await server.call<{ ticket: string }>('/api/v3/sms_code/login', { mobile, sms_code: next });
    expect(first.code).toBe(2006);
    expect((await step(first.data.ticket, app())).token).toBeTruthy();
  });

  it('takes a recovery code once', async () => {
    const owner = await server.register();
    const { recovery } = await withApp(owner);
    const [one] = recovery;
    expect((await step((await signIn(owner)).data.ticket, one!.toLowerCase())).token).toBeTruthy();
    expect((await step((await signIn(owner)).data.ticket, one!)).code).toBe(4017);
  });

  it('says how many tries are left, locks after five whatever the ticket, and ends after five minutes', async () => {
    const owner = await server.register();
    const { app } = await withApp(owner);
    const wrong = () => String((Number(app()) + 1) % 1_000_000).padStart(6, '0');
    const { ticket } = (await signIn(owner)).data;
    expect(await step(ticket, wrong())).toMatchObject({ code: 4017, data: { left: 4 } });
    const other = (await signIn(owner)).data.ticket;
    for (const left of [4, 3, 2, 1]) expect(await step(other, wrong())).toMatchObject({ code: 4017, data: { left } });
    // five wrong ones over two tickets: not checked
    const locked = await step(ticket, app());
    expect(locked).toMatchObject({ code: 4009, data: { minutes: 15 } });
    expect((await signIn(owner)).code).toBe(4009);
    clock.advance(15 * 60_000 + 1);
    const late = (await signIn(owner)).data.ticket;
    clock.advance(5 * 60_000 + 1);
    expect((await step(late, app())).code).toBe(4014);
    expect((await step((await signIn(owner)).data.ticket, app())).code).toBe(2000);
  });

  it('counts every try of many at the same moment', async () => {
    const owner = await server.register();
    const { app } = await withApp(owner);
    const { ticket } = (await signIn(owner)).data;
    const wrong = String((Number(app()) + 1) % 1_000_000).padStart(6, '0');
    const answers = await Promise.all(Array.from({ length: 12 }, () => step(ticket, wrong)));
    expect(answers.filter(({ code }) => code === 4017)).toHaveLength(5);
    expect(answers.filter(({ token }) => token)).toHaveLength(0);
  });
});

describe('a passkey', () => {
  const options = () => server.call<{ ticket: string; options: RequestOptions }>('/api/v3/login/passkey_options');
  const enter = (ticket: string, response: unknown) => server.call('/api/v3/login/passkey', { ticket, response });

  async function withPasskey(owner: Registered): Promise<SoftAuthenticator> {
    const key = new SoftAuthenticator(origin);
    const { data } = await server.call<{ ticket: string; options: CreationOptions }>(
      '/api/v3/security/passkey/begin',
      {},
      owner,
    );
    const made = { ticket: data.ticket, name: 'Laptop', response: key.create(data.options) };
    expect((await server.call('/api/v3/security/passkey/create', made, owner)).code).toBe(2000);
    return key;
  }

  it('signs in by itself, past the second step', async () => {
    const owner = await server.register();
    const key = await withPasskey(owner);
    await withApp(owner);
    const { data } = await options();
    const answer = await enter(data.ticket, key.get(data.options));
    expect(answer.code).toBe(2000);
    const user = await server.get<{ id: string }>('/api/v3/user', { token: answer.token! });
    expect(user.data.id).toBe(owner.userId);
    // a challenge works once
    expect((await enter(data.ticket, key.get(data.options))).code).toBe(4014);
  });

  it('is refused for another page, another challenge, an unverified person, an unknown key and nonsense', async () => {
    const owner = await server.register();
    const key = await withPasskey(owner);
    const stranger = new SoftAuthenticator(origin);
    stranger.create({ challenge: 'eA', rp: { id: 'localhost' }, user: { id: 'eA' } });
    const elsewhere = (await options()).data.options;
    const tries: ((asked: RequestOptions) => unknown)[] = [
      (asked) => key.get(asked, { origin: 'http://evil.example' }),
      () => key.get(elsewhere),
      (asked) => key.get(asked, { verified: false }),
      (asked) => stranger.get(asked),
      () => 'nonsense',
      () => ({ id: 'AAAA', response: {} }),
      () => null,
    ];
    for (const make of tries) {
      const { data } = await options();
      const answer = await enter(data.ticket, make(data.options));
      expect(answer).toMatchObject({ status: 200, code: 4021 });
      expect(answer.token).toBeUndefined();
    }
  });
});

describe('an account that is locked by the administrator', () => {
  it('accepts no sign-in, by any method', async () => {
    const owner = await server.register();
    const { app } = await withApp(owner);
    const { ticket } = (await signIn(owner)).data;
    const { systemPool } = server.db.database;
    await systemPool.query('update account set locked_at = now() where account_id = $1', [owner.accountId]);
    expect((await signIn(owner)).code).toBe(4019);
    expect((await step(ticket, app())).code).toBe(4019);
    expect((await server.get('/api/v3/user', owner)).code).toBe(4003);
    await server.call('/api/v3/password/forgot', { email: owner.email });
    await systemPool.query('update account set locked_at = null where account_id = $1', [owner.accountId]);
    expect((await step((await signIn(owner)).data.ticket, app())).code).toBe(2000);
  });
});

describe('a place', () => {
  const from = async (owner: Registered, browser: string, ip: string): Promise<Answer> => {
    const response = await fetch(`${server.url}/api/v3/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': browser, 'x-forwarded-for': ip },
      body: JSON.stringify({ email: owner.email, password: owner.password }),
    });
    return (await response.json()) as Answer;
  };
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const newest = async (owner: Registered) =>
    (await server.call<{ list: { new_place: boolean; ip: string }[] }>('/api/v3/log/auth/list', {}, owner)).data
      .list[0]!;
  const messageTemplates = async (owner: Registered) =>
    (
      await server.call<{ list: { template: string; params: { ip: string } }[] }>('/api/v3/message/list', {}, owner)
    ).data.list.filter(({ template }) => template === 'newPlace');

  it('is new by network or browser, is said to the person, and is forgotten after 90 days', async () => {
    const owner = await server.register();
    await from(owner, firefox, '203.0.113.9');
    expect(await newest(owner)).toMatchObject({ new_place: true, ip: '203.0.113.9' });
    expect(await messageTemplates(owner)).toMatchObject([{ params: { ip: '203.0.113.9' } }]);
    await from(owner, firefox, '203.0.113.77');
    expect(await newest(owner)).toMatchObject({ new_place: false });
    await from(owner, chrome, '203.0.113.77');
    expect(await newest(owner)).toMatchObject({ new_place: true });
    await from(owner, firefox, '2001:db8:1:2::3');
    expect(await newest(owner)).toMatchObject({ new_place: true });
    await from(owner, firefox, '2001:db8:1:9::3');
    expect(await newest(owner)).toMatchObject({ new_place: false });
    expect(await messageTemplates(owner)).toHaveLength(3);
    clock.advance(80 * 86_400_000);
    await from(owner, chrome, '203.0.113.77');
    clock.advance(20 * 86_400_000);
    const { token } = await from(owner, firefox, '203.0.113.77');
    expect(await newest({ ...owner, token: token! })).toMatchObject({ new_place: true });
  });
});
