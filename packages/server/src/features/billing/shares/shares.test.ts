import type { billingShares as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loginOf, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { post } from '../service.ts';

const day = 86_400_000;
let clock: ManualClock;
let server: TestServer;
let [owner, host]: Registered[] = [];
let gwid: string;
let hosting_id: string;
beforeAll(async () => {
  clock = new ManualClock(new Date('2026-10-10T04:00:00Z'));
  server = await startTestServer({ clock });
});
async function arrive() {
  [owner, host] = [await server.register(), await server.register()];
  gwid = (await call<{ gwid: string }>('network/create', { remark: 'Lobby' })).gwid;
  const hosting = { login: host!.email, permissions: ['network.read'], gwids: [gwid] };
  hosting_id = (await call<{ id: string }>('hosting/grant', hosting)).id;
}
beforeEach(arrive);
afterAll(() => server.stop());

async function call<T>(path: string, input: object = {}, as = owner!): Promise<T> {
  const answer = await server.call<T>(`/api/v3/${path}`, input, as);
  if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${JSON.stringify(answer.errors)}`);
  return answer.data;
}
const share = (percent: number) => call('billing/share/grant', { gwid, hosting_id, percent });
const settlements = async (as = owner!) =>
  (await call<DataOf<typeof contract.settlements>>('billing/share/settlement/list', {}, as)).list;
const balance = async (as: Registered) => (await call<{ balance: string }>('billing/balance', {}, as)).balance;

const book = (ledger: 'balance' | 'cash', fen: number, against: 'income' | 'expense' = 'income') =>
  server.db.database.withSystem((tx) =>
    post(tx, {
      accountId: owner!.accountId,
      key: newId(),
      kind: 'portal_package',
      at: clock.now(),
      gwid,
      entries: [
        { ledger, fen },
        { ledger: against, fen: -fen },
      ],
    }),
  );
const settle = () => server.db.database.withSystem((tx) => enqueue(tx, 'billing-shares', {}));

async function nextMonth(): Promise<void> {
  clock.advance(31 * day);
  for (const person of [owner!, host!]) {
    const { token } = await server.call('/api/v3/login', loginOf(person));
    person.token = token!;
  }
  await settle();
}

it('pays the host its share of an ended month once, with journal lines on both sides', async () => {
  await Promise.all([share(20), share(20)]);
  await book('balance', 1005);
  await book('balance', -5);
  await nextMonth();
  await expect.poll(() => settlements()).toHaveLength(1);
  const [paid] = await settlements();
  expect(paid).toMatchObject({ side: 'paid', network: 'Lobby', income: '10.00', percent: 20, amount: '2.00' });
  const [received] = await settlements(host);
  expect(received).toMatchObject({ side: 'received', network: 'Lobby', month: paid!.month, amount: '2.00' });
  expect([await balance(owner!), await balance(host!)]).toEqual(['8.00', '2.00']);
  const { rows } = await server.db.database.systemPool.query(
    'select ledger, fen::int from ledger_entry where transaction_id = any($1) order by ledger, fen',
    [[paid!.transaction_id, received!.transaction_id]],
  );
  expect(rows).toEqual([
    { ledger: 'balance', fen: -200 },
    { ledger: 'balance', fen: 200 },
    { ledger: 'expense', fen: 200 },
    { ledger: 'income', fen: -200 },
  ]);
  await Promise.all([settle(), settle()]);
  await nextMonth();
  await expect.poll(() => settlements()).toHaveLength(2);
  expect((await settlements())[0]).toMatchObject({ amount: '0.00', transaction_id: null });
  expect(await balance(host!)).toBe('2.00');
});

it('waits for the balance', async () => {
  await share(50);
  await book('cash', 1000);
  await nextMonth();
  await book('balance', 700, 'expense');
  await settle();
  await expect.poll(() => settlements()).toMatchObject([{ income: '10.00', amount: '5.00' }]);
  expect(await balance(owner!)).toBe('2.00');
});

const later = () => clock.advance(1000);

const openTerms = async () =>
  (
    await server.db.database.systemPool.query(
      'select 1 from billing_share_term where account_id = $1 and not settled',
      [owner!.accountId],
    )
  ).rowCount;

it('pays what held when a share was changed and ended', async () => {
  await share(50);
  await book('balance', 1000);
  later();
  await share(20);
  await book('balance', 1000);
  later();
  await call('billing/share/grant', { gwid, percent: 0 });
  expect((await call<{ total: number }>('billing/share/list')).total).toBe(0);
  await book('balance', 1000);
  await nextMonth();
  await expect.poll(async () => (await settlements()).map(({ amount }) => amount).toSorted()).toEqual(['2.00', '5.00']);
  await expect.poll(() => openTerms()).toBe(0);
  await settle();
  expect(await settlements()).toHaveLength(2);
});

it('pays a share that was ended after its month', async () => {
  await share(50);
  await book('balance', 1000);
  clock.advance(31 * day);
  owner!.token = (await server.call('/api/v3/login', loginOf(owner!))).token!;
  await call('billing/share/grant', { gwid, percent: 0 });
  await settle();
  await expect.poll(() => settlements()).toMatchObject([{ amount: '5.00' }]);
});

it('pays until the hosting ends, and no longer', async () => {
  await share(50);
  await book('balance', 1000);
  later();
  const list = () => call<DataOf<typeof contract.list>>('billing/share/list');
  expect((await list()).list).toMatchObject([{ network: 'Lobby', percent: 50, hosted: true }]);
  expect(await call('billing/share/list', { page: 2, limit: 1 })).toMatchObject({ list: [], total: 1 });
  await call('hosting/revoke', { id: hosting_id });
  expect((await list()).list).toMatchObject([{ hosted: false }]);
  await book('balance', 1000);
  await nextMonth();
  await expect.poll(() => settlements()).toMatchObject([{ income: '10.00', amount: '5.00' }]);
  expect((await list()).total).toBe(0);
});

it('ends the share of a network that leaves the hosting', async () => {
  await share(50);
  await book('balance', 1000);
  later();
  const other = await call<{ gwid: string }>('network/create', { remark: 'Own' });
  await call('hosting/grant', { login: host!.email, permissions: ['network.read'], gwids: [other.gwid] });
  await settle();
  await expect.poll(async () => (await call<{ total: number }>('billing/share/list')).total).toBe(0);
  await book('balance', 1000);
  await nextMonth();
  await expect.poll(() => settlements()).toMatchObject([{ amount: '5.00' }]);
});

it('takes a refund of a later month back from the host', async () => {
  await share(50);
  await book('balance', 1000);
  await nextMonth();
  await expect.poll(() => settlements()).toMatchObject([{ amount: '5.00' }]);
  await book('balance', -401);
  await nextMonth();
  await expect.poll(() => settlements()).toMatchObject([{ income: '-4.01', amount: '-2.00' }, { amount: '5.00' }]);
  expect((await settlements(host))[0]).toMatchObject({ side: 'received', amount: '-2.00' });
  expect([await balance(owner!), await balance(host!)]).toEqual(['2.99', '3.00']);
});

it('logs what held before, also of changes at once', async () => {
  await Promise.all([share(20), share(30), share(40)]);
  interface Line {
    action: string;
    before: { percent: number };
    after: { percent: number };
  }
  const { list } = await call<{ list: Line[] }>('log/action/list', { limit: 10 });
  const lines = list.filter(({ action }) => action === 'share.save');
  const befores = lines.map(({ before }) => before.percent);
  expect(new Set(befores).size).toBe(3);
  expect(befores).toContain(0);
});

it('is set for a hosted network only', async () => {
  const other = await call<{ gwid: string }>('network/create', { remark: 'Own' });
  const input = { gwid: other.gwid, hosting_id, percent: 10 };
  expect(await server.call('/api/v3/billing/share/grant', input, owner)).toMatchObject({
    errors: { hosting_id: [expect.any(String)] },
  });
});

it('settles the others when one cannot be settled', async () => {
  await share(50);
  await book('balance', 1000);
  await server.db.database.systemPool.query(
    `insert into billing_share_settlement (account_id, id, side, other_id, term_id, network_id, network, month, income_fen,
       percent, fen, at)
     select $1, $2, 'received', $1, id, $3, 'Lobby', to_char($4::timestamptz at time zone 'Asia/Shanghai', 'YYYY-MM'),
       0, 1, 0, $4 from billing_share_term where gwid = $3`,
    [host!.accountId, newId(), gwid, clock.now()],
  );
  const stuck = owner!;
  await arrive();
  await share(50);
  await book('balance', 1000);
  await nextMonth();
  await expect.poll(() => settlements()).toMatchObject([{ amount: '5.00' }]);
  const { token } = await server.call('/api/v3/login', loginOf(stuck));
  expect(await balance({ ...stuck, token: token! })).toBe('10.00');
});
