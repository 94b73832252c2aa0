import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host, makeSeed } from '../../../test/seed.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { bySystem } from '../../platform/acting.ts';
import { record } from './audit.ts';

interface Row {
  seq: number;
  action: string;
  operator: string;
  hosted: boolean;
  before: unknown;
  after: unknown;
  undoable: boolean;
  undo_permission: string | null;
  undoes: number | null;
}
type As = { token: string; account?: string };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const log = async (as: As, input: object = {}) =>
  (await server.call<{ list: Row[] }>('/api/v3/log/action/list', { limit: 50, ...input }, as)).data.list;
const undo = (as: As, seq: number) => server.call<{ job_id: string | null }>('/api/v3/log/action/undo', { seq }, as);
const rename = (as: As, gwid: string, remark: string) => server.call('/api/v3/network/update', { gwid, remark }, as);
const nameOf = async (as: As, gwid: string) =>
  (await server.call<{ remark: string }>('/api/v3/network/detail', { gwid }, as)).data.remark;

async function network(owner: Registered, remark: string): Promise<string> {
  return (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
}

describe('undoing', () => {
  it('puts back what was before, says what it took back, and can be taken back itself', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'Old');
    await rename(owner, gwid, 'New');
    const [renamed, created] = await log(owner);
    expect(renamed).toMatchObject({ undoable: true, undo_permission: 'network.write', undoes: null });
    expect(created).toMatchObject({ action: 'network.create', undoable: false });
    expect(await undo(owner, renamed!.seq)).toMatchObject({ code: 2000, data: { job_id: null } });
    expect(await nameOf(owner, gwid)).toBe('Old');
    const [undone, first] = await log(owner);
    expect(undone).toMatchObject({
      action: 'network.update',
      undoes: renamed!.seq,
      before: { remark: 'New' },
      after: { remark: 'Old' },
      undoable: true,
    });
    expect(first).toMatchObject({ seq: renamed!.seq, undoable: false });
    expect((await undo(owner, undone!.seq)).code).toBe(2000);
    expect(await nameOf(owner, gwid)).toBe('New');
    const chain = await server.call<{ intact: boolean }>('/api/v3/log/action/verify', {}, owner);
    expect(chain.data.intact).toBe(true);
  });

  it('takes a creation away again', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'Short');
    expect((await undo(owner, (await log(owner))[0]!.seq)).code).toBe(2000);
    expect((await server.call('/api/v3/network/detail', { gwid }, owner)).code).toBe(4113);
  });

  it('refuses once the object has changed since, and a second time', async () => {
    const owner = await server.register();
    const [gwid, other] = [await network(owner, 'One'), await network(owner, 'Other')];
    await rename(owner, gwid, 'Two');
    const { seq } = (await log(owner))[0]!;
    await rename(owner, gwid, 'Three');
    expect((await undo(owner, seq)).code).toBe(4104);
    expect(await nameOf(owner, gwid)).toBe('Three');
    const latest = (await log(owner))[0]!.seq;
    // neither blocks undo
    await rename(owner, other, 'Another');
    await server.db.database.withSystem((tx) =>
      record(tx, bySystem(owner.accountId), {
        action: 'network.reboot',
        object: { type: 'network', id: gwid, name: 'Three' },
        gwid,
        after: { devices: 1 },
        command: true,
      }),
    );
    expect((await undo(owner, latest)).code).toBe(2000);
    expect(await nameOf(owner, gwid)).toBe('Two');
    expect((await undo(owner, latest)).code).toBe(4104);
    expect(await nameOf(owner, gwid)).toBe('Two');
  });

  it('refuses once the object has changed since in a way whose values are not logged', async () => {
    const owner = await server.register();
    await server.call('/api/v3/profile/qq', { qq: '10001' }, owner);
    const { seq } = (await log(owner))[0]!;
    // leaves the object unchanged
    await server.call('/api/v3/security/session/end_others', {}, owner);
    expect((await log(owner)).find((row) => row.seq === seq)).toMatchObject({ undoable: true });
    const change = { old_password: owner.password, password: 'another2Horse', confirm_password: 'another2Horse' };
    expect((await server.call('/api/v3/security/password', change, owner)).code).toBe(2000);
    expect((await log(owner)).find((row) => row.seq === seq)).toMatchObject({ undoable: false });
    expect((await undo(owner, seq)).code).toBe(4104);
    expect((await server.get('/api/v3/user', owner)).data).toMatchObject({ qq: '10001' });
  });

  it('happens once when asked for twice at the same moment', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'One');
    await rename(owner, gwid, 'Two');
    const { seq } = (await log(owner))[0]!;
    const answers = await Promise.all([1, 2, 3, 4].map(() => undo(owner, seq)));
    expect(answers.map((answer) => answer.code).sort()).toEqual([2000, 4104, 4104, 4104]);
    expect((await log(owner)).filter((row) => row.undoes === seq)).toHaveLength(1);
  });

  it('answers what has no inverse, and what does not exist', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'One');
    await server.call('/api/v3/network/delete', { gwid }, owner);
    const [deleted] = await log(owner);
    expect(deleted).toMatchObject({ action: 'network.delete', undoable: false, undo_permission: null });
    expect((await undo(owner, deleted!.seq)).code).toBe(4116);
    expect((await undo(owner, 4711)).code).toBe(4113);
  });

  it('asks for the permission of what it does, and names it', async () => {
    const owner = await server.register();
    const gwid = await network(owner, 'One');
    await rename(owner, gwid, 'Two');
    const { seq } = (await log(owner))[0]!;
    const [reader, writer] = [await server.register(), await server.register()];
    await host(server, owner.accountId, reader.accountId, ['network.read', 'log.read']);
    await host(server, owner.accountId, writer.accountId, ['network.read', 'network.write', 'log.read']);
    const refused = await undo({ token: reader.token, account: owner.accountId }, seq);
    expect(refused).toMatchObject({ code: 4101, data: { permission: 'network.write' } });
    expect(await nameOf(owner, gwid)).toBe('Two');
    const as = { token: writer.token, account: owner.accountId };
    expect((await undo(as, seq)).code).toBe(2000);
    expect((await log(owner))[0]).toMatchObject({ operator: writer.email, hosted: true, undoes: seq });
  });

  it('limits a member of one network to that network, also when it checks later changes', async () => {
    const owner = await server.register();
    const [seen, hidden] = [await network(owner, 'Seen'), await network(owner, 'Hidden')];
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['network.read', 'network.write', 'log.read'], [seen]);
    const as = { token: guest.token, account: owner.accountId };
    await rename(owner, hidden, 'Hidden 2');
    const hiddenSeq = (await log(owner))[0]!.seq;
    expect((await undo(as, hiddenSeq)).code).toBe(4113);
    await rename(owner, seen, 'Seen 2');
    const { seq } = (await log(as))[0]!;
    // a later change that the delegation cannot see
    await server.db.database.withSystem((tx) =>
      record(tx, bySystem(owner.accountId), {
        action: 'network.update',
        object: { type: 'network', id: seen, name: 'Seen 3' },
        before: { remark: 'Seen 2' },
        after: { remark: 'Seen 3' },
      }),
    );
    expect((await log(as))[0]).toMatchObject({ seq, undoable: false });
    expect((await undo(as, seq)).code).toBe(4104);
  });

  it('answers the job that it starts', async () => {
    const { owner, seed } = await makeSeed(server);
    const { serial } = seed.device;
    const over = { serial, version: 0, radios: [], ssids_off: [], lan_address: null };
    const saved = await server.call('/api/v3/ap/override/save', over, owner);
    expect(saved.code).toBe(2000);
    const [row] = await log(owner, { object_type: 'device', object_id: serial });
    expect(row).toMatchObject({ action: 'device.override.save', undoable: true });
    const answer = await undo(owner, row!.seq);
    expect(answer).toMatchObject({ code: 2000, data: { job_id: expect.any(String) } });
  });

  it('undoes nothing in the log of another account', async () => {
    const [owner, partner] = [await server.register(), await server.register()];
    const gwid = await network(owner, 'Lobby');
    const hosted = await server.call(
      '/api/v3/hosting/grant',
      { login: partner.email, permissions: ['network.read'], gwids: [gwid] },
      owner,
    );
    expect(hosted.code).toBe(2000);
    const [granted] = await log(owner);
    expect(granted).toMatchObject({ action: 'hosting.grant', undoable: true });
    expect((await undo(owner, granted!.seq)).code).toBe(2000);
    expect((await log(owner))[0]).toMatchObject({ action: 'hosting.revoke', undoes: granted!.seq });
    const there = await log(partner);
    expect(there.map((row) => [row.action, row.undoes, row.undoable])).toEqual([
      ['hosting.revoke', null, false],
      ['hosting.grant', null, false],
      ['account.register', null, false],
    ]);
  });

  it('does not do to one person what another’s operation did to theirs', async () => {
    const [owner, admin] = [await server.register(), await server.register()];
    await server.db.database.systemPool.query(
      `insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, 'admin')`,
      [owner.accountId, admin.userId, admin.accountId],
    );
    const acting = { ...bySystem(owner.accountId), userId: owner.userId };
    await server.db.database.withSystem((tx) =>
      record(tx, acting, {
        action: 'profile.personalization',
        object: { type: 'person', id: owner.userId, name: owner.email },
        before: { theme: 'light' },
        after: { theme: 'dark' },
        inverse: { path: '/api/v3/personalization/save', input: { theme: 'dark' } },
      }),
    );
    const as = { token: admin.token, account: owner.accountId };
    const [row] = await log(as);
    expect(row).toMatchObject({ action: 'profile.personalization', undoable: false });
    expect((await undo(as, row!.seq)).code).toBe(4116);
    expect((await log(owner))[0]).toMatchObject({ undoable: true });
    expect((await undo(owner, row!.seq)).code).toBe(2000);
  });
});
