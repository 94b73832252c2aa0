import type { billingExports as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAgain } from '../../../../test/seed-account.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { readSpreadsheet } from '../../../platform/spreadsheet.ts';
import { type Booking, type Entry, post } from '../service.ts';

type Codes = DataOf<typeof contract.accounts>;
type Sums = DataOf<typeof contract.vouchers>;

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
let server: TestServer;
let owner: Registered;

const call = <T>(path: string, input: object = {}) => server.call<T>(`/api/v3/billing/${path}`, input, owner);
const sums = async (month: string) => (await call<Sums>('voucher/get', { month })).data;
const per = async (of: Codes['per']) =>
  call('account_code/save', { ...(await call<Codes>('account_code/get')).data, per: of });
const moveTo = (time_zone: string) => server.call('/api/v3/account/update', { time_zone }, owner);

const moved = (fen: number): Entry[] => [
  { ledger: 'recharged', fen },
  { ledger: 'external', fen: -fen },
];
const book = (key: string, at: string, fen: number, more: Partial<Booking> = {}) =>
  server.db.database.withSystem((tx) =>
    post(tx, {
      accountId: owner.accountId,
      key,
      kind: 'recharge',
      at: new Date(at),
      gwid: null,
      entries: moved(fen),
      ...more,
    }),
  );

async function rowsOf(month: string): Promise<{ name: string; rows: string[] }> {
  const { data } = await call<{ url: string }>('voucher/export', { month, layout: 'plain', format: 'xlsx' });
  const answer = await fetch(server.url + data.url);
  const name = answer.headers.get('content-disposition')!.match(/filename="(.+)"/)![1]!;
  const [, ...rows] = await readSpreadsheet(Buffer.from(await answer.arrayBuffer()));
  return { name, rows: rows.map(([day, number, state]) => `${day} ${number} ${state}`) };
}

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  await moveTo('Asia/Shanghai');
  // in Shanghai the first half hour of October, and of its second day
  await book('first', '2026-09-30T16:30:00Z', 1000);
  await book('second', '2026-10-01T16:30:00Z', 250);
  await book('third', '2026-10-01T20:00:00Z', 50);
  await book('play', '2026-10-01T21:00:00Z', 7, { currency: 'XTS' });
  await book('last', '2026-10-31T15:59:00Z', 120, { kind: 'balance_split' });
});
afterAll(() => server.stop());

it('puts one booking into a voucher, or those of a kind in a day, as the account has it', async () => {
  expect(await sums('2026-10')).toEqual({ vouchers: 3, debit: '14.20', final: false });
  await per('booking');
  expect(await sums('2026-10')).toEqual({ vouchers: 4, debit: '14.20', final: false });
});

it('says in the file that its numbers are provisional, until the month is closed', async () => {
  const before = await rowsOf('2026-10');
  expect(before.name).toBe('vouchers-plain-2026-10-provisional.xlsx');
  expect(before.rows[0]).toBe('2026-10-01 1 Provisional');
  await call('books/close', { month: '2026-10' });
  const { name, rows } = await rowsOf('2026-10');
  expect(name).toBe('vouchers-plain-2026-10.xlsx');
  expect([...new Set(rows)]).toEqual([
    '2026-10-01 1 Final',
    '2026-10-02 2 Final',
    '2026-10-02 3 Final',
    '2026-10-31 4 Final',
  ]);
});

it('keeps numbers and days of a closed month when the setting or the time zone changes', async () => {
  const before = await rowsOf('2026-10');
  await per('day');
  await moveTo('America/New_York');
  // begins where October ended, still on its last day there
  await book('later', '2026-10-31T16:30:00Z', 9);
  expect(await rowsOf('2026-10')).toEqual(before);
  expect((await rowsOf('2026-11')).rows[0]).toBe('2026-11-01 1 Provisional');
  await moveTo('Asia/Shanghai');
});

it('numbers the months that are closed with a later one', async () => {
  await book('december', '2026-12-02T00:00:00Z', 4);
  clock.advance(new Date('2027-01-02T00:00:00Z').getTime() - clock.now().getTime());
  owner.token = (await signInAgain(server, { ...owner, personId: owner.userId }, clock.now())).token;
  await call('books/close', { month: '2026-12' });
  for (const month of ['2026-11', '2026-12']) expect(await sums(month), month).toMatchObject({ final: true });
});

it('numbers a month that was closed before at its first export', async () => {
  await server.db.database.systemPool.query("delete from billing_voucher where month = '2026-12'");
  expect(await sums('2026-12')).toMatchObject({ vouchers: 1, final: false });
  expect((await rowsOf('2026-12')).rows[0]).toBe('2026-12-02 1 Final');
  expect(await sums('2026-12')).toMatchObject({ vouchers: 1, final: true });
});
