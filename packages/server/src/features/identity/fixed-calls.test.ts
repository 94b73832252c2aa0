import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMobile } from '../../../test/seed-personal.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

/** Calls and bodies that are fixed (docs/adr/0039). */

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

interface Raw {
  status: number;
  body: Record<string, unknown>;
}

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Raw> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const codeFor = (mobile: string) => server.outbox(mobile).at(-1)!.params.code!;

async function withCode(): Promise<{ mobile: string; sms_code: string }> {
  const mobile = newMobile();
  await send('POST', '/api/v3/mobile_login/get_sms_code', { mobile });
  return { mobile, sms_code: codeFor(mobile) };
}

async function registered(): Promise<{ mobile: string; token: string }> {
  const first = await withCode();
  const secret = { password: 'abcd1234', confirm_password: 'abcd1234' };
  const { body } = await send('POST', '/api/v3/register_for_sms_code', { ...first, ...secret });
  return { mobile: first.mobile, token: String(body.token) };
}

describe('"All responses carry code, message, data"', () => {
  it.each([
    ['POST', '/api/v3/login', { email: 'nobody@example.com', password: 'x' }],
    ['POST', '/api/v3/login', {}],
    ['GET', '/api/v3/user', undefined],
    ['GET', '/api/v3/logout', undefined],
    ['POST', '/api/v3/profile/qq', { qq: '10001' }],
    ['POST', '/api/v3/check_qrcode_id', { qruuid: '00000000-0000-7000-8000-000000000000' }],
    ['POST', '/api/v3/nothing/here', {}],
  ])('%s %s %o', async (method, path, input) => {
    const { body } = await send(method, path, input);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['code', 'message', 'data']));
    expect(typeof body.code).toBe('number');
    expect(typeof body.message).toBe('string');
  });

  it('"a localization header from the stored language (default zh-CN)"', async () => {
    const ask = (headers = {}) => send('POST', '/api/v3/login', { email: 'a@example.com', password: 'x' }, headers);
    expect((await ask()).body.message).toBe('密码错误');
    expect((await ask({ localization: 'zh-CN' })).body.message).toBe('密码错误');
    expect((await ask({ localization: 'en' })).body.message).toBe('Wrong password');
  });
});

describe('"POST /api/v3/login | email, password | returns code, message, token"', () => {
  it('answers 2000 with the token', async () => {
    const owner: Registered = await server.register();
    const { status, body } = await send('POST', '/api/v3/login', { email: owner.email, password: owner.password });
    expect([status, body.code]).toEqual([200, 2000]);
    expect(body.token).toMatch(/^[\w-]{43}$/);
  });

  it('"code 4006 shows the message under the password field"', async () => {
    const owner = await server.register();
    const { status, body } = await send('POST', '/api/v3/login', { email: owner.email, password: 'wrong1234' });
    expect([status, body.code, body.token]).toEqual([200, 4006, undefined]);
  });

  it('"account login requires email and password"', async () => {
    const { status, body } = await send('POST', '/api/v3/login', {});
    expect([status, body.code]).toEqual([422, 422]);
    expect(Object.keys(body.errors as object).sort()).toEqual(['email', 'password']);
  });
});

describe('"POST /api/v3/mobile_login/get_sms_code | mobile | request SMS code"', () => {
  it('sends it', async () => {
    const mobile = newMobile();
    const { body } = await send('POST', '/api/v3/mobile_login/get_sms_code', { mobile });
    expect(body.code).toBe(2000);
    expect(codeFor(mobile)).toMatch(/^\d{6}$/);
  });

  it('"SMS code at most 5 requests per day"', async () => {
    const mobile = newMobile();
    const codes: unknown[] = [];
    for (let n = 0; n < 6; n += 1) {
      codes.push((await send('POST', '/api/v3/mobile_login/get_sms_code', { mobile })).body.code);
      clock.advance(60_001);
    }
    expect(codes).toEqual([2000, 2000, 2000, 2000, 2000, 4012]);
  });

  it('"Mobile: 11 digits, first 1, second digit 3-9"', async () => {
    const { status, body } = await send('POST', '/api/v3/mobile_login/get_sms_code', { mobile: '12800138000' });
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['mobile']]);
  });
});

describe('"POST /api/v3/sms_code/login | mobile, sms_code, password, confirm_password | mobile login"', () => {
  it('"code 2005 opens the set-password dialog", and no session exists before', async () => {
    const given = await withCode();
    const { body } = await send('POST', '/api/v3/sms_code/login', { ...given, password: '', confirm_password: '' });
    expect([body.code, body.token]).toEqual([2005, undefined]);
  });

  it('registers with the password filled in, as register_for_sms_code does', async () => {
    const given = await withCode();
    const secret = { password: 'abcd1234', confirm_password: 'abcd1234' };
    const { body } = await send('POST', '/api/v3/sms_code/login', { ...given, ...secret });
    expect([body.code, typeof body.token]).toEqual([2000, 'string']);
  });

  it('signs a known mobile in', async () => {
    const { mobile } = await registered();
    clock.advance(60_001);
    await send('POST', '/api/v3/mobile_login/get_sms_code', { mobile });
    const given = { mobile, sms_code: codeFor(mobile), password: '', confirm_password: '' };
    const { body } = await send('POST', '/api/v3/sms_code/login', given);
    expect([body.code, typeof body.token]).toEqual([2000, 'string']);
  });
});

describe('"POST /api/v3/register_for_sms_code | same | returns token"', () => {
  it('answers the token', async () => {
    expect((await registered()).token).toMatch(/^[\w-]{43}$/);
  });

  it('"password required with strength check; confirmation must match"', async () => {
    const given = await withCode();
    const weak = await send('POST', '/api/v3/register_for_sms_code', {
      ...given,
      password: 'abcdefgh',
      confirm_password: 'abcdefgh',
    });
    expect(Object.keys(weak.body.errors as object)).toEqual(['password']);
    const differing = { ...given, password: 'abcd1234', confirm_password: 'abcd1235' };
    const { status, body } = await send('POST', '/api/v3/register_for_sms_code', differing);
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['confirm_password']]);
  });
});

describe('"GET /api/v3/user | none | code 2000 carries user data incl. personalization"', () => {
  it('carries "email, created_at, qq, mobile, account_code (binding code), sdwan_status, personalization (theme, home_section)"', async () => {
    const { mobile, token } = await registered();
    const { status, body } = await send('GET', '/api/v3/user', undefined, bearer(token));
    expect([status, body.code]).toEqual([200, 2000]);
    expect(body.data).toMatchObject({
      email: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      qq: '',
      mobile,
      account_code: expect.stringMatching(/^[0-9A-Z]{10}$/),
      sdwan_status: true,
      personalization: { theme: 'light', home_section: 'revenue' },
    });
  });

  it('"code 4003 clears the token and goes to /login"', async () => {
    for (const headers of [{}, bearer('dead')]) {
      const { status, body } = await send('GET', '/api/v3/user', undefined, headers);
      expect([status, body.code]).toEqual([200, 4003]);
    }
  });
});

describe('"GET /api/v3/logout | none | bearer header"', () => {
  it('ends the session of the token', async () => {
    const { token } = await registered();
    expect((await send('GET', '/api/v3/logout', undefined, bearer(token))).body.code).toBe(2000);
    expect((await send('GET', '/api/v3/user', undefined, bearer(token))).body.code).toBe(4003);
    expect((await send('GET', '/api/v3/logout', undefined, bearer(token))).status).toBe(401);
  });
});

describe('"GET /api/v3/sms_code_for_mobile/{mobile}" and "POST /api/v3/profile/mobile | mobile, sms_code | change mobile"', () => {
  it('bind a mobile to an account that has none', async () => {
    const { token } = await server.register();
    const mobile = newMobile();
    const asked = await send('GET', `/api/v3/sms_code_for_mobile/${mobile}`, undefined, bearer(token));
    expect(asked.body.code).toBe(2000);
    const given = { mobile, sms_code: codeFor(mobile) };
    expect((await send('POST', '/api/v3/profile/mobile', given, bearer(token))).body.code).toBe(2000);
    const { body } = await send('GET', '/api/v3/user', undefined, bearer(token));
    expect(body.data).toMatchObject({ mobile });
  });

  it('"step 1 verify current mobile (must equal the bound one)"', async () => {
    const { mobile, token } = await registered();
    const step = (named: string) => send('POST', '/api/v3/profile/mobile_check', { mobile: named }, bearer(token));
    expect((await step(newMobile())).body.code).toBe(4016);
    expect((await step(mobile)).body.code).toBe(2000);
  });

  it('takes the two calls alone, while the session was confirmed in the last ten minutes', async () => {
    const { token } = await registered();
    const next = newMobile();
    clock.advance(60_001);
    expect((await send('GET', `/api/v3/sms_code_for_mobile/${next}`, undefined, bearer(token))).body.code).toBe(2000);
    const given = { mobile: next, sms_code: codeFor(next) };
    expect((await send('POST', '/api/v3/profile/mobile', given, bearer(token))).body.code).toBe(2000);
  });
});

describe('"POST /api/v3/profile/qq | qq | save QQ"', () => {
  it('saves it', async () => {
    const { token } = await server.register();
    expect((await send('POST', '/api/v3/profile/qq', { qq: '10001' }, bearer(token))).body.code).toBe(2000);
    expect((await send('GET', '/api/v3/user', undefined, bearer(token))).body.data).toMatchObject({ qq: '10001' });
  });
});

describe('"POST /api/v3/check_qrcode_id | qruuid | QR login polling"', () => {
  it('answers until the code is confirmed or has expired', async () => {
    const made = await send('POST', '/api/v3/qrcode/create', {});
    const { qruuid } = made.body.data as { qruuid: string };
    const poll = () => send('POST', '/api/v3/check_qrcode_id', { qruuid });
    expect((await poll()).body).toMatchObject({ code: 2000, data: { status: 'waiting' } });
    clock.advance(60_000);
    expect((await poll()).body).toMatchObject({ code: 2000, data: { status: 'expired' } });
  });

  it('carries the token once it was confirmed on a signed-in phone', async () => {
    const { token } = await registered();
    const { qruuid, url } = (await send('POST', '/api/v3/qrcode/create', {})).body.data as Record<string, string>;
    const given = { code: url!.split('/').at(-1), accept: true };
    expect((await send('POST', '/api/v3/qrcode/answer', given, bearer(token))).body.code).toBe(2000);
    const { body } = await send('POST', '/api/v3/check_qrcode_id', { qruuid });
    expect(body).toMatchObject({
      code: 2000,
      data: { status: 'confirmed' },
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
  });
});
