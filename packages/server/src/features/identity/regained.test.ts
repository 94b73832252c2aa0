import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { appCode, newMobile } from '../../../test/seed-personal.ts';
import { type Answer, loginOf, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { setLocked } from './all-accounts.ts';
import { createExpiry } from './expiry.ts';
import { bindLogin } from './people.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const dayMs = 86_400_000;
const password = 'newpass12';

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

async function from(ip: string, path: string, body: unknown): Promise<Answer<{ ticket: string }>> {
  const headers = { 'content-type': 'application/json', localization: 'en', 'x-forwarded-for': ip };
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Answer<{ ticket: string }>;
}

const wrong = ({ email }: Registered) => ({ email, password: 'wrong1234' });

async function message(to: string, template: string): Promise<Record<string, string>> {
  // messages are sent after the answer
  return eventually(() => {
    const line = server.outbox(to).findLast((one) => one.template === template);
    if (!line) throw new Error('nothing yet');
    return line.params;
  });
}

async function refusals(owner: Registered): Promise<{ reason: string; method: string }[]> {
  const { rows } = await server.db.database.systemPool.query<{ reason: string; method: string }>(
    `select reason, method from sign_in_log where account_id = $1 and result = 'failed' order by id`,
    [owner.accountId],
  );
  return rows;
}

it('is made possible everywhere by a new password', async () => {
  const owner = await server.register();
  for (let tries = 0; tries < 5; tries += 1) await from('198.51.100.9', '/api/v3/login', wrong(owner));
  expect((await from('198.51.100.9', '/api/v3/login', loginOf(owner))).code).toBe(4009);
  clock.advance(61_000);
  await server.call('/api/v3/password/forgot', { email: owner.email });
  const token = (await message(owner.email, 'passwordReset')).url!.split('/').at(-1)!;
  const input = { token, password, confirm_password: password };
  expect((await from('203.0.113.1', '/api/v3/password/reset', input)).code).toBe(2000);
  expect((await from('198.51.100.9', '/api/v3/login', { email: owner.email, password })).code).toBe(2000);
});

it('is made possible by the mobile for the e-mail too', async () => {
  const owner = await server.register();
  const mobile = newMobile();
  const person = { accountId: owner.accountId, personId: owner.userId };
  await server.db.database.withSystem((tx) => bindLogin(tx, person, 'mobile', mobile));
  for (let tries = 0; tries < 5; tries += 1) await server.call('/api/v3/login', wrong(owner));
  await server.call('/api/v3/password/forgot', { mobile });
  const { code: sms_code } = await message(mobile, 'resetCode');
  const exchanged = await server.call<{ reset_token: string }>('/api/v3/password/forgot_code', { mobile, sms_code });
  const input = { token: exchanged.data.reset_token, password, confirm_password: password };
  expect((await server.call('/api/v3/password/reset', input)).code).toBe(2000);
  expect((await server.call('/api/v3/login', { email: owner.email, password })).code).toBe(2000);
});

it('is shown to a person after any absence', async () => {
  const owner = await server.register();
  clock.advance(100 * dayMs);
  await createExpiry({ database: server.db.database, clock }).tasks['identity-expire']();
  const { token } = await from('198.51.100.7', '/api/v3/login', loginOf(owner));
  const inbox = await server.call<{ list: { template: string }[] }>('/api/v3/message/list', {}, { token: token! });
  expect(inbox.data.list.map(({ template }) => template)).toEqual(['newPlace']);
});

it('is refused while the administrator keeps the account out, is no wrong guess, and is logged', async () => {
  const owner = await server.register();
  await server.db.database.withSystem((tx) => setLocked(tx, owner.accountId, clock.now()));
  for (let tries = 0; tries < 6; tries += 1)
    expect((await server.call('/api/v3/login', loginOf(owner))).code).toBe(4019);
  expect(await refusals(owner)).toEqual(Array(6).fill({ reason: 'account_closed', method: 'password' }));
});

it('is not guessed at the second step from twenty addresses', async () => {
  const owner = await server.register();
  const begun = await server.call<{ uri: string }>('/api/v3/security/totp/begin', {}, owner);
  const app = () => appCode(begun.data.uri, clock.now());
  await server.call('/api/v3/security/totp/enable', { code: app() }, owner);
  clock.advance(30_000);
  const right = app();
  const guess = String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');
  const codes: number[] = [];
  for (let at = 0; at < 6; at += 1) {
    const ip = `198.51.100.${at}`;
    const { data } = await from(ip, '/api/v3/login', loginOf(owner));
    for (let tries = 0; tries < 4; tries += 1) {
      codes.push((await from(ip, '/api/v3/login/second_factor', { ticket: data.ticket, code: guess })).code);
    }
  }
  expect(codes).toEqual([...Array<number>(20).fill(4017), ...Array<number>(4).fill(4009)]);
  const { data } = await from('203.0.113.5', '/api/v3/login', loginOf(owner));
  expect((await from('203.0.113.5', '/api/v3/login/second_factor', { ticket: data.ticket, code: right })).code).toBe(
    4009,
  );
  clock.advance(3_600_000);
  const later = await from('203.0.113.5', '/api/v3/login', loginOf(owner));
  const entered = await from('203.0.113.5', '/api/v3/login/second_factor', { ticket: later.data.ticket, code: app() });
  expect(entered.code).toBe(2000);
});
