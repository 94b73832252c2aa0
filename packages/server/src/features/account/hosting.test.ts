import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeededPerson, seedPerson } from '../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { inbox, join, log, network } from './testing/people.ts';

let server: TestServer;
let owner: Registered;
let integrator: SeededPerson;
let lobby: string;
let office: string;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  integrator = await seedPerson(server);
  [lobby, office] = [await network(server, owner, 'Lobby'), await network(server, owner, 'Office')];
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object, as: As) => server.call<T>(`/api/v3/hosting/${path}`, input, as);
const delegation = (login: string, permissions: string[], gwids: string[] | null, as: As = owner) =>
  call<{ id: string; replaced: boolean }>('grant', { login, permissions, gwids }, as);
const inside = (caller: As): As => ({ token: caller.token!, account: owner.accountId });
const networks = async (as: As) =>
  (
    await server.call<{ list: { remark: string }[] }>('/api/v3/network/list', { sort: 'remark', order: 'asc' }, as)
  ).data?.list.map((row) => row.remark);

interface Row {
  id: string;
  account_name: string;
  gwids: string[] | null;
  network_names: string[];
  permissions: string[];
  last_used_at: string | null;
}
const rows = async (side: 'list' | 'received', as: As) => (await call<{ list: Row[] }>(side, {}, as)).data.list;

describe('hosting', () => {
  it('gives the other account exactly the selected permissions, and notifies both sides', async () => {
    const made = await delegation(integrator.email, ['network.read', 'network.write'], [lobby]);
    expect(made.data).toMatchObject({ replaced: false });
    expect(await rows('list', owner)).toMatchObject([
      { account_name: integrator.email, gwids: [lobby], network_names: ['Lobby'], last_used_at: null },
    ]);
    expect(await rows('received', integrator)).toMatchObject([
      { account_name: owner.email, network_names: ['Lobby'], permissions: ['network.read', 'network.write'] },
    ]);
    expect((await inbox(server, integrator))[0]).toMatchObject({
      template: 'hostingGranted',
      params: { account: owner.email, by: owner.email },
    });
    expect((await log(server, owner))[0]).toMatchObject({ action: 'hosting.grant', hosted: false });
    // the other account sees the actor, but no address
    expect((await log(server, integrator))[0]).toMatchObject({
      action: 'hosting.grant',
      hosted: true,
      operator: owner.email,
      ip: null,
      object: { name: owner.email },
    });
    expect(await networks(inside(integrator))).toEqual(['Lobby']);
    const renamed = await server.call('/api/v3/network/update', { gwid: lobby, remark: 'Foyer' }, inside(integrator));
    expect(renamed.code).toBe(2000);
    expect((await log(server, owner))[0]).toMatchObject({
      action: 'network.update',
      operator: integrator.email,
      hosted: true,
      before: { remark: 'Lobby' },
      after: { remark: 'Foyer' },
    });
    expect((await rows('list', owner))[0]!.last_used_at).not.toBeNull();
    expect(await server.call('/api/v3/network/unbind', { gwid: lobby }, inside(integrator))).toMatchObject({
      code: 4101,
      data: { permission: 'network.bind', reason: 'permission' },
    });
    const { data } = await server.call<{ list: object[] }>('/api/v3/account/list', {}, integrator);
    expect(data.list).toMatchObject([
      { own: true, role: 'owner' },
      { own: false, role: null, name: owner.email, network_count: 1 },
    ]);
  });

  it('replaces what was hosted to the account already, and can be changed, undone and ended', async () => {
    const firm = await seedPerson(server);
    const first = await delegation(firm.email, ['network.read'], null);
    const second = await delegation(firm.email, ['network.read'], [office]);
    expect(second.data).toEqual({ id: first.data.id, replaced: true });
    expect(await networks(inside(firm))).toEqual(['Office']);
    const changed = await call('update', { id: first.data.id, permissions: ['network.read'], gwids: null }, owner);
    expect(changed.code).toBe(2000);
    expect(await networks(inside(firm))).toHaveLength(2);
    const { seq } = (await log(server, owner))[0]!;
    expect((await server.call('/api/v3/log/action/undo', { seq }, owner)).code).toBe(2000);
    expect(await networks(inside(firm))).toEqual(['Office']);
    expect((await call('revoke', { id: first.data.id }, owner)).code).toBe(2000);
    expect((await server.get('/api/v3/user', inside(firm))).code).toBe(4113);
    expect((await call('revoke', { id: first.data.id }, owner)).code).toBe(4113);
    expect((await inbox(server, firm)).map((message) => message.template)).toEqual([
      'hostingRevoked',
      'hostingChanged',
      'hostingChanged',
      'hostingChanged',
      'hostingGranted',
    ]);
    expect((await log(server, firm)).map((row) => row.action)).toEqual([
      'hosting.revoke',
      'hosting.update',
      'hosting.update',
      'hosting.update',
      'hosting.grant',
      'account.register',
    ]);
  });

  it('is for accounts that exist and are others, never for the account itself', async () => {
    expect((await delegation('unknown@example.com', ['network.read'], null)).errors).toHaveProperty('login');
    expect((await delegation(owner.email, ['network.read'], null)).errors).toHaveProperty('login');
    const lost = await seedPerson(server);
    await server.db.database.systemPool.query("update member set role = 'billing' where person_id = $1", [lost.userId]);
    expect((await delegation(lost.email, ['network.read'], null)).errors).toHaveProperty('login');
    for (const never of ['account.read', 'account.write', 'install.admin']) {
      expect((await delegation(integrator.email, [never], null)).status).toBe(422);
    }
    expect((await delegation(integrator.email, ['network.read'], ['00000000-0000-7000-8000-000000000000'])).code).toBe(
      4113,
    );
  });

  it('is for the whole staff of the other account that may operate there', async () => {
    const firm = await seedPerson(server);
    const [technician, clerk] = [await join(server, firm, 'operator'), await join(server, firm, 'billing')];
    await delegation(firm.email, ['network.read', 'network.write'], [lobby]);
    expect(await networks(inside(technician))).toHaveLength(1);
    expect((await server.get('/api/v3/user', inside(clerk))).code).toBe(4113);
    const input = { gwid: lobby, remark: 'Reception' };
    expect((await server.call('/api/v3/network/update', input, inside(technician))).code).toBe(2000);
    expect((await log(server, owner))[0]).toMatchObject({ operator: technician.email, hosted: true });
    const firmId = (
      await server.db.database.systemPool.query(
        'select operator_account_id from operation_log where account_id = $1 order by seq desc limit 1',
        [owner.accountId],
      )
    ).rows[0].operator_account_id;
    expect(firmId).toBe(firm.accountId);
  });

  it('is returned by managers of the account that received it', async () => {
    const firm = await seedPerson(server);
    await delegation(firm.email, ['network.read'], null);
    const { systemPool } = server.db.database;
    await systemPool.query("update member set role = 'operator' where person_id = $1", [firm.userId]);
    const [{ id }] = (await rows('list', owner)).filter(({ account_name }) => account_name === firm.email) as [Row];
    const giveBack = (as: As) => call('give_back', { id }, as);
    expect(await giveBack(firm)).toMatchObject({
      code: 4101,
      data: { permission: 'account.write', reason: 'permission' },
    });
    await systemPool.query("update member set role = 'owner' where person_id = $1", [firm.userId]);
    expect((await giveBack(integrator)).code).toBe(4113);
    expect((await giveBack(owner)).code).toBe(4113);
    expect((await giveBack(firm)).code).toBe(2000);
    expect((await giveBack(firm)).code).toBe(4113);
    expect((await server.get('/api/v3/user', inside(firm))).code).toBe(4113);
    expect((await log(server, owner))[0]).toMatchObject({
      action: 'hosting.revoke',
      operator: firm.email,
      hosted: true,
    });
  });

  it('is given back by an admin of the account whose own is another, acting there', async () => {
    const firm = await seedPerson(server);
    const admin = await join(server, firm, 'admin');
    const { data } = await delegation(firm.email, ['network.read'], null);
    expect((await call('give_back', { id: data.id }, admin)).code).toBe(4113);
    expect((await call('give_back', { id: data.id }, admin.inside)).code).toBe(2000);
    expect((await server.get('/api/v3/user', inside(firm))).code).toBe(4113);
    expect((await log(server, owner))[0]).toMatchObject({
      action: 'hosting.revoke',
      operator: admin.email,
      hosted: true,
    });
    expect((await log(server, firm))[0]).toMatchObject({
      action: 'hosting.revoke',
      operator: admin.email,
      hosted: false,
    });
  });

  it('ends with its last network, and forgets one that is unbound', async () => {
    const [firm, other] = [await seedPerson(server), await seedPerson(server)];
    const [one, two] = [await network(server, owner, 'One'), await network(server, owner, 'Two')];
    await delegation(firm.email, ['network.read'], [one]);
    await delegation(other.email, ['network.read'], [one, two]);
    const unbound = await server.call('/api/v3/network/unbind', { gwid: one }, owner);
    expect(unbound.data).toMatchObject({ removed: [{ part: 'hosting', count: 2 }] });
    expect((await server.get('/api/v3/user', inside(firm))).code).toBe(4113);
    expect(await rows('received', other)).toMatchObject([{ gwids: [two], network_names: ['Two'] }]);
  });
});

describe('viewing the account as another member', () => {
  it('shows what they see, and refuses every write', async () => {
    const firm = await seedPerson(server);
    const { data } = await delegation(firm.email, ['network.read', 'network.write'], [office]);
    const as = { token: owner.token, viewAs: `grant:${data.id}` };
    expect(await networks(as)).toEqual(['Office']);
    const user = await server.get('/api/v3/user', as);
    expect(user.data).toMatchObject({ viewing: true, role: null, permissions: ['network.read', 'network.write'] });
    expect(await server.call('/api/v3/network/update', { gwid: office, remark: 'Mine' }, as)).toMatchObject({
      code: 4101,
      data: { permission: 'network.write', reason: 'viewing' },
    });
    const peeping = { ...inside(firm), viewAs: `member:${owner.userId}` };
    expect(await server.get('/api/v3/user', peeping)).toMatchObject({
      code: 4101,
      data: { permission: 'account.write' },
    });
    expect((await server.get('/api/v3/user', { ...as, viewAs: `grant:${owner.userId}` })).code).toBe(4113);
  });

  it('grants no right that the viewer lacks', async () => {
    const permissions = ['account.read', 'account.write'];
    const own = await server.call<{ id: string }>(
      '/api/v3/account/role/create',
      { name: 'People', permissions },
      owner,
    );
    const { inside: manager } = await join(server, owner, { role_id: own.data.id });
    const firm = await seedPerson(server);
    const { data } = await delegation(firm.email, ['network.read'], [office]);
    expect(await server.get('/api/v3/user', { ...manager, viewAs: `grant:${data.id}` })).toMatchObject({
      code: 4101,
      data: { permission: 'network.read', reason: 'permission' },
    });
  });
});

describe('the limit on granting', () => {
  it('keeps people from trying logins', async () => {
    const strict = await startTestServer({ limitFactor: 1 });
    try {
      const me = await strict.register();
      const codes = [];
      for (let tried = 0; tried < 21; tried += 1) {
        const input = { login: `unknown${tried}@example.com`, permissions: ['network.read'], gwids: null };
        codes.push((await strict.call('/api/v3/hosting/grant', input, me)).status);
      }
      expect(codes.slice(0, 20)).toEqual(Array(20).fill(422));
      expect(codes[20]).toBe(429);
    } finally {
      await strict.stop();
    }
  });
});
