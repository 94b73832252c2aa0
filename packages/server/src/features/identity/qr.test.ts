import { limits } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

let server: TestServer;
let phone: Registered;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));

beforeAll(async () => {
  server = await startTestServer({ clock });
  phone = await server.register();
});
afterAll(() => server.stop());

async function show() {
  const { data } = await server.call<{ qruuid: string; url: string; expire_at: string }>('/api/v3/qrcode/create');
  return { ...data, code: data.url.split('/').at(-1)! };
}
const poll = (qruuid: string) => server.call<{ status: string }>('/api/v3/check_qrcode_id', { qruuid });
const answer = (code: string, accept: boolean) => server.call('/api/v3/qrcode/answer', { code, accept }, phone);

it('waits, is looked at and confirmed by a phone, and signs the page in once', async () => {
  const shown = await show();
  expect(shown.url).toMatch(/^http:\/\/localhost\/qr\/[\w-]{43}$/);
  expect(shown.url).not.toContain(shown.qruuid);
  expect(Date.parse(shown.expire_at) - clock.now().getTime()).toBe(60_000);
  const waiting = await poll(shown.qruuid);
  expect(waiting).toMatchObject({ code: 2000, data: { status: 'waiting' } });
  expect(waiting.token).toBeUndefined();
  const seen = await server.call<{ ip: string; user_agent: string }>(
    '/api/v3/qrcode/look',
    { code: shown.code },
    phone,
  );
  expect(seen.data).toMatchObject({ ip: '127.0.0.1', user_agent: 'node' });
  expect((await answer(shown.code, true)).code).toBe(2000);
  const done = await poll(shown.qruuid);
  expect(done).toMatchObject({ code: 2000, data: { status: 'confirmed' } });
  const user = await server.get<{ id: string }>('/api/v3/user', { token: done.token! });
  expect(user.data.id).toBe(phone.userId);
  expect(await poll(shown.qruuid)).toMatchObject({ data: { status: 'expired' } });
  expect((await answer(shown.code, true)).code).toBe(4014);
  const { data } = await server.call<{ list: { method: string }[] }>('/api/v3/log/auth/list', {}, phone);
  expect(data.list[0]!.method).toBe('qr');
  expect((await server.call('/api/v3/security/totp/begin', {}, { token: done.token! })).code).toBe(4015);
});

it('can be refused', async () => {
  const shown = await show();
  await answer(shown.code, false);
  const reported = await poll(shown.qruuid);
  expect(reported).toMatchObject({ data: { status: 'refused' } });
  expect(reported.token).toBeUndefined();
});

it('ends after the twenty polls of three seconds', async () => {
  const shown = await show();
  clock.advance(limits.qrSeconds * 1000 - 1);
  expect(await poll(shown.qruuid)).toMatchObject({ data: { status: 'waiting' } });
  clock.advance(1);
  expect(await poll(shown.qruuid)).toMatchObject({ data: { status: 'expired' } });
  expect((await answer(shown.code, true)).code).toBe(4014);
});

it('is fetched with the last poll when it was confirmed at the last moment, and not for ever', async () => {
  const [one, two] = [await show(), await show()];
  clock.advance(limits.qrSeconds * 1000 - 1);
  await answer(one.code, true);
  await answer(two.code, true);
  clock.advance(3000);
  expect((await poll(one.qruuid)).token).toBeTruthy();
  clock.advance(60_000);
  expect((await poll(two.qruuid)).token).toBeUndefined();
});

it('gives its token to one of two polls at the same moment', async () => {
  const shown = await show();
  await answer(shown.code, true);
  const polls = await Promise.all(Array.from({ length: 8 }, () => poll(shown.qruuid)));
  expect(polls.filter(({ token }) => token)).toHaveLength(1);
});

it('is confirmed only by a signed-in person, and by no API token', async () => {
  const shown = await show();
  expect((await server.call('/api/v3/qrcode/answer', { code: shown.code, accept: true })).status).toBe(401);
  const made = await server.call<{ token: string }>(
    '/api/v3/security/token/create',
    { name: 'Robot', scope: 'write', areas: null, gwids: null, days: 7 },
    phone,
  );
  const robot = { token: made.data.token };
  expect((await server.call('/api/v3/qrcode/answer', { code: shown.code, accept: true }, robot)).code).toBe(4015);
  expect(await poll(shown.qruuid)).toMatchObject({ data: { status: 'waiting' } });
});
