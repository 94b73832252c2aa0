import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPerson } from '../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { join, network } from './testing/people.ts';

let server: TestServer;
let owner: Registered;
let lobby: string;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  lobby = await network(server, owner, 'Lobby');
});
afterAll(() => server.stop());

async function open({ token, account }: As) {
  const response = await fetch(`${server.url}/api/v3/live`, {
    headers: { authorization: `Bearer ${token}`, ...(account ? { account } : {}) },
  });
  expect(response.status).toBe(200);
  const stream = { text: '', ended: false };
  const reading = (async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) stream.text += part;
    stream.ended = true;
  })();
  // the server stops while streams are open
  reading.catch(() => undefined);
  await expect.poll(() => stream.text).toContain('retry');
  return stream;
}

async function hostedTo(gwids: string[] | null) {
  const firm = await seedPerson(server);
  const { data } = await server.call<{ id: string }>(
    '/api/v3/hosting/grant',
    { login: firm.email, permissions: ['network.read'], gwids },
    owner,
  );
  return { id: data.id, page: { token: firm.token, account: owner.accountId } };
}

const endings: [string, () => Promise<{ page: As; end(): Promise<unknown> }>][] = [
  [
    'a hosting that is revoked',
    async () => {
      const { id, page } = await hostedTo(null);
      return { page, end: () => server.call('/api/v3/hosting/revoke', { id }, owner) };
    },
  ],
  [
    'a member who is removed',
    async () => {
      const { inside, userId } = await join(server, owner, 'operator');
      return { page: inside, end: () => server.call('/api/v3/account/member/remove', { id: userId }, owner) };
    },
  ],
  [
    'the staff of an account to which hosting ends',
    async () => {
      const firm = await seedPerson(server);
      const technician = await join(server, firm, 'operator');
      const input = { login: firm.email, permissions: ['network.read'], gwids: null };
      const { data } = await server.call<{ id: string }>('/api/v3/hosting/grant', input, owner);
      const page = { token: technician.token, account: owner.accountId };
      return { page, end: () => server.call('/api/v3/hosting/revoke', { id: data.id }, owner) };
    },
  ],
  [
    'an account that is locked, without an announcement',
    async () => {
      const closed = await seedPerson(server);
      const operator = await join(server, closed, 'operator');
      const lock = 'update account set locked_at = now() where account_id = $1';
      return {
        page: operator.inside,
        end: () => server.db.database.systemPool.query(lock, [closed.accountId]),
      };
    },
  ],
];

describe('an open page', () => {
  it.each(endings)('leaves within seconds: %s', async (_name, make) => {
    const { page, end } = await make();
    const stream = await open(page);
    await end();
    await expect.poll(() => stream.ended).toBe(true);
    // reconnecting fails
    const again = await fetch(`${server.url}/api/v3/live`, {
      headers: { authorization: `Bearer ${page.token}`, account: page.account! },
    });
    expect(((await again.json()) as { code: number }).code).not.toBe(2000);
  });

  it('gets a message when permissions shrink or grow', async () => {
    const { id, page } = await hostedTo(null);
    const stream = await open(page);
    await server.call('/api/v3/hosting/update', { id, permissions: ['config.read'], gwids: [lobby] }, owner);
    await expect.poll(() => stream.text).toContain('data: {"type":"rights"}');
    // facts no longer reach it
    server.program.bus.publish(`live.${owner.accountId}`, { type: 'network.changed', gwid: lobby });
    server.program.bus.publish(`live.${owner.accountId}`, { type: 'rights', gwid: lobby });
    await expect.poll(() => stream.text).toContain('"rights","gwid"');
    expect(stream.text).not.toContain('network.changed');
    expect(stream.ended).toBe(false);
  });
});
