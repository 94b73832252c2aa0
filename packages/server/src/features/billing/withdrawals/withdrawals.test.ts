import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../../../../test/endpoints.ts';
import { fund, requestOf } from '../../../../test/seed-withdrawals.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { administrator } from '../../installation/testing/administrator.ts';

let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
});
afterAll(() => server.stop());

const ask = (input: object, as: As) => server.call<{ id: string }>('/api/v3/billing/withdrawal/request', input, as);
const install = <T = unknown>(act: string, input: object, as: As = admin) =>
  server.call<T>(`/api/v3/install/withdrawal/${act}`, input, as);
const terms = async (as: As) =>
  (await server.call<{ balance: string; frozen: string }>('/api/v3/billing/withdrawal/terms', {}, as)).data;
async function funded(fen = 10_000): Promise<Registered> {
  const owner = await server.register();
  await fund(server, owner, fen);
  return owner;
}
const listOf = async (as: As) =>
  (await server.call<{ list: Record<string, unknown>[] }>('/api/v3/billing/withdrawal/list', {}, as)).data.list;

describe('a request', () => {
  it('freezes the amount once for a repeated key', async () => {
    const owner = await funded();
    const input = requestOf('60.00');
    const answers = await Promise.all([ask(input, owner), ask(input, owner), ask(input, owner)]);
    expect(answers.map(({ code }) => code)).toEqual([2000, 2000, 2000]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await terms(owner)).toMatchObject({ balance: '40.00', frozen: '60.00' });
  });

  it('above the balance answers 4107, also when two compete', async () => {
    const owner = await funded();
    expect(await ask(requestOf('100.01'), owner)).toMatchObject({ code: 4107, data: { balance: '100.00' } });
    const both = await Promise.all([ask(requestOf('70.00'), owner), ask(requestOf('70.00'), owner)]);
    expect(both.map(({ code }) => code).sort()).toEqual([2000, 4107]);
    expect(await terms(owner)).toMatchObject({ balance: '30.00', frozen: '70.00' });
  });

  it('names a wrong withdrawal password, and locks after five', async () => {
    const owner = await funded();
    const wrong = { ...requestOf('1.00'), withdrawal_password: '000000' };
    for (const left of [4, 3, 2, 1]) expect(await ask(wrong, owner)).toMatchObject({ code: 4006, data: { left } });
    expect((await ask(wrong, owner)).code).toBe(4009);
    expect((await ask(requestOf('1.00'), owner)).code).toBe(4009);
    expect(await terms(owner)).toMatchObject({ balance: '100.00', frozen: '0.00' });
  });

  it('counts none of ten right withdrawal passwords at once as wrong', async () => {
    const owner = await funded();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(requestOf('1.00'), owner)));
    expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(2000));
    expect(await terms(owner)).toMatchObject({ balance: '90.00', frozen: '10.00' });
  });

  it('without a withdrawal password says so at the field', async () => {
    const owner = await server.register();
    expect(await ask(requestOf('1.00'), owner)).toMatchObject({
      status: 422,
      errors: { withdrawal_password: [expect.stringContaining('withdrawal password')] },
    });
  });

  it.each([
    ['bank_card', '0222021112345678', 'does not begin with 0'],
    ['bank_card', '62220211123456789', '16 or 19 digits'],
    ['id_card', '1101011990030712', '15 or 18 digits'],
    ['amount', '0', 'smallest amount'],
    ['amount', '1.005', 'at most two decimals'],
    ['amount', '10000000000', 'below 10,000,000,000'],
  ])('refuses %s %s at its field', async (field, value, why) => {
    const owner = await funded();
    const answer = await ask({ ...requestOf('1.00'), [field]: value }, owner);
    expect(answer.status).toBe(422);
    expect(answer.errors).toEqual({ [field]: [expect.stringContaining(why)] });
  });

  it('shows cards masked and stores them sealed', async () => {
    const owner = await funded();
    await ask(requestOf('5.00'), owner);
    expect(await listOf(owner)).toMatchObject([
      { amount: '5.00', bank_card: '***************8901', id_card: '**************123X', holder: '张**' },
    ]);
    const { rows } = await server.db.database.systemPool.query<{ row: string }>(
      `select encode(payee, 'escape') || payee_shown::text as row from withdrawal where account_id = $1`,
      [owner.accountId],
    );
    expect(rows[0]!.row).not.toMatch(/62220211|19900307|张三/);
  });
});

describe('a decision', () => {
  it('lists requests, refusals and payments by name, and adds up to what left the balance', async () => {
    const owner = await funded();
    const ids = [];
    for (const amount of ['60.00', '5.00']) ids.push((await ask(requestOf(amount), owner)).data.id);
    expect((await install('approve', { id: ids[0] })).code).toBe(2000);
    expect((await install('pay', { id: ids[0], receipt: 'T1' })).code).toBe(2000);
    expect((await install('refuse', { id: ids[1], reason: 'no' })).code).toBe(2000);
    const { data } = await server.call<{ list: object[] }>(
      '/api/v3/billing/transaction/list',
      { type: 'withdrawal' },
      owner,
    );
    expect(data.list).toMatchObject([
      { title: 'Withdrawal refused', amount: '5.00', balance_after: '40.00' },
      { title: 'Withdrawal paid', amount: '0.00', balance_after: '35.00' },
      { title: 'Withdrawal requested', amount: '-5.00', balance_after: '35.00' },
      { title: 'Withdrawal requested', amount: '-60.00', balance_after: '40.00' },
    ]);
  });

  it('pays, with receipt, journal, log rows and a message', async () => {
    const owner = await funded();
    const { id } = (await ask(requestOf('60.00'), owner)).data;
    const { data: payee } = await install<object>('payee', { id });
    expect(payee).toEqual({ holder: '张三', bank_card: '6222021112345678901', id_card: '11010119900307123X' });
    expect((await install('pay', { id, receipt: 'T1' })).code).toBe(4104);
    expect((await install('approve', { id })).code).toBe(2000);
    expect((await install('pay', { id, receipt: 'T1' })).code).toBe(2000);
    expect((await install('refuse', { id, reason: 'late' })).code).toBe(4104);
    expect(await terms(owner)).toMatchObject({ balance: '40.00', frozen: '0.00' });
    expect(await listOf(owner)).toMatchObject([{ state: 'paid', receipt: 'T1' }]);
    const log = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { limit: 50 }, owner);
    expect(log.data.list.map(({ action }) => action).filter((action) => action.startsWith('withdrawal'))).toEqual([
      'withdrawal.pay',
      'withdrawal.approve',
      'withdrawal.show_payee',
      'withdrawal.request',
    ]);
    const inbox = await server.call<{ list: object[] }>('/api/v3/message/list', { type: 'billing' }, owner);
    expect(inbox.data.list).toMatchObject([
      { template: 'withdrawalPaid', params: { amount: '60.00', fee: '0.00', receipt: 'T1' } },
      { template: 'withdrawalApproved' },
    ]);
  });

  it('refuses with a reason and returns the amount', async () => {
    const owner = await funded();
    const { id } = (await ask(requestOf('60.00'), owner)).data;
    await install('approve', { id });
    expect((await install('refuse', { id, reason: ' ' })).status).toBe(422);
    expect((await install('refuse', { id, reason: 'Card closed' })).code).toBe(2000);
    expect(await terms(owner)).toMatchObject({ balance: '100.00', frozen: '0.00' });
    expect(await listOf(owner)).toMatchObject([{ state: 'refused', reason: 'Card closed' }]);
  });

  it('above the limit needs a second person, and takes the fee of the rule', async () => {
    const owner = await funded(1_000_000);
    const rule = { min_amount: '10.00', fee_rate: 10, min_fee: '2.00', two_persons_above: '5000.00', clearing: 'off' };
    expect((await install('rule/save', rule)).code).toBe(2000);
    expect((await install('rule', {})).data).toEqual({ ...rule, pending: null });
    expect((await ask(requestOf('9.99'), owner)).errors).toHaveProperty('amount');
    const { id } = (await ask(requestOf('6000.00'), owner)).data;
    await install('approve', { id });
    const payable = async (as: As = admin) => {
      const { data } = await install<{ list: { id: string; approved_at: string }[] }>('list', {}, as);
      return data.list.find((row) => row.id === id)!;
    };
    const alone = await payable();
    const from = new Date(Date.parse(alone.approved_at) + 72 * 3_600_000);
    expect(alone).toMatchObject({
      may_pay: false,
      two_persons_above: '5000.00',
      stand_in_at: from.toISOString(),
    });
    expect(await install('pay', { id, receipt: 'T2' })).toMatchObject({
      code: 4121,
      message: expect.stringMatching(/only administrator .* CNY 5000.00 from 20\d\d-\d\d-\d\d /),
    });
    const second = await server.register();
    await administer(server, second.userId);
    expect(await payable()).toMatchObject({ may_pay: false, two_persons_above: '5000.00', stand_in_at: null });
    expect(await payable(second)).toMatchObject({ may_pay: true, two_persons_above: null, stand_in_at: null });
    expect(await install('pay', { id, receipt: 'T2' })).toMatchObject({
      code: 4121,
      message: expect.stringContaining('another administrator has to pay it'),
    });
    expect((await install('pay', { id, receipt: 'T2' }, second)).code).toBe(2000);
    expect(await listOf(owner)).toMatchObject([{ amount: '6000.00', fee: '6.00', state: 'paid' }]);
    const { rows } = await server.db.database.systemPool.query(
      `select ledger, sum(fen) as fen from ledger_entry where account_id = $1 group by ledger order by ledger`,
      [owner.accountId],
    );
    expect(rows.map(({ ledger, fen }) => [ledger, Number(fen)])).toEqual([
      ['balance', 400_000],
      ['expense', 600],
      ['external', -400_600],
      ['frozen', 0],
    ]);
  });

  it('lists withdrawals of all accounts to the administrator only', async () => {
    const owner = await funded();
    await ask({ ...requestOf('20.00'), key: randomUUID() }, owner);
    const { data } = await install<{ list: { state: string; account: string }[] }>('list', { state: 'requested' });
    expect(data.list[0]).toMatchObject({ state: 'requested', account: expect.any(String) });
    expect((await install('list', {}, owner)).code).toBe(4101);
  });
});
