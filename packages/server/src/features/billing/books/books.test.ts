import type { billingBooks as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAgain } from '../../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { type Entry, post } from '../service.ts';

type Trial = DataOf<typeof contract.trialBalance>;
type Journal = DataOf<typeof contract.journal>;

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
let server: TestServer;
let owner: Registered;

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/billing/books/${path}`, input, owner);
const trial = async (month: string) => (await call<Trial>('trial_balance', { month })).data;
const journal = async (month: string, more: object = {}) =>
  (await call<Journal>('journal', { month, order: 'asc', ...more })).data;

const book = (key: string, at: string, entries: Entry[]) =>
  server.db.database.withSystem((tx) =>
    post(tx, { accountId: owner.accountId, key, kind: 'recharge', at: new Date(at), gwid: null, entries }),
  );
const moved = (fen: number): Entry[] => [
  { ledger: 'balance', fen },
  { ledger: 'external', fen: -fen },
];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  await book('september', '2026-09-15T00:00:00Z', moved(1000));
  // in Shanghai already October
  await book('october', '2026-09-30T16:30:00Z', moved(500));
  await book('spent', '2026-10-20T00:00:00Z', [
    { ledger: 'expense', fen: 300 },
    { ledger: 'balance', fen: -300 },
  ]);
  await book('november', '2026-11-02T00:00:00Z', moved(70));
});
afterAll(() => server.stop());

it('balances each month of the account’s time zone, opening where the one before closed', async () => {
  const october = await trial('2026-10');
  expect(october).toMatchObject({ from: '2026-09-30T16:00:00.000Z', first_month: '2026-09', closed: null });
  expect(october.list).toEqual([
    { currency: 'CNY', ledger: 'balance', opening: '10.00', debit: '5.00', credit: '3.00', closing: '12.00' },
    { currency: 'CNY', ledger: 'expense', opening: '0.00', debit: '3.00', credit: '0.00', closing: '3.00' },
    { currency: 'CNY', ledger: 'external', opening: '-10.00', debit: '0.00', credit: '5.00', closing: '-15.00' },
  ]);
  expect(october.sums).toEqual([{ currency: 'CNY', opening: '0.00', debit: '8.00', credit: '8.00', closing: '0.00' }]);
  const november = await trial('2026-11');
  expect(november.list.map(({ opening }) => opening)).toEqual(october.list.map(({ closing }) => closing));
});

it('lists the lines that a figure adds up, under ids of their own', async () => {
  const all = await journal('2026-10');
  expect(all.list.map(({ ledger, debit, credit }) => [ledger, debit, credit])).toEqual([
    ['balance', '5.00', null],
    ['external', null, '5.00'],
    ['expense', '3.00', null],
    ['balance', null, '3.00'],
  ]);
  expect(all.total).toBe(4);
  expect(new Set(all.list.map(({ id }) => id)).size).toBe(4);
  expect((await journal('2026-10', { page: 2, limit: 3 })).list).toEqual(all.list.slice(3));
  const byCredit = await journal('2026-10', { sort: 'credit', order: 'desc' });
  expect(byCredit.list.map(({ credit }) => credit)).toEqual(['5.00', '3.00', null, null]);
  expect((await journal('2026-10', { ledger: 'balance' })).list).toEqual([all.list[0], all.list[3]]);
});

it('closes a month that is over, for good: nothing enters it or an earlier one', async () => {
  const before = await journal('2026-10');
  expect(await call('close', { month: '2026-11' })).toMatchObject({ errors: { month: [expect.any(String)] } });
  expect(await trial('2026-11')).toMatchObject({ closable: false });
  expect(await trial('2026-10')).toMatchObject({ closable: true });
  expect(await call('close', { month: '2026-10' })).toMatchObject({ code: 2000 });
  expect(await trial('2026-10')).toMatchObject({ closable: false, closed: { at: clock.now().toISOString() } });
  expect(await trial('2026-09')).toMatchObject({ closable: false, closed: null });
  for (const month of ['2026-10', '2026-09']) expect(await call('close', { month })).toMatchObject({ code: 4104 });
  for (const at of ['2026-10-31T15:59:59Z', '2026-08-01T00:00:00Z'])
    await expect(book(`late ${at}`, at, moved(1))).rejects.toThrow('closed');
  await book('on time', '2026-10-31T16:00:00Z', moved(1));
  await expect(
    server.db.database.systemPool.query('delete from ledger_month where account_id = $1', [owner.accountId]),
  ).rejects.toThrow('permission denied');
  const log = await server.call<{ list: object[] }>('/api/v3/log/action/list', {}, owner);
  expect(log.data.list[0]).toMatchObject({ action: 'books.close' });
  expect(await journal('2026-10')).toEqual(before);
});

it('keeps a closed month as it was when the time zone changes, and leaves no gap behind it', async () => {
  const before = await trial('2026-10');
  await server.call('/api/v3/account/update', { time_zone: 'America/New_York' }, owner);
  expect(await trial('2026-11')).toMatchObject({ from: before.to, to: '2026-12-01T05:00:00.000Z' });
  expect(await trial('2026-10')).toEqual(before);
});

it('names the months by the account’s time zone', async () => {
  clock.advance(new Date('2026-12-01T04:00:00Z').getTime() - clock.now().getTime());
  const months = async (as: As) => {
    const { data } = await server.call<Trial>('/api/v3/billing/books/trial_balance', {}, as);
    return [data.month, data.current_month];
  };
  // New York, and Shanghai
  expect(await months(await signInAgain(server, { ...owner, personId: owner.userId }, clock.now()))).toEqual([
    '2026-10',
    '2026-11',
  ]);
  const another = await server.register();
  expect(await months(another)).toEqual(['2026-11', '2026-12']);
  // nothing was booked before this month
  await server.db.database.withSystem((tx) =>
    post(tx, {
      accountId: another.accountId,
      key: 'first',
      kind: 'recharge',
      at: clock.now(),
      gwid: null,
      entries: moved(70),
    }),
  );
  expect(await months(another)).toEqual(['2026-12', '2026-12']);
});
