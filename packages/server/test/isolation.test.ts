import { type AnyEndpoint, api, permissions, type World } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestServer, type TestServer } from './server.ts';
import { host, makeWorld, type OwnedWorld } from './world.ts';

/** Every endpoint of the contract; a new one cannot be missed. */
const endpoints = Object.values(api).flatMap((group) =>
  Object.values(group).filter((member) => 'path' in member),
) as AnyEndpoint[];
const guarded = endpoints.filter((endpoint) => endpoint.access === 'user');

let server: TestServer;
let stranger: OwnedWorld;

beforeAll(async () => {
  server = await startTestServer();
  stranger = await makeWorld(server);
});
afterAll(() => server.stop());

function send(endpoint: AnyEndpoint, world: World, as: { token?: string; account?: string }): Promise<Answer> {
  const input = endpoint.example(world) as Record<string, unknown>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
  return endpoint.method === 'GET' ? server.get(path, as) : server.call(path, input, as);
}

/** The last number of an account's operation log; every change moves it. */
async function logHead(accountId: string): Promise<number> {
  const { rows } = await server.db.database.systemPool.query<{ seq: number }>(
    'select seq from operation_log_head where account_id = $1',
    [accountId],
  );
  return rows[0]?.seq ?? 0;
}

describe.each(guarded.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (_path, endpoint) => {
  it('answers nobody', async () => {
    const answer = await send(endpoint, stranger.world, {});
    if (endpoint.path === '/api/v3/user') expect(answer).toMatchObject({ status: 200, code: 4003 });
    else expect(answer).toMatchObject({ status: 401, code: 401 });
  });

  it('shows another owner nothing, and changes nothing', async () => {
    const mine = await makeWorld(server);
    const before = await logHead(mine.owner.accountId);
    // acting in the owner's account
    expect(
      (await send(endpoint, mine.world, { token: stranger.owner.token, account: mine.owner.accountId })).code,
    ).toBe(4113);
    // naming the owner's objects from the stranger's own account
    if (Object.keys(endpoint.object).length > 0) {
      expect((await send(endpoint, mine.world, { token: stranger.owner.token })).code).toBe(4113);
    }
    expect(await logHead(mine.owner.accountId)).toBe(before);
  });

  it('asks a hosted account for the permission', async () => {
    const mine = await makeWorld(server);
    const [without, within] = [await server.register(), await server.register()];
    const grantable = permissions.filter((permission) => permission !== 'install.admin');
    await host(
      server,
      mine.owner.accountId,
      without.accountId,
      grantable.filter((permission) => permission !== endpoint.permission),
    );
    await host(server, mine.owner.accountId, within.accountId, grantable);
    const as = (person: { token: string }) => ({ token: person.token, account: mine.owner.accountId });
    if (endpoint.permission) {
      const before = await logHead(mine.owner.accountId);
      expect(await send(endpoint, mine.world, as(without))).toMatchObject({
        code: 4101,
        data: { permission: endpoint.permission },
      });
      expect(await logHead(mine.owner.accountId)).toBe(before);
    }
    if (endpoint.personal) {
      // about the caller's own person, whatever account is named
      const before = await logHead(mine.owner.accountId);
      await send(endpoint, mine.world, as(within));
      expect(await logHead(mine.owner.accountId)).toBe(before);
    } else if (endpoint.permission !== 'install.admin' && endpoint.path !== '/api/v3/install/claim') {
      expect((await send(endpoint, mine.world, as(within))).code).toBe(2000);
    }
  });

  it('serves the owner, and logs what changes', async () => {
    const mine = await makeWorld(server);
    const before = await logHead(mine.owner.accountId);
    const answer = await send(endpoint, mine.world, mine.owner);
    expect(answer.code, `${answer.message} ${JSON.stringify(answer.errors ?? answer.data)}`).toBe(2000);
    const after = await logHead(mine.owner.accountId);
    if (endpoint.effect === 'read' || endpoint.unaudited) expect(after).toBe(before);
    else expect(after).toBeGreaterThan(before);
    // asked by somebody whose session the call did not end
    const auditor = await server.register();
    await host(server, mine.owner.accountId, auditor.accountId, ['log.read']);
    const as = { token: auditor.token, account: mine.owner.accountId };
    const chain = await server.call<{ intact: boolean }>('/api/v3/log/action/verify', {}, as);
    expect(chain.data.intact).toBe(true);
  });
});

describe('a grant for one network', () => {
  it('narrows lists and ids to it', async () => {
    const mine = await makeWorld(server);
    const guest = await server.register();
    await host(
      server,
      mine.owner.accountId,
      guest.accountId,
      ['network.read', 'network.write'],
      [mine.world.spareNetwork.gwid],
    );
    const as = { token: guest.token, account: mine.owner.accountId };
    const list = await server.call<{ list: { gwid: string }[]; total: number }>('/api/v3/network/list', {}, as);
    expect(list.data.list.map((row) => row.gwid)).toEqual([mine.world.spareNetwork.gwid]);
    expect(list.data.total).toBe(1);
    const other = await server.call('/api/v3/network/update', { gwid: mine.world.network.gwid, remark: 'Mine' }, as);
    expect(other.code).toBe(4113);
  });
});

describe('writes that leave no row', () => {
  it('say why', () => {
    const silent = endpoints.filter((endpoint) => endpoint.effect !== 'read' && endpoint.unaudited);
    expect(silent.map((endpoint) => endpoint.path).sort()).toEqual([
      '/api/v3/login',
      '/api/v3/logout',
      '/api/v3/mobile_login/get_sms_code',
      '/api/v3/register/get_email_code',
      '/api/v3/sms_code/login',
    ]);
  });
});
