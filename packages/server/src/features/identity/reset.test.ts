import { limits } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMobile } from '../../../test/seed-personal.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const forgot = (person: object) => server.call<object>('/api/v3/password/forgot', person);
const check = (token: string) => server.call<{ login: string }>('/api/v3/password/reset_check', { token });
const reset = (token: string, password = 'another2Horse', confirm_password = password) =>
  server.call<{ login: string }>('/api/v3/password/reset', { token, password, confirm_password });

async function link(email: string): Promise<string> {
  const before = server.outbox(email).length;
  expect((await forgot({ email })).code).toBe(2000);
  await expect.poll(() => server.outbox(email).length).toBe(before + 1);
  const message = server.outbox(email).at(-1)!;
  expect(message.template).toBe('passwordReset');
  expect(message.text).toMatch(/^(Open this link|请打开以下链接)/);
  expect(message.text).toMatch(/API tokens go on working|API 令牌不受影响/);
  expect(message.text).toContain(message.params.url);
  return message.params.url!.split('/').at(-1)!;
}

describe('a forgotten password', () => {
  it('is replaced by a link, once; every session ends, and the person gets a message', async () => {
    const owner = await server.register();
    const other = await server.call('/api/v3/login', { email: owner.email, password: owner.password });
    const token = await link(owner.email);
    expect((await check(token)).data.login).toMatch(/^o\*\*\*@example\.com$/);
    expect((await reset(token)).data.login).toBe(owner.email);
    for (const old of [owner.token, other.token!])
      expect((await server.get('/api/v3/user', { token: old })).code).toBe(4003);
    expect((await server.call('/api/v3/login', { email: owner.email, password: owner.password })).code).toBe(4006);
    const { token: fresh } = await server.call('/api/v3/login', { email: owner.email, password: 'another2Horse' });
    expect(fresh).toBeTruthy();
    expect((await check(token)).code).toBe(4013);
    expect((await reset(token)).code).toBe(4013);
    const as = { token: fresh! };
    const inbox = await server.call<{ list: { template: string }[] }>('/api/v3/message/list', {}, as);
    expect(inbox.data.list.map(({ template }) => template)).toContain('passwordReset');
    const log = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', {}, as);
    expect(log.data.list[0]!.action).toBe('person.reset_password');
    const ways = await server.call<{ list: { method: string }[] }>('/api/v3/log/auth/list', {}, as);
    expect(ways.data.list.map(({ method }) => method)).toContain('reset');
  });

  it('is replaced by the code that went to a mobile', async () => {
    const mobile = newMobile();
    await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
    const first = { mobile, sms_code: server.outbox(mobile).at(-1)!.params.code!, password: 'correct1horse' };
    await server.call('/api/v3/register_for_sms_code', { ...first, confirm_password: first.password });
    clock.advance(61_000);
    expect(await forgot({ mobile })).toMatchObject({ code: 2000, data: { left_today: 3, retry_after: 60 } });
    await expect.poll(() => server.outbox(mobile).at(-1)!.template).toBe('resetCode');
    const sms_code = server.outbox(mobile).at(-1)!.params.code!;
    expect((await server.call('/api/v3/sms_code/login', { mobile, sms_code })).code).toBe(4007);
    const exchange = (code: string) =>
      server.call<{ reset_token: string }>('/api/v3/password/forgot_code', { mobile, sms_code: code });
    const wrong = String((Number(sms_code) + 1) % 1_000_000).padStart(6, '0');
    expect((await exchange(wrong)).code).toBe(4007);
    const { data } = await exchange(sms_code);
    expect((await exchange(sms_code)).code).toBe(4007);
    expect((await reset(data.reset_token)).data.login).toBe(mobile);
  });

  it('is answered alike for an unknown name, which gets nothing', async () => {
    const owner = await server.register();
    clock.advance(61_000);
    const unknown = `nobody${Date.now()}@example.com`;
    const [one, two] = [await forgot({ email: owner.email }), await forgot({ email: unknown })];
    expect(two.data).toEqual(one.data);
    expect(two.message).toBe(one.message);
    const mobile = newMobile();
    expect((await forgot({ mobile })).data).toMatchObject({ left_today: 4 });
    expect((await forgot({ email: unknown })).status).toBe(429);
    expect((await forgot({ email: owner.email })).status).toBe(429);
    for (const left of [3, 2, 1, 0]) {
      clock.advance(61_000);
      expect((await forgot({ mobile })).data).toMatchObject({ left_today: left });
    }
    clock.advance(61_000);
    expect((await forgot({ mobile })).code).toBe(4012);
    expect([...server.outbox(unknown), ...server.outbox(mobile)]).toEqual([]);
  });

  it('takes exactly one of e-mail and mobile', async () => {
    expect(await forgot({})).toMatchObject({ status: 422, errors: { email: [expect.any(String)] } });
    const both = await forgot({ email: 'a@example.com', mobile: newMobile() });
    expect(both).toMatchObject({ status: 422, errors: { mobile: [expect.any(String)] } });
  });

  it('keeps one link of a person, for half an hour', async () => {
    const owner = await server.register();
    clock.advance(61_000);
    const first = await link(owner.email);
    clock.advance(61_000);
    const second = await link(owner.email);
    expect((await check(first)).code).toBe(4014);
    expect((await check(second)).code).toBe(2000);
    clock.advance(limits.resetMinutes * 60_000);
    expect((await check(second)).code).toBe(4014);
    expect((await reset(second)).code).toBe(4014);
    expect((await check('x'.repeat(43))).code).toBe(4014);
  });

  it('has no use for a weak password or two different ones, and the link stays good', async () => {
    const owner = await server.register();
    clock.advance(61_000);
    const token = await link(owner.email);
    expect(await reset(token, 'short')).toMatchObject({ status: 422, errors: { password: [expect.any(String)] } });
    expect(await reset(token, 'another2Horse', 'another3Horse')).toMatchObject({
      status: 422,
      errors: { confirm_password: [expect.any(String)] },
    });
    expect((await reset(token)).code).toBe(2000);
  });

  it('does not pass the second factor by', async () => {
    const owner: Registered = await server.register();
    await server.db.database.systemPool.query('update person set totp_enabled_at = now() where id = $1', [
      owner.userId,
    ]);
    clock.advance(61_000);
    await reset(await link(owner.email));
    expect((await server.call('/api/v3/login', { email: owner.email, password: 'another2Horse' })).code).toBe(2006);
  });

  it('is used by one of two at the same moment', async () => {
    const owner = await server.register();
    clock.advance(61_000);
    const token = await link(owner.email);
    const answers = await Promise.all(['another2Horse', 'another3Horse'].map((password) => reset(token, password)));
    expect(answers.map(({ code }) => code).sort()).toEqual([2000, 4013]);
  });
});
