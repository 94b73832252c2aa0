import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type As = { token: string };

async function open({ token }: As) {
  const response = await fetch(`${server.url}/api/v3/live`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  let text = '';
  let hear = () => {};
  const ended = (async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      hear();
    }
  })().catch(() => undefined);
  const heard = (wanted: string) =>
    new Promise<void>((resolve) => {
      hear = () => text.includes(wanted) && resolve();
      hear();
    });
  await heard('retry');
  return { ended, heard };
}

const signIn = async ({ email, password }: Registered): Promise<As> => ({
  token: (await server.call('/api/v3/login', { email, password })).token!,
});
const call = <T>(path: string, input: object, as: As) => server.call<T>(`/api/v3/security/${path}`, input, as);

const ways: [string, (owner: Registered) => Promise<{ access: As; end(): Promise<{ code: number }> }>][] = [
  [
    'a session that is ended',
    async (owner) => {
      const access = await signIn(owner);
      const { data } = await call<{ list: { id: string; current: boolean }[] }>('session/list', {}, access);
      const id = data.list.find(({ current }) => current)!.id;
      return { access, end: () => call('session/end', { id }, owner) };
    },
  ],
  [
    'all other sessions',
    async (owner) => ({ access: await signIn(owner), end: () => call('session/end_others', {}, owner) }),
  ],
  [
    'sessions from before a new password',
    async (owner) => {
      const change = { old_password: owner.password, password: 'another2Horse', confirm_password: 'another2Horse' };
      return { access: await signIn(owner), end: () => call('password', change, owner) };
    },
  ],
  [
    'a session that signs out',
    async (owner) => {
      const access = await signIn(owner);
      return { access, end: () => server.get('/api/v3/logout', access) };
    },
  ],
  [
    'an API token that is revoked',
    async (owner) => {
      const wanted = { name: 'Wall', scope: 'read', areas: null, gwids: null, days: 7 };
      const { data } = await call<{ id: string; token: string }>('token/create', wanted, owner);
      return { access: data, end: () => call('token/revoke', { id: data.id }, owner) };
    },
  ],
];

it.each(ways)('closes the open streams of %s before their next beat, and no others', async (_name, way) => {
  const owner = await server.register();
  const { access, end } = await way(owner);
  // first: a stream closed only by its own heartbeat would lose
  const clock = await open(await server.register());
  const staying = await open(owner);
  const leaving = await open(access);
  const first = Promise.race([leaving.ended.then(() => 'closed'), clock.heard(': beat').then(() => 'beat')]);
  expect((await end()).code).toBe(2000);
  expect(await first).toBe('closed');
  server.program.bus.publish(`live.${owner.accountId}`, { type: 'job', job_id: 'still here' });
  await staying.heard('still here');
});
