import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMobile } from '../../../test/seed-personal.ts';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

let server: TestServer;
// noon in Shanghai, so that the day of the SMS counter does not change
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const minute = 60_000;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

type As = { token: string };

async function mobileCode(mobile: string, as: As): Promise<string> {
  const answer = await server.get<{ left_today: number }>(`/api/v3/sms_code_for_mobile/${mobile}`, as);
  expect(answer.code, answer.message).toBe(2000);
  const line = server.outbox(mobile).at(-1)!;
  expect(line.template).toBe('changeMobileCode');
  return line.params.code!;
}

async function bind(mobile: string, as: As, bound?: string): Promise<void> {
  if (bound) expect((await server.call('/api/v3/profile/mobile_check', { mobile: bound }, as)).code).toBe(2000);
  const sms_code = await mobileCode(mobile, as);
  expect((await server.call('/api/v3/profile/mobile', { mobile, sms_code }, as)).code).toBe(2000);
}

const userOf = (as: As) => server.get<{ mobile: string | null; email: string }>('/api/v3/user', as);

describe('the bound mobile', () => {
  it('is bound with a code, and signs in from then on', async () => {
    const owner = await server.register();
    const mobile = newMobile();
    await bind(mobile, owner);
    expect((await userOf(owner)).data.mobile).toBe(mobile);
    clock.advance(minute);
    await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
    const sms_code = server.outbox(mobile).at(-1)!.params.code;
    const login = await server.call('/api/v3/sms_code/login', { mobile, sms_code });
    expect((await userOf({ token: login.token! })).data.email).toBe(owner.email);
  });

  it('is named in step 1 of the dialog, which refuses another', async () => {
    const owner = await server.register();
    const [old, next] = [newMobile(), newMobile()];
    await bind(old, owner);
    expect((await server.call('/api/v3/profile/mobile_check', { mobile: next }, owner)).code).toBe(4016);
    expect((await server.call('/api/v3/profile/mobile_check', { mobile: old }, owner)).code).toBe(2000);
  });

  it('is changed by the two calls of the profile within ten minutes of a confirmation', async () => {
    const owner = await server.register();
    const [old, next] = [newMobile(), newMobile()];
    await bind(old, owner);
    clock.advance(6 * minute);
    const sms_code = await mobileCode(next, owner);
    clock.advance(4 * minute);
    const change = () => server.call('/api/v3/profile/mobile', { mobile: next, sms_code }, owner);
    expect((await change()).code).toBe(4015);
    expect((await server.get(`/api/v3/sms_code_for_mobile/${next}`, owner)).code).toBe(4015);
    owner.token = (await server.call('/api/v3/security/confirm', { password: owner.password }, owner)).token!;
    expect((await change()).code).toBe(2000);
    expect((await userOf(owner)).data.mobile).toBe(next);
  });

  it('belongs to no other person, when the code is requested and when it is used', async () => {
    const [owner, rival] = [await server.register(), await server.register()];
    const mobile = newMobile();
    const sms_code = await mobileCode(mobile, owner);
    clock.advance(minute);
    const input = { mobile, sms_code: await mobileCode(mobile, rival) };
    expect((await server.call('/api/v3/profile/mobile', input, rival)).code).toBe(2000);
    expect((await server.get(`/api/v3/sms_code_for_mobile/${mobile}`, owner)).code).toBe(4010);
    expect((await server.call('/api/v3/profile/mobile', { mobile, sms_code }, owner)).code).toBe(4007);
    expect((await userOf(owner)).data.mobile).toBeNull();
  });

  it('notifies the old and the new one, the inbox and the log, and shows neither completely', async () => {
    const owner = await server.register();
    const [old, next] = ['13811112222', '13933334444'];
    await bind(old, owner);
    await bind(next, owner, old);
    for (const mobile of [old, next]) {
      expect(server.outbox(mobile).at(-1)).toMatchObject({
        template: 'mobileChanged',
        params: { mobile: '139****4444' },
      });
    }
    const log = await server.call<{ list: { action: string; before: unknown; after: unknown }[] }>(
      '/api/v3/log/action/list',
      {},
      owner,
    );
    expect(log.data.list[0]).toMatchObject({
      action: 'person.change_mobile',
      before: { mobile: '138****2222' },
      after: { mobile: '139****4444' },
    });
    const inbox = await server.call<{ list: object[] }>('/api/v3/message/list', {}, owner);
    expect(inbox.data.list[0]).toMatchObject({
      type: 'security',
      template: 'mobileChanged',
      params: { mobile: '139****4444' },
    });
  });

  it('asks for a fresh confirmation', async () => {
    const owner = await server.register();
    clock.advance(10 * minute);
    const mobile = newMobile();
    expect((await server.get(`/api/v3/sms_code_for_mobile/${mobile}`, owner)).code).toBe(4015);
    for (const path of ['mobile', 'mobile_check']) {
      expect((await server.call(`/api/v3/profile/${path}`, { mobile, sms_code: '000000' }, owner)).code).toBe(4015);
    }
  });
});

describe('the bound e-mail', () => {
  const code = async (email: string, as: As): Promise<string> => {
    expect((await server.call('/api/v3/profile/email_code', { email }, as)).code).toBe(2000);
    const line = server.outbox(email.toLowerCase()).at(-1)!;
    expect(line.template).toBe('changeEmailCode');
    return line.params.code!;
  };

  it('is changed with a code that only the new one got; the old one signs in no more', async () => {
    const owner = await server.register();
    const email = `New.${owner.email}`;
    const email_code = await code(email, owner);
    expect((await server.call('/api/v3/profile/email', { email, email_code: '000000' }, owner)).code).toBe(4007);
    const saved = await server.call<{ email: string }>('/api/v3/profile/email', { email, email_code }, owner);
    expect(saved.data).toEqual({ email: email.toLowerCase() });
    expect((await server.call('/api/v3/login', { email, password: owner.password })).code).toBe(2000);
    expect((await server.call('/api/v3/login', { email: owner.email, password: owner.password })).code).toBe(4006);
    for (const address of [owner.email, email.toLowerCase()]) {
      expect(server.outbox(address).at(-1)).toMatchObject({
        template: 'emailChanged',
        params: { email: 'n***@example.com' },
      });
    }
    expect((await server.call('/api/v3/profile/email', { email, email_code }, owner)).code).toBe(4007);
  });

  it('belongs to no other person', async () => {
    const [owner, rival] = [await server.register(), await server.register()];
    const taken = { email: rival.email.toUpperCase() };
    expect((await server.call('/api/v3/profile/email_code', taken, owner)).code).toBe(4010);
    // registered between the code and its use
    const email = `race${owner.email}`;
    const email_code = await code(email, owner);
    clock.advance(minute);
    await server.call('/api/v3/register/get_email_code', { email });
    const registration = server.outbox(email).at(-1)!.params.code;
    const input = { email, email_code: registration, password: 'good1234', confirm_password: 'good1234' };
    expect((await server.call('/api/v3/register', input)).code).toBe(2000);
    expect((await server.call('/api/v3/profile/email', { email, email_code }, owner)).code).toBe(4010);
    expect((await userOf(owner)).data.email).toBe(owner.email);
  });

  it('takes a code for binding, not one for registering', async () => {
    const owner = await server.register();
    const email = `other${owner.email}`;
    await server.call('/api/v3/register/get_email_code', { email });
    const email_code = server.outbox(email).at(-1)!.params.code;
    expect((await server.call('/api/v3/profile/email', { email, email_code }, owner)).code).toBe(4007);
  });
});
