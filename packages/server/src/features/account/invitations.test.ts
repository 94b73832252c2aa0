import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeededPerson, seedPerson, signInAgain } from '../../../test/seed-account.ts';
import { newMobile } from '../../../test/seed-personal.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { bindLogin } from '../identity/people.ts';
import { invited } from './invitation-store.ts';
import { inbox, log } from './testing/people.ts';

let server: TestServer;
let owner: Registered;
const clock = new ManualClock();

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object, as: As) => server.call<T>(`/api/v3/account/${path}`, input, as);
const invite = (login: string, as: As = owner, role = 'operator') =>
  call<{ id: string; url: string }>('member/invite', { login, role, gwids: null }, as);
const tokenOf = (url: string) => new URL(url, server.url).pathname.split('/').at(-1)!;
const look = (url: string, as: As) => call('invitation/look', { token: tokenOf(url) }, as);
const greet = (url: string) => server.call('/api/v3/open/invitation', { token: tokenOf(url) });
const accept = (url: string, as: As) => call<{ account_id: string }>('invitation/accept', { token: tokenOf(url) }, as);
const makeGuest = async () => signInAgain(server, await seedPerson(server), clock.now());
const days = (count: number) => count * 86_400_000;

describe('an invitation', () => {
  it('goes out as a letter with a link, and brings exactly that person in', async () => {
    const guest = await seedPerson(server);
    const { data } = await invite(` ${guest.email.toUpperCase()} `);
    expect(data.url).toMatch(/^http:\/\/localhost\/invitation\/[\w-]{43}$/);
    await expect.poll(() => server.outbox(guest.email).length).toBe(1);
    const [message] = server.outbox(guest.email);
    expect(message).toMatchObject({ channel: 'email', template: 'invitation', params: { url: data.url } });
    expect(message!.text).toContain(data.url);
    expect(await inbox(server, guest)).toMatchObject([{ template: 'invitation', params: { inviter: owner.email } }]);
    expect((await greet(data.url)).data).toEqual({
      account_name: owner.email,
      invited_by: owner.email,
      login: guest.email,
    });
    expect((await greet(`${data.url}x`)).code).toBe(4014);
    const other = await seedPerson(server);
    expect((await look(data.url, other)).code).toBe(4014);
    expect((await accept(data.url, other)).code).toBe(4014);
    expect((await look(data.url, guest)).data).toMatchObject({ invited_by: owner.email, role: 'operator' });
    expect((await accept(data.url, guest)).data).toEqual({ account_id: owner.accountId });
    expect((await look(data.url, guest)).code).toBe(4013);
    expect((await greet(data.url)).code).toBe(4013);
    expect((await accept(data.url, guest)).code).toBe(4013);
    const user = await server.get('/api/v3/user', { token: guest.token, account: owner.accountId });
    expect(user.data).toMatchObject({
      account_id: owner.accountId,
      home_account_id: guest.accountId,
      role: 'operator',
    });
    expect((await log(server, owner))[0]).toMatchObject({
      action: 'member.join',
      operator: guest.email,
      hosted: false,
      object: { type: 'member', id: guest.userId },
      after: { role: 'operator', invited_by: owner.email },
    });
    const made = (await log(server, owner)).find(({ action }) => action === 'member.invite');
    expect(made).toMatchObject({ object: { type: 'invitation' }, undoable: false });
    expect((await log(server, guest))[0]).toMatchObject({ action: 'account.join', object: { id: owner.accountId } });
    expect((await inbox(server, owner))[0]).toMatchObject({
      template: 'memberJoined',
      params: { person: guest.email },
    });
  });

  it('is kept in plain nowhere: the inbox opens it by its id, for the invited person only', async () => {
    const [guest, other] = [await server.register(), await server.register()];
    const { data } = await invite(guest.email);
    await expect.poll(() => server.outbox(guest.email).some(({ text }) => text.includes(data.url))).toBe(true);
    const [message] = await inbox(server, guest);
    const link = (message as unknown as { link: string }).link;
    expect(link).toBe(`/invitation/${(data as unknown as { id: string }).id}`);
    const { rows } = await server.db.database.systemPool.query<{ found: boolean }>(
      `select query_to_xml(format('select * from %I.%I', table_schema, table_name), true, true, '')::text like $1 as found
       from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
         and table_name in ('message', 'outbox_message', 'invitation', 'operation_log')`,
      [`%${tokenOf(data.url)}%`],
    );
    expect(rows).toEqual(Array(4).fill({ found: false }));
    expect((await greet(link)).code).toBe(4014);
    expect((await look(link, other)).code).toBe(4014);
    expect((await accept(link, other)).code).toBe(4014);
    expect((await accept(link, guest)).code).toBe(2000);
  });

  it('goes to a mobile as well', async () => {
    const { data } = await invite('13912345678');
    await expect.poll(() => server.outbox('13912345678').length).toBe(1);
    expect(server.outbox('13912345678')[0]).toMatchObject({ channel: 'sms', template: 'invitation' });
    expect(server.outbox('13912345678')[0]!.text).toContain(data.url);
  });

  it('counts toward the five messages a day of a mobile number, from any sender', async () => {
    const mobile = newMobile();
    const codes = [];
    for (let n = 0; n < 6; n += 1) codes.push((await invite(mobile)).code);
    expect(codes).toEqual([2000, 2000, 2000, 2000, 2000, 4012]);
    expect((await server.call('/api/v3/mobile_login/get_sms_code', { mobile })).code).toBe(4012);
  });

  it('is refused next to the field for an invalid login, and for an existing member', async () => {
    expect((await invite('not a login')).errors).toHaveProperty('login');
    expect((await invite(owner.email)).errors).toHaveProperty('login');
    expect((await invite('a@example.com', owner, 'owner')).errors).toHaveProperty('role');
  });

  it('lives seven days', async () => {
    const guest = await seedPerson(server);
    const { data } = await invite(guest.email);
    clock.advance(days(7) - 1000);
    const later = await signInAgain(server, guest, clock.now());
    expect((await look(data.url, later)).code).toBe(2000);
    clock.advance(1000);
    expect((await look(data.url, later)).code).toBe(4014);
    expect((await accept(data.url, later)).code).toBe(4014);
    owner = await signInAgain(server, { ...owner, personId: owner.userId }, clock.now());
    const open = await call<{ list: { id: string }[] }>('invitation/list', {}, owner);
    const [row] = open.data.list.filter(({ id }) => id === data.id);
    expect(row).toMatchObject({ login: guest.email, expired: true });
  });

  it('can be taken back, and is replaced by a newer one', async () => {
    const guest = await makeGuest();
    const [old, fresh] = [await invite(guest.email), await invite(guest.email)];
    expect((await look(old.data.url, guest)).code).toBe(4014);
    expect((await look(fresh.data.url, guest)).code).toBe(2000);
    expect((await call('invitation/revoke', { id: fresh.data.id }, owner)).code).toBe(2000);
    expect((await accept(fresh.data.url, guest)).code).toBe(4014);
    expect((await call('invitation/revoke', { id: fresh.data.id }, owner)).code).toBe(4113);
    expect((await log(server, owner)).slice(0, 2).map((row) => row.action)).toEqual([
      'member.invitation_revoke',
      'member.invite',
    ]);
  });

  it('lets its person register where registration is closed', async () => {
    const waits = (login: string) => server.db.database.withSystem((tx) => invited(tx, login, clock.now()));
    expect(await waits('newcomer@example.com')).toBe(false);
    const { data } = await invite('newcomer@example.com');
    expect(await waits('newcomer@example.com')).toBe(true);
    await call('invitation/revoke', { id: data.id }, owner);
    expect(await waits('newcomer@example.com')).toBe(false);
  });
});

describe('a member without the permission to invite', () => {
  it.each([
    [
      'is given another role',
      (admin: SeededPerson) => call('member/update', { id: admin.userId, role: 'operator', gwids: null }, owner),
    ],
    ['is removed', (admin: SeededPerson) => call('member/remove', { id: admin.userId }, owner)],
    ['leaves', (admin: SeededPerson) => call('leave', { account_id: owner.accountId }, admin)],
  ])('%s: the open invitations end, and the log says so', async (_how, end) => {
    const [admin, guest] = [await makeGuest(), await makeGuest()];
    await accept((await invite(admin.email, owner, 'admin')).data.url, admin);
    const kept = await invite('kept@example.com');
    const made = await invite(guest.email, { token: admin.token, account: owner.accountId }, 'admin');
    expect((await look(made.data.url, guest)).code).toBe(2000);
    expect((await end(admin)).code).toBe(2000);
    expect((await look(made.data.url, guest)).code).toBe(4014);
    expect((await accept(made.data.url, guest)).code).toBe(4014);
    const open = await call<{ list: { id: string }[] }>('invitation/list', { limit: 50 }, owner);
    const ids = open.data.list.map(({ id }) => id);
    expect([ids.includes(made.data.id), ids.includes(kept.data.id)]).toEqual([false, true]);
    expect((await log(server, owner)).slice(0, 2)).toContainEqual(
      expect.objectContaining({
        action: 'member.invitation_revoke',
        object: { type: 'invitation', id: made.data.id, name: guest.email },
      }),
    );
  });

  it('creates no invitation with a call that is already running', async () => {
    const admin = await makeGuest();
    await accept((await invite(admin.email, owner, 'admin')).data.url, admin);
    const as = { token: admin.token, account: owner.accountId };
    const { systemPool } = server.db.database;
    const client = await systemPool.connect();
    // the owner's call locks the membership before the admin's call
    await client.query('begin');
    await client.query("update member set role = 'operator' where account_id = $1 and person_id = $2", [
      owner.accountId,
      admin.userId,
    ]);
    const inviting = invite('late@example.com', as);
    await expect
      .poll(async () => {
        const { rows } = await systemPool.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    await client.query('commit');
    client.release();
    expect(await inviting).toMatchObject({ code: 4101, data: { permission: 'account.write' } });
  });
});

describe('an invitation of a person who joined another way', () => {
  it('is used up and changes nothing', async () => {
    const guest = await makeGuest();
    const mobile = newMobile();
    await server.db.database.withSystem((tx) => bindLogin(tx, guest, 'mobile', mobile));
    const [one, two] = [await invite(guest.email), await invite(mobile, owner, 'admin')];
    expect((await accept(one.data.url, guest)).code).toBe(2000);
    expect((await accept(two.data.url, guest)).code).toBe(4013);
    const user = await server.get('/api/v3/user', { token: guest.token, account: owner.accountId });
    expect(user.data).toMatchObject({ role: 'operator' });
    const joined = (await log(server, owner)).filter(
      ({ action, object }) => action === 'member.join' && object.id === guest.userId,
    );
    expect(joined).toHaveLength(1);
  });
});

describe('leaving', () => {
  it('ends the membership, and both logs say so', async () => {
    const guest = await makeGuest();
    const { data } = await invite(guest.email);
    await accept(data.url, guest);
    expect((await call('leave', { account_id: owner.accountId }, guest)).code).toBe(2000);
    expect((await server.get('/api/v3/user', { token: guest.token, account: owner.accountId })).code).toBe(4113);
    expect((await log(server, owner))[0]).toMatchObject({ action: 'member.leave', operator: guest.email });
    expect((await log(server, guest))[0]).toMatchObject({ action: 'account.leave', object: { id: owner.accountId } });
    expect((await call('leave', { account_id: owner.accountId }, guest)).code).toBe(4113);
  });
});
