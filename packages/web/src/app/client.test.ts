import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../tools/eventually.ts';
import { messages } from '../messages/en.ts';
import { ApiError, CANCELLED } from './api-error.ts';
import { actIn, call, callForToken, whenConfirmFirst, whenSignedOut } from './client.ts';
import { install } from './i18n.ts';
import { keepToken, readToken } from './token.ts';

const cookies = new Map<string, string>();
const page = {
  get cookie() {
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  },
  set cookie(text: string) {
    const [pair = '', ...attributes] = text.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (attributes.includes('Max-Age=0')) cookies.delete(name);
    else cookies.set(name, value);
  },
};

function answers(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetched = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(JSON.stringify(body), { status, headers }),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError');
  return error;
}

beforeEach(() => {
  install('en', messages);
  cookies.clear();
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'http:' });
});
afterEach(() => {
  actIn(null);
  whenSignedOut(() => {});
  whenConfirmFirst(null);
  vi.unstubAllGlobals();
});

test('texts have no bidirectional controls, which would make one name look like another', async () => {
  answers(200, { code: 2000, message: 'ok', data: { list: [{ hostname: 'fdp.\u202eexe\u2069' }], total: 1 } });
  expect(await call('/api/v3/network/list', {})).toEqual({ list: [{ hostname: 'fdp.exe' }], total: 1 });
});

test('a call carries language, token and the account acted in, and answers data', async () => {
  keepToken('secret', false);
  actIn('other');
  const fetched = answers(200, { code: 2000, message: 'ok', data: { list: [], total: 0 } });
  expect(await call('/api/v3/network/list', { page: 1 })).toEqual({ list: [], total: 0 });
  const [url, init] = fetched.mock.calls[0] ?? [];
  expect(url).toBe('/api/v3/network/list');
  expect(init).toMatchObject({
    method: 'POST',
    body: '{"page":1}',
    credentials: 'omit',
    headers: { localization: 'en', authorization: 'Bearer secret', account: 'other' },
  });
});

test('the person is read with GET', async () => {
  const fetched = answers(200, { code: 2000, message: '', data: {} });
  await call('/api/v3/user', {});
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'GET' });
  expect(fetched.mock.calls[0]?.[1]).not.toHaveProperty('body');
});

test('a sign-in answers its token; 3000 is a success for SMS calls only', async () => {
  answers(200, { code: 3000, message: '', data: {}, token: 't' });
  expect(await callForToken('/api/v3/sms_code/login', { mobile: '13800000000', sms_code: '000000' })).toBe('t');
  expect((await failure(callForToken('/api/v3/login', { email: 'a', password: 'b' }))).code).toBe(3000);
});

test('a business code is thrown with its message and data', async () => {
  answers(200, { code: 4101, message: 'No permission', data: { permission: 'network.write' } });
  const error = await failure(call('/api/v3/network/list', {}));
  expect(error).toMatchObject({ code: 4101, message: 'No permission', data: { permission: 'network.write' } });
});

test('401 forgets the token and says so', async () => {
  keepToken('dead', true);
  const reported = vi.fn();
  whenSignedOut(reported);
  answers(401, { code: 401, message: '', data: null });
  expect((await failure(call('/api/v3/network/list', {}))).code).toBe(401);
  expect(readToken()).toBeNull();
  expect(reported).toHaveBeenCalledOnce();
});

test('401 of one call does not end a session that the user endpoint still knows', async () => {
  keepToken('alive', true);
  const reported = vi.fn();
  whenSignedOut(reported);
  const fetched = vi.fn(async (url: string) =>
    url === '/api/v3/user'
      ? Response.json({ code: 2000, message: '', data: {} })
      : new Response('{"code":401,"message":"","data":null}', { status: 401 }),
  );
  vi.stubGlobal('fetch', fetched);
  expect((await failure(call('/api/v3/network/list', {}))).code).toBe(401);
  expect(readToken()).toBe('alive');
  expect(reported).not.toHaveBeenCalled();
});

test('401 ends a session that the user endpoint no longer knows', async () => {
  keepToken('dead', true);
  const reported = vi.fn();
  whenSignedOut(reported);
  vi.stubGlobal('fetch', async (url: string) =>
    url === '/api/v3/user'
      ? Response.json({ code: 4003, message: '', data: null })
      : new Response('{"code":401,"message":"","data":null}', { status: 401 }),
  );
  const both = await Promise.all([
    failure(call('/api/v3/network/list', {})),
    failure(call('/api/v3/overview/attention', {})),
  ]);
  expect(both.map(({ code }) => code)).toEqual([401, 401]);
  expect(readToken()).toBeNull();
  expect(reported).toHaveBeenCalledOnce();
});

test('a late 401 of an older token does not end the session that has begun since', async () => {
  keepToken('old', false);
  vi.stubGlobal('fetch', async () => {
    keepToken('new', false);
    return new Response('{"code":401,"message":"","data":null}', { status: 401 });
  });
  const reported = vi.fn();
  whenSignedOut(reported);
  expect((await failure(call('/api/v3/network/list', {}))).code).toBe(401);
  expect(readToken()).toBe('new');
  expect(reported).not.toHaveBeenCalled();
});

test('422 keeps the messages of each field', async () => {
  answers(422, { code: 422, message: 'x', data: null, errors: { remark: ['too long', 'other'], tags: ['twice'] } });
  const error = await failure(call('/api/v3/network/list', {}));
  expect(error.field('remark')).toBe('too long');
  expect(Object.keys(error.fields)).toEqual(['remark', 'tags']);
});

test('429 says the seconds of retry-after', async () => {
  answers(429, { code: 429, message: '', data: null }, { 'retry-after': '17' });
  const error = await failure(call('/api/v3/network/list', {}));
  expect(error.retryAfter).toBe(17);
  expect(error.message).toContain('17');
});

describe('a call that wants the person to confirm first', () => {
  const first = { code: 4015, message: 'Confirm first', data: null };
  const done = { code: 2000, message: '', data: { qq: '10001' } };

  function answersInTurn(...bodies: readonly unknown[]) {
    let next = 0;
    const fetched = vi.fn(async (_url: string, _init: RequestInit) =>
      Response.json(bodies[Math.min(next++, bodies.length - 1)]),
    );
    vi.stubGlobal('fetch', fetched);
    return fetched;
  }

  test('is made again with the same input once the person has confirmed', async () => {
    const fetched = answersInTurn(first, done);
    const asked = vi.fn(async () => true);
    whenConfirmFirst(asked);
    expect(await call('/api/v3/profile/qq', { qq: '10001' })).toEqual({ qq: '10001' });
    expect(asked).toHaveBeenCalledOnce();
    expect(fetched.mock.calls.map(([url, init]) => [url, init.body])).toEqual([
      ['/api/v3/profile/qq', '{"qq":"10001"}'],
      ['/api/v3/profile/qq', '{"qq":"10001"}'],
    ]);
  });

  test('is made again once only', async () => {
    const fetched = answersInTurn(first);
    const asked = vi.fn(async () => true);
    whenConfirmFirst(asked);
    expect((await failure(call('/api/v3/profile/qq', { qq: '' }))).code).toBe(4015);
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(asked).toHaveBeenCalledOnce();
  });

  test('is not repeated when the person cancels, and its error is distinguished', async () => {
    const fetched = answersInTurn(first, done);
    whenConfirmFirst(async () => false);
    expect((await failure(call('/api/v3/profile/qq', { qq: '' }))).code).toBe(CANCELLED);
    expect(fetched).toHaveBeenCalledOnce();
  });

  test('asks once for calls that wait for it at the same time, and again for a later one', async () => {
    answersInTurn(first, first, done, done, first, done);
    let confirm = (_confirmed: boolean) => {};
    const asked = vi.fn(() => new Promise<boolean>((resolve) => (confirm = resolve)));
    whenConfirmFirst(asked);
    const both = Promise.all([call('/api/v3/profile/qq', { qq: '1' }), call('/api/v3/profile/qq', { qq: '2' })]);
    await eventually(() => expect(fetch).toHaveBeenCalledTimes(2));
    await eventually(() => expect(asked).toHaveBeenCalledOnce());
    confirm(true);
    await both;
    expect(asked).toHaveBeenCalledOnce();
    const later = call('/api/v3/profile/qq', { qq: '3' });
    await eventually(() => expect(asked).toHaveBeenCalledTimes(2));
    confirm(true);
    await later;
  });
});

test('a call in the own account does not say which one is acted in', async () => {
  actIn('other');
  const fetched = answers(200, { code: 2000, message: '', data: { list: [], total: 0 } });
  await call('/api/v3/network/list', {}, { home: true });
  expect(fetched.mock.calls[0]?.[1].headers).not.toHaveProperty('account');
});

test.each([500, 502, 404])('HTTP %i is the general sentence', async (status) => {
  answers(status, 'nonsense');
  expect((await failure(call('/api/v3/network/list', {}))).message).toBe(messages['error.request']);
});

test('distinguishes an unreachable console', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('network');
  });
  expect((await failure(call('/api/v3/network/list', {}))).message).toBe(messages['error.unreachable']);
});

test('a call is checked against the contract when it is compiled', () => {
  const calls = [
    // @ts-expect-error no such endpoint
    () => call('/api/v3/nowhere', {}),
    // @ts-expect-error the network's id is missing
    () => call('/api/v3/network/detail', {}),
    // @ts-expect-error not a column to sort by
    () => call('/api/v3/network/list', { sort: 'password' }),
    // @ts-expect-error this answer carries no token
    () => callForToken('/api/v3/network/list', {}),
    async () => (await call('/api/v3/network/detail', { gwid: '' })).remark.length,
  ];
  expect(calls).toHaveLength(5);
});

test('sends calls with the viewed member, except those about the person', async () => {
  actIn(null, 'member:7');
  const fetched = answers(200, { code: 2000, message: 'ok', data: {} });
  await call('/api/v3/network/list', {});
  await call('/api/v3/logout', {}, { home: true });
  const sent = fetched.mock.calls.map(([, init]) => new Headers(init.headers).get('view-as'));
  expect(sent).toEqual(['member:7', null]);
});
