import { firstDayInZone } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { inbox, join, log, network } from './testing/people.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object, as: As) => server.call<T>(`/api/v3/account/${path}`, input, as);
const update = (as: As, id: string, role: string, gwids: string[] | null = null) =>
  call('member/update', { id, role, gwids }, as);
const remove = (as: As, id: string) => call('member/remove', { id }, as);
const refusedBecause = (reason: string) => ({ code: 4101, data: { permission: 'account.write', reason } });

interface Row {
  id: string;
  login: string;
  role: string;
  gwids: string[] | null;
  self: boolean;
  second_factor: boolean;
  last_active_at: string | null;
}
const members = async (as: As) => (await call<{ list: Row[] }>('member/list', {}, as)).data.list;

beforeAll(async () => {
  owner = await server.register();
});

describe('the list of members', () => {
  it('names login, role, networks, second factor, and when each was last active here', async () => {
    const gwid = await network(server, owner, 'Lobby');
    const colleague = await join(server, owner, 'operator', [gwid]);
    const [mine, theirs] = await members(owner);
    expect(mine).toMatchObject({ login: owner.email, role: 'owner', gwids: null, self: true, second_factor: false });
    expect(mine!.last_active_at).not.toBeNull();
    expect(theirs).toMatchObject({ login: colleague.email, role: 'operator', gwids: [gwid], self: false });
    expect(theirs!.last_active_at).toBeNull();
    await server.call('/api/v3/network/list', {}, colleague.inside);
    const { systemPool } = server.db.database;
    await systemPool.query('update person set totp_enabled_at = now() where id = $1', [colleague.userId]);
    expect((await members(owner))[1]).toMatchObject({ second_factor: true });
    expect((await members(owner))[1]!.last_active_at).not.toBeNull();
    const found = await call<{ total: number }>('member/list', { keyword: colleague.email.slice(0, 20) }, owner);
    expect(found.data.total).toBe(1);
  });
});

describe('two forms of one state', () => {
  it('change a member’s role and networks without taking each other back', async () => {
    const firm = await server.register();
    const gwid = await network(server, firm, 'Lobby');
    const { userId: id } = await join(server, firm, 'operator');
    expect((await call('member/update', { id, gwids: [gwid] }, firm)).code).toBe(2000);
    expect((await call('member/update', { id, role: 'auditor' }, firm)).code).toBe(2000);
    expect(await members(firm)).toContainEqual(expect.objectContaining({ id, role: 'auditor', gwids: [gwid] }));
  });

  it('change a hosting’s networks and permissions without taking each other back', async () => {
    const [firm, other] = [await server.register(), await server.register()];
    const gwid = await network(server, firm, 'Lobby');
    const hosting = <T>(path: string, input: object) => server.call<T>(`/api/v3/hosting/${path}`, input, firm);
    const { data } = await hosting<{ id: string }>('grant', {
      login: other.email,
      permissions: ['network.read', 'config.read'],
      gwids: null,
    });
    expect((await hosting('update', { id: data.id, gwids: [gwid] })).code).toBe(2000);
    expect((await hosting('update', { id: data.id, permissions: ['network.read'] })).code).toBe(2000);
    const { list } = (await hosting<{ list: object[] }>('list', {})).data;
    expect(list).toEqual([expect.objectContaining({ permissions: ['network.read'], gwids: [gwid] })]);
  });
});

describe('roles', () => {
  it('let an admin manage members, and leave owners alone', async () => {
    const firm = await server.register();
    const admin = await join(server, firm, 'admin');
    const operator = await join(server, firm, 'operator');
    expect((await update(admin.inside, operator.userId, 'auditor')).code).toBe(2000);
    // only owners change or appoint owners
    for (const attempt of [
      () => update(admin.inside, firm.userId, 'operator'),
      () => update(admin.inside, operator.userId, 'owner'),
      () => update(admin.inside, admin.userId, 'owner'),
      () => remove(admin.inside, firm.userId),
    ]) {
      expect(await attempt()).toMatchObject(refusedBecause('owner'));
    }
    expect(await update(operator.inside, operator.userId, 'admin')).toMatchObject(refusedBecause('permission'));
    expect((await members(firm)).map((row) => row.role)).toEqual(['owner', 'admin', 'auditor']);
    expect((await update(firm, admin.userId, 'owner')).code).toBe(2000);
  });

  it('show owners and admins all networks, and others those of their membership', async () => {
    const firm = await server.register();
    const [one, two] = [await network(server, firm, 'One'), await network(server, firm, 'Two')];
    const operator = await join(server, firm, 'operator', [one]);
    const seen = async () => {
      const { data } = await server.call<{ list: { gwid: string }[] }>('/api/v3/network/list', {}, operator.inside);
      return data.list.map((row) => row.gwid).sort();
    };
    expect(await seen()).toEqual([one]);
    expect((await update(firm, operator.userId, 'operator', [one, two])).code).toBe(2000);
    expect(await seen()).toEqual([one, two].sort());
    const narrow = await update(firm, operator.userId, 'admin', [one]);
    expect(narrow).toMatchObject({ code: 422, errors: { gwids: [expect.any(String)] } });
    expect((await update(firm, operator.userId, 'admin')).code).toBe(2000);
  });

  it('can be put back from the log', async () => {
    const firm = await server.register();
    const operator = await join(server, firm, 'operator');
    await update(firm, operator.userId, 'billing');
    const { seq } = (await log(server, firm))[0]!;
    expect((await server.call('/api/v3/log/action/undo', { seq }, firm)).code).toBe(2000);
    expect((await members(firm)).find((row) => row.id === operator.userId)!.role).toBe('operator');
  });
});

describe('the last owner', () => {
  it('stays: changed, removed or leaving', async () => {
    const firm = await server.register();
    for (const attempt of [
      () => update(firm, firm.userId, 'admin'),
      () => remove(firm, firm.userId),
      () => call('leave', { account_id: firm.accountId }, firm),
    ]) {
      expect((await attempt()).code).toBe(4018);
    }
  });

  it('stays when two owners go at the same moment', async () => {
    const firm = await server.register();
    const second = await join(server, firm, 'admin');
    await update(firm, second.userId, 'owner');
    const both = [update(firm, firm.userId, 'admin'), update(second.inside, second.userId, 'admin')];
    expect((await Promise.all(both)).map((answer) => answer.code).sort()).toEqual([2000, 4018]);
  });
});

describe('a removed member', () => {
  it('gets an error, and no longer reads the account', async () => {
    const firm = await server.register();
    const operator = await join(server, firm, 'operator');
    expect((await server.get('/api/v3/user', operator.inside)).code).toBe(2000);
    await remove(firm, operator.userId);
    expect((await server.get('/api/v3/user', operator.inside)).code).toBe(4113);
    expect((await inbox(server, operator)).map((message) => message.template)).toEqual(['memberRemoved', 'invitation']);
    expect((await log(server, firm))[0]).toMatchObject({
      action: 'member.remove',
      object: { name: operator.email },
      before: { role: 'operator', gwids: null },
    });
  });

  it('from the own account still gets in, with no right left', async () => {
    const founder = await server.register();
    await network(server, founder, 'Lobby');
    const heir = await join(server, founder, 'admin');
    await update(founder, heir.userId, 'owner');
    expect((await remove(heir.inside, founder.userId)).code).toBe(2000);
    const user = await server.get<{ role: string | null; permissions: string[] }>('/api/v3/user', founder);
    expect(user.data).toMatchObject({ role: null, permissions: [], account_code: null });
    expect(await server.call('/api/v3/network/list', {}, founder)).toMatchObject({
      code: 4101,
      data: { permission: 'network.read', reason: 'permission' },
    });
    expect((await call('list', {}, founder)).data).toMatchObject({ list: [{ own: true, role: null }] });
  });
});

describe('an API token for some networks', () => {
  it('manages nothing that concerns all of them', async () => {
    const firm = await server.register();
    const gwid = await network(server, firm, 'Lobby');
    const made = await server.call<{ token: string }>(
      '/api/v3/security/token/create',
      { name: 'script', scope: 'write', areas: null, gwids: [gwid], days: 30 },
      firm,
    );
    const script = { token: made.data.token };
    for (const [path, input] of [
      ['account/member/invite', { login: 'a@example.com', role: 'operator', gwids: null }],
      ['account/update', { name: 'Mine' }],
      ['hosting/grant', { login: owner.email, permissions: ['network.read'], gwids: null }],
    ] as const) {
      expect(await server.call(`/api/v3/${path}`, input, script)).toMatchObject(refusedBecause('networks'));
    }
    // account-wide: all devices use one binding code
    expect(await server.call('/api/v3/profile/binding_code/rotate', {}, script)).toMatchObject({
      code: 4101,
      data: { permission: 'network.bind', reason: 'networks' },
    });
  });
});

describe('an account', () => {
  it('has a name and a time zone that exist', async () => {
    const firm = await server.register();
    expect((await call('update', { time_zone: 'Mars/Olympus' }, firm)).errors).toHaveProperty('time_zone');
    expect((await call('update', { name: 'Harbour', time_zone: 'Europe/Berlin' }, firm)).code).toBe(2000);
    expect((await call('detail', {}, firm)).data).toMatchObject({ name: 'Harbour', time_zone: 'Europe/Berlin' });
  });

  it('says from which day a changed time zone counts', async () => {
    const firm = await server.register();
    const zoneOf = async () => {
      const { time_zone, time_zone_from } = (
        await call<{ time_zone: string; time_zone_from: string | null }>('detail', {}, firm)
      ).data;
      return { time_zone, time_zone_from };
    };
    expect(await zoneOf()).toEqual({ time_zone: 'Asia/Shanghai', time_zone_from: null });
    await call('update', { name: 'Harbour' }, firm);
    expect(await zoneOf()).toEqual({ time_zone: 'Asia/Shanghai', time_zone_from: null });
    const before = firstDayInZone(new Date(), 'Asia/Shanghai', 'Pacific/Kiritimati');
    const changed = await call('update', { time_zone: 'Pacific/Kiritimati' }, firm);
    const after = firstDayInZone(new Date(), 'Asia/Shanghai', 'Pacific/Kiritimati');
    const reported = await zoneOf();
    expect(changed.data).toMatchObject(reported);
    // midnight may pass meanwhile
    expect([before, after]).toContain(reported.time_zone_from);
  });

  it('logs the change of its name and time zone', async () => {
    const firm = await server.register();
    await call('update', { name: 'Harbour', time_zone: 'Europe/Berlin' }, firm);
    expect((await log(server, firm))[0]).toMatchObject({
      action: 'account.update',
      before: { name: firm.email, time_zone: 'Asia/Shanghai' },
      after: { name: 'Harbour', time_zone: 'Europe/Berlin' },
    });
  });

  it('names the members who can grant a missing permission', async () => {
    const firm = await server.register();
    const admin = await join(server, firm, 'admin');
    const billing = await join(server, firm, 'billing');
    const asked = await call<{ list: object[] }>('grantors', { permission: 'network.write' }, billing.inside);
    expect(asked.data.list).toEqual([
      { name: firm.email, role: 'owner' },
      { name: admin.email, role: 'admin' },
    ]);
    expect(
      (await call<{ list: object[] }>('grantors', { permission: 'install.admin' }, billing.inside)).data.list,
    ).toEqual([]);
  });
});
