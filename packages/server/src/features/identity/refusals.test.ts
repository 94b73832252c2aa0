import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CreationOptions, type RequestOptions, SoftAuthenticator } from '../../../test/authenticator.ts';
import { appCode, newMobile } from '../../../test/seed-personal.ts';
import { loginOf, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { setLocked } from './all-accounts.ts';
import { bindLogin } from './people.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const secret = { password: 'abcd1234', confirm_password: 'abcd1234' };

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const keepOut = ({ accountId }: Registered, out = true) =>
  server.db.database.withSystem((tx) => setLocked(tx, accountId, out ? clock.now() : null));

async function refusals({ accountId }: Registered) {
  const { rows } = await server.db.database.systemPool.query<{ method: string; reason: string }>(
    `select method, reason from sign_in_log where account_id = $1 and result = 'failed' order by id`,
    [accountId],
  );
  return rows;
}

async function withMobile(): Promise<Registered & { mobile: string }> {
  const owner = await server.register();
  const mobile = newMobile();
  const person = { accountId: owner.accountId, personId: owner.userId };
  await server.db.database.withSystem((tx) => bindLogin(tx, person, 'mobile', mobile));
  return { ...owner, mobile };
}

async function smsCode(mobile: string): Promise<string> {
  expect((await server.call('/api/v3/mobile_login/get_sms_code', { mobile })).code).toBe(2000);
  return server.outbox(mobile).at(-1)!.params.code!;
}

async function withApp(owner: Registered): Promise<() => string> {
  const begun = await server.call<{ uri: string }>('/api/v3/security/totp/begin', {}, owner);
  const app = () => appCode(begun.data.uri, clock.now());
  expect((await server.call('/api/v3/security/totp/enable', { code: app() }, owner)).code).toBe(2000);
  clock.advance(30_000);
  return app;
}

async function withPasskey(owner: Registered): Promise<SoftAuthenticator> {
  const key = new SoftAuthenticator('http://localhost');
  const { data } = await server.call<{ ticket: string; options: CreationOptions }>(
    '/api/v3/security/passkey/begin',
    {},
    owner,
  );
  const made = { ticket: data.ticket, name: 'Laptop', response: key.create(data.options) };
  expect((await server.call('/api/v3/security/passkey/create', made, owner)).code).toBe(2000);
  return key;
}

async function byPasskey(make: (asked: RequestOptions) => unknown) {
  const { data } = await server.call<{ ticket: string; options: RequestOptions }>('/api/v3/login/passkey_options');
  return server.call('/api/v3/login/passkey', { ticket: data.ticket, response: make(data.options) });
}

async function qrOf(owner: Registered, accept: boolean) {
  const { data } = await server.call<{ qruuid: string; url: string }>('/api/v3/qrcode/create');
  const code = data.url.split('/').at(-1)!;
  expect((await server.call('/api/v3/qrcode/answer', { code, accept }, owner)).code).toBe(2000);
  return () => server.call<{ status: string }>('/api/v3/check_qrcode_id', { qruuid: data.qruuid });
}

describe('the sign-in log says of a refusal', () => {
  it('that a phone refused the browser that showed a QR code', async () => {
    const owner = await server.register();
    const poll = await qrOf(owner, false);
    expect(await poll()).toMatchObject({ data: { status: 'refused' } });
    const { data } = await server.call<{ list: object[] }>('/api/v3/log/auth/list', { result: 'failed' }, owner);
    expect(data.list).toMatchObject([
      { method: 'qr', reason: 'refused', login: owner.email, ip: '127.0.0.1', user_agent: 'node' },
    ]);
  });

  it('that a person’s passkey did not match, and nothing of unknown keys', async () => {
    const owner = await server.register();
    const key = await withPasskey(owner);
    expect((await byPasskey((asked) => key.get(asked, { origin: 'http://evil.example' }))).code).toBe(4021);
    expect((await byPasskey(() => ({ id: 'AAAA', response: {} }))).code).toBe(4021);
    expect(await refusals(owner)).toEqual([{ method: 'passkey', reason: 'wrong_passkey' }]);
  });

  it('that an SMS code was wrong', async () => {
    const owner = await withMobile();
    const code = await smsCode(owner.mobile);
    const wrong = { mobile: owner.mobile, sms_code: code === '000000' ? '000001' : '000000' };
    expect((await server.call('/api/v3/sms_code/login', wrong)).code).toBe(4007);
    expect((await server.call('/api/v3/register_for_sms_code', { ...wrong, ...secret })).code).toBe(4007);
    expect(await refusals(owner)).toEqual(Array(2).fill({ method: 'sms', reason: 'wrong_code' }));
  });

  it('that the administrator keeps the account out, whatever way its person comes', async () => {
    const owner = await withMobile();
    const key = await withPasskey(owner);
    const app = await withApp(owner);
    const confirmed = await qrOf(owner, true);
    const { data } = await server.call<{ ticket: string }>('/api/v3/login', loginOf(owner));
    const sms_code = await smsCode(owner.mobile);
    await keepOut(owner);
    const ways = [
      await server.call('/api/v3/login/second_factor', { ticket: data.ticket, code: app() }),
      await byPasskey((asked) => key.get(asked)),
      await confirmed(),
      await server.call('/api/v3/sms_code/login', { mobile: owner.mobile, sms_code }),
    ];
    expect(ways.map(({ code, token }) => [code, token])).toEqual(Array(4).fill([4019, undefined]));
    const reason = 'account_closed';
    expect(await refusals(owner)).toEqual(['password', 'passkey', 'qr', 'sms'].map((method) => ({ method, reason })));
    await keepOut(owner, false);
    const again = await server.call<{ ticket: string }>('/api/v3/login', loginOf(owner));
    const step = { ticket: again.data.ticket, code: app() };
    expect((await server.call('/api/v3/login/second_factor', step)).code).toBe(2000);
  });
});

describe('a known mobile without a password', () => {
  const query = (text: string, { userId }: Registered) => server.db.database.systemPool.query(text, [userId]);
  const withoutPassword = (owner: Registered) => query('update person set password_hash = null where id = $1', owner);
  const hasPassword = async (owner: Registered) =>
    (await query('select password_hash from person where id = $1', owner)).rows[0].password_hash !== null;
  const newest = async (token: string) =>
    (await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', {}, { token })).data.list[0]!.action;

  it('gets its first password with the session, and the operation log says so', async () => {
    const owner = await withMobile();
    await withoutPassword(owner);
    const given = { mobile: owner.mobile, sms_code: await smsCode(owner.mobile) };
    expect((await server.call('/api/v3/sms_code/login', given)).code).toBe(2005);
    const { token } = await server.call('/api/v3/register_for_sms_code', { ...given, ...secret });
    expect(await newest(token!)).toBe('person.set_password');
    expect((await server.call('/api/v3/login', { email: owner.email, password: secret.password })).code).toBe(2000);
  });

  it('gets it after the second factor, where there is one', async () => {
    const owner = await withMobile();
    const app = await withApp(owner);
    await withoutPassword(owner);
    const given = { mobile: owner.mobile, sms_code: await smsCode(owner.mobile), ...secret };
    const first = await server.call<{ ticket: string }>('/api/v3/register_for_sms_code', given);
    expect(first.code).toBe(2006);
    expect(await hasPassword(owner)).toBe(false);
    const step = { ticket: first.data.ticket, code: app() };
    const { token } = await server.call('/api/v3/login/second_factor', step);
    expect(await hasPassword(owner)).toBe(true);
    expect(await newest(token!)).toBe('person.set_password');
  });

  it('gets none while the administrator keeps the account out', async () => {
    const owner = await withMobile();
    await withoutPassword(owner);
    const given = { mobile: owner.mobile, sms_code: await smsCode(owner.mobile), ...secret };
    await keepOut(owner);
    expect((await server.call('/api/v3/register_for_sms_code', given)).code).toBe(4019);
    expect(await hasPassword(owner)).toBe(false);
  });
});

describe('a new password', () => {
  it('ends a second step that waits', async () => {
    const owner = await server.register();
    const app = await withApp(owner);
    const { data } = await server.call<{ ticket: string }>('/api/v3/login', loginOf(owner));
    const change = { old_password: owner.password, password: 'another2Horse', confirm_password: 'another2Horse' };
    expect((await server.call('/api/v3/security/password', change, owner)).code).toBe(2000);
    const step = { ticket: data.ticket, code: app() };
    expect((await server.call('/api/v3/login/second_factor', step)).code).toBe(4014);
  });

  it('is not offered to whom the administrator keeps out, and the answer is the same', async () => {
    const [owner, other] = [await withMobile(), await server.register()];
    await keepOut(owner);
    clock.advance(61_000);
    const forgot = (person: object) => server.call<object>('/api/v3/password/forgot', person);
    const before = server.outbox(owner.email).length;
    expect((await forgot({ email: owner.email })).data).toEqual((await forgot({ email: other.email })).data);
    expect((await forgot({ mobile: owner.mobile })).code).toBe(2000);
    await expect.poll(() => server.outbox(other.email).at(-1)!.template).toBe('passwordReset');
    expect(server.outbox(owner.email)).toHaveLength(before);
    expect(server.outbox(owner.mobile)).toEqual([]);
  });
});

describe('where registration is closed', () => {
  it('an unknown mobile number gets the error only after its code was typed', async () => {
    const administrator = await server.register();
    await server.db.database.systemPool.query('update person set administers = true where id = $1', [
      administrator.userId,
    ]);
    const open = (value: boolean) => server.call('/api/v3/install/registration', { open: value }, administrator);
    expect((await open(false)).code).toBe(2000);
    const mobile = newMobile();
    const code = await smsCode(mobile);
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await server.call('/api/v3/sms_code/login', { mobile, sms_code: wrong })).code).toBe(4007);
    expect((await server.call('/api/v3/sms_code/login', { mobile, sms_code: code })).code).toBe(4011);
    expect((await server.call('/api/v3/register_for_sms_code', { mobile, sms_code: code, ...secret })).code).toBe(4011);
    await open(true);
  });
});
