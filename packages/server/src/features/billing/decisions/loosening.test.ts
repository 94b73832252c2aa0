import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../../../../test/endpoints.ts';
import { seedPerson } from '../../../../test/seed-account.ts';
import { paidRecharge } from '../../../../test/seed-invoices.ts';
import { fund, requestOf, setTwoPersons } from '../../../../test/seed-withdrawals.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { addMember } from '../../identity/rights.ts';
import { administrator } from '../../installation/testing/administrator.ts';

let server: TestServer;
let admin: Registered;
let other: Registered;

beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
  other = await server.register();
});
beforeEach(async () => {
  await administer(server, other.userId);
  await server.db.database.systemPool.query(`delete from installation where key = 'withdrawals_loosening'`);
  await setTwoPersons(server, 2000);
});
afterAll(() => server.stop());

const install = <T = { waiting: boolean }>(act: string, input: object, as: As = admin) =>
  server.call<T>(`/api/v3/install/${act}`, input, as);
const limitTo = (two_persons_above: string | null, as: As = admin) =>
  install('withdrawal/rule/save', { two_persons_above }, as);
interface Rule {
  two_persons_above: string | null;
  pending: { two_persons_above: string | null; mine: boolean; stand_in_at: string | null } | null;
}
const rule = async (as: As = admin) => (await install<Rule>('withdrawal/rule', {}, as)).data;
const billing = <T>(path: string, input: object, as: As) => server.call<T>(`/api/v3/billing/${path}`, input, as);
interface Waiting {
  id: string;
  kind: string;
  may_confirm: boolean;
}
const waiting = async (as: As) => (await billing<{ list: Waiting[] }>('decision/list', {}, as)).data.list;
const confirm = (id: string, as: As) => billing('decision/confirm', { id }, as);
const account = <T = { waiting: boolean }>(path: string, input: object, as: As) =>
  server.call<T>(`/api/v3/account/${path}`, input, as);
const refund = (order_no: string, as: As) =>
  billing<{ waiting: boolean }>('order/refund', { order_no, amount: '30', reason: 'too much', key: newId() }, as);
const members = async (as: As) => (await account<{ total: number }>('member/list', {}, as)).data.total;
const templates = async (as: As) =>
  (await server.call<{ list: { template: string }[] }>('/api/v3/message/list', { limit: 50 }, as)).data.list.map(
    ({ template }) => template,
  );
const actions = async (as: As) =>
  (await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { limit: 50 }, as)).data.list.map(
    ({ action }) => action,
  );
const threeDaysLater = (statement: string) => server.db.database.systemPool.query(statement);

async function shop(role: 'admin' | 'billing' = 'admin') {
  const owner = await server.register();
  const join = async () => {
    const person = await seedPerson(server);
    await server.db.database.withSystem((tx) =>
      addMember(tx, owner.accountId, person, { role, role_id: null, gwids: null }, new Date()),
    );
    return { id: person.personId, as: { token: person.token, account: owner.accountId } satisfies As };
  };
  return { owner, second: await join(), join, order: await paidRecharge(server, owner, '50') };
}

describe('the limit', () => {
  it('is loosened by two administrators, and tightened by one at once', async () => {
    for (const looser of ['30.00', null]) {
      expect((await limitTo(looser)).data).toEqual({ waiting: true });
      expect(await rule()).toMatchObject({
        two_persons_above: '20.00',
        pending: { two_persons_above: looser, mine: true, stand_in_at: null },
      });
      expect(await install('withdrawal/rule/confirm', {})).toMatchObject({
        code: 4121,
        message: 'You asked for the looser limit. Another administrator has to confirm it',
      });
    }
    expect(await templates(other)).toContain('limitAsked');
    const { owner, order } = await shop();
    expect((await refund(order, owner)).data).toEqual({ waiting: true });
    expect((await install('withdrawal/rule/confirm', {}, other)).code).toBe(2000);
    expect((await install('withdrawal/rule/confirm', {}, other)).code).toBe(4104);
    expect(await rule()).toMatchObject({ two_persons_above: null, pending: null });
    expect((await limitTo('5.00')).data).toEqual({ waiting: false });
    expect(await rule()).toMatchObject({ two_persons_above: '5.00', pending: null });
    expect(await actions(admin)).toContain('installation.ask_two_persons_limit');
  });

  it('stays when the other administrator refuses, and when a stricter one replaces the request', async () => {
    await limitTo(null);
    expect((await install('withdrawal/rule/refuse', {}, other)).code).toBe(2000);
    expect((await templates(admin))[0]).toBe('limitLooseningEnded');
    expect(await rule()).toMatchObject({ two_persons_above: '20.00', pending: null });
    await limitTo('50.00');
    expect((await limitTo('10.00')).data).toEqual({ waiting: false });
    expect((await templates(other))[0]).toBe('limitLooseningEnded');
    expect((await install('withdrawal/rule/confirm', {}, other)).code).toBe(4104);
  });

  it('holds for withdrawals that were requested under it', async () => {
    const owner = await server.register();
    await fund(server, owner, 100_000);
    const request = async () =>
      (await billing<{ id: string }>('withdrawal/request', requestOf('50.00'), owner)).data.id;
    const pay = async (id: string) => {
      await install('withdrawal/approve', { id });
      return (await install('withdrawal/pay', { id, receipt: 'T' })).code;
    };
    const early = await request();
    await limitTo(null);
    await install('withdrawal/rule/confirm', {}, other);
    expect(await pay(early)).toBe(4121);
    const later = await request();
    expect(await pay(later)).toBe(2000);
    const strict = await request();
    await limitTo('20.00');
    expect(await pay(strict)).toBe(4121);
  });

  it('waits 72 hours for the only administrator, who tells all accounts', async () => {
    const owner = await server.register();
    await fund(server, owner, 100_000);
    await administer(server, other.userId, false);
    await limitTo(null);
    expect((await rule()).pending?.stand_in_at).not.toBeNull();
    expect(await templates(owner)).toContain('limitLoosening');
    expect(await install('withdrawal/rule/confirm', {})).toMatchObject({
      code: 4121,
      message: expect.stringMatching(/only administrator .* from 20\d\d-\d\d-\d\d /),
    });
    const { id } = (await billing<{ id: string }>('withdrawal/request', requestOf('50.00'), owner)).data;
    await install('withdrawal/approve', { id });
    expect((await install('withdrawal/pay', { id, receipt: 'T' })).code).toBe(4121);
    await threeDaysLater(
      `update installation set value = jsonb_set(value, '{askedAt}', to_jsonb((now() - interval '72 hours')::text))
       where key = 'withdrawals_loosening'`,
    );
    expect((await install('withdrawal/rule/confirm', {})).code).toBe(2000);
    expect(await rule()).toMatchObject({ two_persons_above: null });
    expect(await templates(owner)).toContain('limitLoosened');
    const payable = async () =>
      (await install<{ list: { id: string; may_pay: boolean }[] }>('withdrawal/list', {})).data.list.find(
        (row) => row.id === id,
      )!.may_pay;
    expect(await payable()).toBe(false);
    await threeDaysLater(`update withdrawal set approved_at = approved_at - interval '72 hours' where id = '${id}'`);
    expect(await payable()).toBe(true);
    expect((await install('withdrawal/pay', { id, receipt: 'T' })).code).toBe(2000);
    expect(await templates(owner)).toContain('twoPersonsStoodIn');
  });

  it('stays for all accounts that the only administrator had announced a looser one to', async () => {
    const owner = await server.register();
    await administer(server, other.userId, false);
    await limitTo(null);
    await limitTo('10.00');
    expect(await templates(owner)).toEqual(['limitLooseningEnded', 'limitLoosening']);
  });
});

describe('a change that leaves fewer than two who decide', () => {
  it('removes a member only when another confirms it', async () => {
    const { owner, second } = await shop();
    expect((await account('member/remove', { id: second.id }, owner)).data).toEqual({ waiting: true });
    expect(await members(owner)).toBe(2);
    expect(await templates(second.as)).toContain('twoPersonsAsked');
    const [{ id, kind }] = (await waiting(owner)) as [Waiting];
    expect(kind).toBe('member_remove');
    expect(await confirm(id, owner)).toMatchObject({
      code: 4121,
      message: expect.stringContaining('You requested this change'),
    });
    expect((await billing('decision/refuse', { id, reason: 'staying' }, second.as)).code).toBe(2000);
    expect((await account('member/remove', { id: second.id }, owner)).data).toEqual({ waiting: true });
    const [again] = (await waiting(owner)) as [Waiting];
    expect((await confirm(again.id, second.as)).code).toBe(2000);
    expect(await members(owner)).toBe(1);
    const log = await actions(owner);
    for (const action of ['member.remove_request', 'member.remove_refuse', 'member.remove'])
      expect(log).toContain(action);
  });

  it.each([
    ['another role', { role: 'auditor' }],
    ['some networks only', { role: 'operator', gwids: [] }],
  ])('waits for %s of a member too', async (_what, change) => {
    const { owner, second } = await shop();
    const gwids = 'gwids' in change ? [(await network(owner)).gwid] : undefined;
    const input = { id: second.id, ...change, ...(gwids && { gwids }) };
    expect((await account('member/update', input, owner)).data).toEqual({ waiting: true });
    const [{ id, kind }] = (await waiting(second.as)) as [Waiting];
    expect(kind).toBe('member_update');
    expect((await confirm(id, second.as)).code).toBe(2000);
    expect((await waiting(owner)).length).toBe(0);
    expect((await billing('decision/list', {}, second.as)).code).toBe(change.role === 'auditor' ? 2000 : 4101);
  });

  it('waits for the permissions of a role too', async () => {
    const { owner, second } = await shop();
    const permissions = ['network.read', 'billing.read', 'billing.write'];
    const { id: role_id } = (await account<{ id: string }>('role/create', { name: 'Money', permissions }, owner)).data;
    expect((await account('member/update', { id: second.id, role: 'custom', role_id }, owner)).data).toEqual({
      waiting: false,
    });
    const narrower = { id: role_id, permissions: ['network.read', 'billing.read'] };
    expect((await account('role/update', narrower, owner)).data).toEqual({ waiting: true });
    const [{ id }] = (await waiting(second.as)) as [Waiting];
    expect((await confirm(id, second.as)).code).toBe(2000);
    expect((await refund('x', second.as)).code).toBe(4101);
  });

  it('ends with the member whom it concerns', async () => {
    const { owner, second } = await shop();
    await account('member/remove', { id: second.id }, owner);
    expect(await account('member/remove', { id: second.id }, owner)).toMatchObject({
      code: 4104,
      message: 'This change waits for a second person already',
    });
    expect(await waiting(owner)).toHaveLength(1);
    expect((await account('leave', { account_id: owner.accountId }, { token: second.as.token })).code).toBe(2000);
    expect(await waiting(owner)).toEqual([]);
    const removed = await shop();
    await account('member/update', { id: removed.second.id, role: 'auditor' }, removed.owner);
    expect(await waiting(removed.owner)).toHaveLength(1);
    await removed.join();
    expect((await account('member/remove', { id: removed.second.id }, removed.owner)).data).toEqual({ waiting: false });
    expect(await waiting(removed.owner)).toEqual([]);
  });

  it('ends with the role that it concerns', async () => {
    const { owner, second } = await shop();
    const permissions = ['network.read', 'billing.read', 'billing.write'];
    const { id: role_id } = (await account<{ id: string }>('role/create', { name: 'Money', permissions }, owner)).data;
    await account('member/update', { id: second.id, role: 'custom', role_id }, owner);
    const narrower = { id: role_id, permissions: ['network.read', 'billing.read'] };
    expect((await account('role/update', narrower, owner)).data).toEqual({ waiting: true });
    expect((await account('leave', { account_id: owner.accountId }, { token: second.as.token })).code).toBe(2000);
    expect(await waiting(owner)).toHaveLength(1);
    expect((await account('role/delete', { id: role_id }, owner)).code).toBe(2000);
    expect(await waiting(owner)).toEqual([]);
  });

  it('is at once while two others are left, one by one, and without a limit', async () => {
    const { owner, second, join } = await shop();
    const [third, fourth] = [await join(), await join()];
    const remove = (id: string) => account('member/remove', { id }, owner);
    const both = await Promise.all([remove(third.id), remove(fourth.id), remove(second.id)]);
    expect(both.map(({ data }) => data.waiting).toSorted()).toEqual([false, false, true]);
    await setTwoPersons(server, null);
    const free = await shop();
    expect((await account('member/remove', { id: free.second.id }, free.owner)).data).toEqual({ waiting: false });
  });
});

describe('where the second person has left', () => {
  const orphans = async () =>
    (await install<{ list: { id: string; account: string }[] }>('decision/list', {})).data.list.map(({ id }) => id);

  it('the administrator stands in after 72 hours, and all of the account learn of it', async () => {
    const { owner, second, join, order } = await shop();
    expect((await refund(order, owner)).data).toEqual({ waiting: true });
    const [{ id }] = (await waiting(owner)) as [Waiting];
    expect(await orphans()).not.toContain(id);
    expect(await install('decision/confirm', { id })).toMatchObject({
      code: 4121,
      message: expect.stringContaining('A member of the account can still confirm this'),
    });
    expect((await account('leave', { account_id: owner.accountId }, { token: second.as.token })).code).toBe(2000);
    // who joins later could not decide then
    const late = await join();
    expect((await waiting(late.as))[0]).toMatchObject({ id, may_confirm: false });
    expect(await confirm(id, late.as)).toMatchObject({
      code: 4121,
      message: expect.stringContaining('You could not decide on money when this was requested'),
    });
    expect(await orphans()).toContain(id);
    expect(await install('decision/confirm', { id })).toMatchObject({
      code: 4121,
      message: expect.stringMatching(/in place of a second person from 20\d\d-\d\d-\d\d /),
    });
    await threeDaysLater(`update money_decision set asked_at = asked_at - interval '72 hours' where id = '${id}'`);
    expect((await install('decision/confirm', { id }, owner)).code).toBe(4101);
    expect((await install('decision/confirm', { id })).code).toBe(2000);
    expect((await install('decision/confirm', { id })).code).not.toBe(2000);
    expect((await billing<{ balance: string }>('balance', {}, owner)).data.balance).toBe('20.00');
    expect(await templates(late.as)).toContain('twoPersonsStoodIn');
    for (const side of [owner, admin]) expect(await actions(side)).toContain('order.refund_stand_in');
  });

  it('the administrator removes a member who does not answer', async () => {
    const { owner, second } = await shop();
    await account('member/remove', { id: second.id }, owner);
    const [{ id }] = (await waiting(owner)) as [Waiting];
    await threeDaysLater(`update money_decision set asked_at = asked_at - interval '72 hours' where id = '${id}'`);
    expect((await install('decision/confirm', { id })).code).toBe(2000);
    expect(await members(owner)).toBe(1);
  });
});

async function network(owner: Registered) {
  return (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }, owner)).data;
}
