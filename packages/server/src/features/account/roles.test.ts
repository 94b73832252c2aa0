import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeededPerson, seedPerson } from '../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { inbox, join, log, network } from './testing/people.ts';

let server: TestServer;
let firm: Registered;

beforeAll(async () => {
  server = await startTestServer();
  firm = await server.register();
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object, as: As = firm) => server.call<T>(`/api/v3/account/${path}`, input, as);

interface RoleRow {
  id: string;
  name: string;
  permissions: string[];
  member_num: number;
  invitation_num: number;
}
let named = 0;
async function role(permissions: string[], as: As = firm): Promise<RoleRow> {
  named += 1;
  const name = `Role ${named}`;
  const answer = await call<{ id: string }>('role/create', { name, permissions }, as);
  if (answer.code !== 2000) throw new Error(`role: ${answer.code} ${answer.message}`);
  return { id: answer.data.id, name, permissions, member_num: 0, invitation_num: 0 };
}
const listed = async (keyword: string, as: As = firm) =>
  (await call<{ list: RoleRow[] }>('role/list', { keyword, limit: 50 }, as)).data.list;
const refused = (permission: string) => ({ code: 4101, data: { permission, reason: 'permission' } });
const managing = ['account.read', 'account.write', 'network.read', 'network.reboot'];

describe('a role of the account itself', () => {
  it('gives its members what is ticked, in the networks of the membership, and changes at once', async () => {
    const gwid = await network(server, firm, 'Lobby');
    const other = await network(server, firm, 'Cellar');
    const own = await role(['network.read', 'job.read']);
    const person = await join(server, firm, { role_id: own.id }, [gwid]);
    const networks = async () => {
      const { code, data } = await server.call<{ list: { gwid: string }[] }>('/api/v3/network/list', {}, person.inside);
      return [code, data?.list?.map((row) => row.gwid)];
    };
    expect(await networks()).toEqual([2000, [gwid]]);
    const rename = () => server.call('/api/v3/network/update', { gwid, remark: 'Hall' }, person.inside);
    expect(await rename()).toMatchObject(refused('network.write'));
    const user = await server.get('/api/v3/user', person.inside);
    expect(user.data).toMatchObject({ role: 'custom', permissions: ['network.read', 'job.read'], gwids: [gwid] });
    const permissions = ['network.read', 'network.write'];
    expect((await call('role/update', { id: own.id, name: own.name, permissions })).code).toBe(2000);
    expect((await rename()).code).toBe(2000);
    expect(await server.call('/api/v3/job/list', {}, person.inside)).toMatchObject(refused('job.read'));
    expect(await server.call('/api/v3/network/update', { gwid: other, remark: 'No' }, person.inside)).toMatchObject({
      code: 4113,
    });
    expect((await inbox(server, person)).map(({ template }) => template)).toContain('memberChanged');
  });

  it('appears in the lists of members, invitations, roles and accounts by its name', async () => {
    const own = await role(['network.read']);
    const person = await join(server, firm, { role_id: own.id });
    await call('member/invite', { login: 'late@example.com', role: 'custom', role_id: own.id, gwids: null });
    const shown = { role: 'custom', role_id: own.id, role_name: own.name };
    const { data: members } = await call<{ list: object[] }>('member/list', { keyword: person.email.slice(0, 20) });
    expect(members.list).toMatchObject([shown]);
    const { data: open } = await call<{ list: { id: string }[] }>('invitation/list', { keyword: 'late@' });
    expect(open.list).toMatchObject([shown]);
    expect(await listed(own.name)).toMatchObject([
      { id: own.id, permissions: ['network.read'], member_num: 1, invitation_num: 1 },
    ]);
    const { data: places } = await call<{ list: object[] }>('list', {}, person);
    expect(places.list).toContainEqual(expect.objectContaining({ role: 'custom', role_name: own.name }));
  });

  it('shows an invited person what it allows before the person accepts', async () => {
    const own = await role(['network.read', 'user.read']);
    const person = await seedPerson(server);
    const input = { login: person.email, role: 'custom', role_id: own.id, gwids: null };
    const { data } = await call<{ url: string }>('member/invite', input);
    const look = await call('invitation/look', { token: new URL(data.url).pathname.split('/').at(-1) }, person);
    expect(look.data).toMatchObject({ role: 'custom', role_name: own.name, permissions: own.permissions });
  });

  it('is not deleted while members have it, and the answer names them', async () => {
    const own = await role(['network.read']);
    const person = await join(server, firm, { role_id: own.id });
    await call('member/invite', { login: 'soon@example.com', role: 'custom', role_id: own.id, gwids: null });
    const answer = await call('role/delete', { id: own.id });
    expect(answer).toMatchObject({ code: 4109, data: { members: [person.email], invitations: ['soon@example.com'] } });
    expect(answer.message).toContain(`${person.email}, soon@example.com`);
    await call('member/update', { id: person.userId, role: 'auditor', gwids: null });
    const { data } = await call<{ list: { id: string }[] }>('invitation/list', { keyword: 'soon@' });
    await call('invitation/revoke', { id: data.list[0]!.id });
    expect((await call('role/delete', { id: own.id })).code).toBe(2000);
    expect(await listed(own.name)).toEqual([]);
  });

  it('has a name of its own, whatever its case', async () => {
    const own = await role(['network.read']);
    const again = await call('role/create', { name: own.name.toUpperCase(), permissions: ['network.read'] });
    expect(again.code).toBe(4105);
    const other = await role(['network.read']);
    const renamed = await call('role/update', { id: other.id, name: own.name, permissions: ['network.read'] });
    expect(renamed.code).toBe(4105);
    for (const name of ['', ' ', ' a', 'a\nb']) {
      expect((await call('role/create', { name, permissions: ['network.read'] })).code).toBe(422);
    }
    expect((await call('role/create', { name: 'x', permissions: ['install.admin'] })).code).toBe(422);
  });

  it('is logged with its name, and what the log holds can be undone', async () => {
    const own = await role(['network.read']);
    await call('role/update', { id: own.id, name: own.name, permissions: ['job.read'] });
    const [last] = await log(server, firm);
    expect(last).toMatchObject({
      action: 'member.role_update',
      object: { type: 'role', name: own.name },
      before: { permissions: ['network.read'] },
      after: { permissions: ['job.read'] },
    });
    expect((await server.call('/api/v3/log/action/undo', { seq: last!.seq }, firm)).code).toBe(2000);
    expect(await listed(own.name)).toMatchObject([{ permissions: ['network.read'] }]);
    const person = await join(server, firm, 'auditor');
    await call('member/update', { id: person.userId, role: 'custom', role_id: own.id, gwids: null });
    const [given] = await log(server, firm);
    expect(given).toMatchObject({ action: 'member.update', after: { role: 'custom', role_name: own.name } });
    expect((await call('role/delete', { id: own.id })).code).toBe(4109);
    expect((await server.call('/api/v3/log/action/undo', { seq: given!.seq }, firm)).code).toBe(2000);
    expect((await call('role/delete', { id: own.id })).code).toBe(2000);
  });
});

describe('a member whose role manages members', () => {
  let manager: SeededPerson & { inside: As };
  beforeAll(async () => {
    manager = await join(server, firm, { role_id: (await role(managing)).id });
  });

  it('gives at most the own permissions', async () => {
    const { inside } = manager;
    const invite = (role: string) => call('member/invite', { login: 'x@example.com', role, gwids: null }, inside);
    expect(await invite('admin')).toMatchObject({ code: 4101 });
    expect(await invite('billing')).toMatchObject({ code: 4101 });
    expect(
      await call('role/create', { name: 'More', permissions: ['network.read', 'log.read'] }, inside),
    ).toMatchObject(refused('log.read'));
    const more = await role(['network.read', 'log.read']);
    const input = { login: 'x@example.com', role: 'custom', role_id: more.id, gwids: null };
    expect(await call('member/invite', input, inside)).toMatchObject(refused('log.read'));
    const less = { id: more.id, name: more.name, permissions: ['network.read'] };
    expect(await call('role/update', less, inside)).toMatchObject(refused('log.read'));
    expect(await call('role/delete', { id: more.id }, inside)).toMatchObject(refused('log.read'));
    const own = await role(['network.read', 'network.reboot'], inside);
    await join(server, { token: manager.token, accountId: firm.accountId }, { role_id: own.id });
    const others = await server.register();
    const hosted = { login: others.email, permissions: ['config.write'], gwids: null };
    expect(await server.call('/api/v3/hosting/grant', hosted, inside)).toMatchObject(refused('config.write'));
    const allowed = await server.call('/api/v3/hosting/grant', { ...hosted, permissions: ['network.read'] }, inside);
    expect(allowed.code).toBe(2000);
  });

  it('takes nothing from people with more permissions, and sees nothing through their eyes', async () => {
    const { inside } = manager;
    const auditor = await join(server, firm, 'auditor');
    const change = { id: auditor.userId, role: 'custom', role_id: (await role(['network.read'])).id, gwids: null };
    expect(await call('member/update', change, inside)).toMatchObject({ code: 4101 });
    expect(await call('member/remove', { id: auditor.userId }, inside)).toMatchObject({ code: 4101 });
    const view = { ...inside, viewAs: `member:${auditor.userId}` };
    expect(await server.call('/api/v3/network/list', {}, view)).toMatchObject({ code: 4101 });
    const own = { ...inside, viewAs: `member:${manager.userId}` };
    expect((await server.call('/api/v3/network/list', {}, own)).code).toBe(2000);
  });

  it('sees all networks: a role with members limited to some does not learn to manage members', async () => {
    const gwid = await network(server, firm, 'Attic');
    const wide = await role(managing);
    const narrow = { id: manager.userId, role: 'custom', role_id: wide.id, gwids: [gwid] };
    expect(await call('member/update', narrow)).toMatchObject({ code: 422, errors: { gwids: [expect.any(String)] } });
    const own = await role(['network.read']);
    const person = await join(server, firm, { role_id: own.id }, [gwid]);
    const answer = await call('role/update', { id: own.id, name: own.name, permissions: managing });
    expect(answer).toMatchObject({ code: 422, errors: { permissions: [expect.stringContaining(person.email)] } });
  });

  it('loses open invitations with the permission to invite', async () => {
    const own = await role(managing);
    const person = await join(server, firm, { role_id: own.id });
    const less = await role(['network.read']);
    const input = { login: 'guest@example.com', role: 'custom', role_id: less.id, gwids: null };
    expect((await call('member/invite', input, person.inside)).code).toBe(2000);
    expect(await listed(less.name)).toMatchObject([{ invitation_num: 1 }]);
    await call('role/update', { id: own.id, name: own.name, permissions: ['account.read'] });
    expect(await listed(less.name)).toMatchObject([{ invitation_num: 0 }]);
  });
});

it('keeps roles of other accounts out', async () => {
  const other = await server.register();
  const foreign = await role(['network.read'], other);
  expect(await listed(foreign.name)).not.toContainEqual(expect.objectContaining({ id: foreign.id }));
  const input = { login: 'y@example.com', role: 'custom', role_id: foreign.id, gwids: null };
  expect((await call('member/invite', input)).code).toBe(4113);
  expect((await call('role/delete', { id: foreign.id })).code).toBe(4113);
  const missing = { login: 'y@example.com', role: 'custom', gwids: null };
  expect(await call('member/invite', missing)).toMatchObject({ code: 422, errors: { role_id: [expect.any(String)] } });
});
