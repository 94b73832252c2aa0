import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, it, vi } from 'vitest';
import { install } from '../../app/i18n.ts';
import { applyPreferences } from '../../app/preferences.ts';
import { en } from '../../messages/all.ts';
import { toCsv } from '../../ui/table/csv.ts';
import { fileColumns } from '../../ui/table/file-columns.ts';
import { toXlsx } from '../../ui/table/xlsx.ts';
import { amountText } from './refunds/money-columns.tsx';
import { type TransactionRow, transactionColumns } from './transaction-columns.tsx';
import { filtersOf } from './transactions.tsx';

install('en', en);
const all = transactionColumns();
const columns = fileColumns(all, all);
const refund = {
  amount: '-30.01',
  currency: 'XTS',
  balance_after: '9.90',
  type: 'refund',
  state: 'completed',
  at: '2026-10-31T16:35:40.174Z',
  order_no: '261128453459973824',
  title: 'Refund',
  goods: 'Day',
  network: 'Lobby',
  method: 'alipay',
  payer: 'guest',
  device: '3f9a2b1c',
  earned_after: '4.90',
  recharged_after: '5.00',
} as TransactionRow;

function prefer(time_zone: string | undefined, account_time_zone: string | undefined): void {
  const personalization = { density: 'comfortable', page_size: 10 };
  applyPreferences({ personalization, time_zone, account_time_zone } as never);
}

vi.stubGlobal('document', { documentElement: { dataset: {} } });
afterAll(() => {
  prefer(undefined, undefined);
  vi.unstubAllGlobals();
});

it('exports the currency beside the amount, so that play money is not taken for yuan', () => {
  const file = columns.map(({ title, text }) => [title, text?.(refund)]);
  expect(Object.fromEntries(file)).toMatchObject({ Amount: -30.01, 'Currency (XTS: play money)': 'XTS' });
});

it('exports amounts as numbers, negative ones too, so that spreadsheets add them up', async () => {
  expect(toCsv(columns, [refund])).toContain(
    ',261128453459973824\t,Refund,Refund,Day,Lobby,Alipay,"Guest, device 3f9a2b1c",-30.01,XTS,4.9,5,9.9,',
  );
  const parts = unzipSync(new Uint8Array(await toXlsx(columns, [refund]).arrayBuffer()));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('<c r="I2"><v>-30.01</v></c>');
  expect(sheet).toContain('>261128453459973824</t>');
});

it('writes times of the account’s zone, so that a month begins at its midnight', () => {
  prefer('UTC', 'Asia/Shanghai');
  const [time] = fileColumns(all, all);
  expect(time!.text!(refund)).toBe('2026-11-01 00:35:40');
  expect(transactionColumns()[0]!.files![0]!.title).toBe('Time (Asia/Shanghai)');
});

it('lists the days of the account’s zone', () => {
  prefer('UTC', 'Asia/Shanghai');
  const search = { range: 'custom', first: '2026-11-01', last: '2026-11-01' };
  const range = filtersOf(search).find(({ name }) => name === 'range');
  expect(range!.input!('custom')).toEqual({ from: '2026-10-31T16:00:00.000Z', to: '2026-11-01T16:00:00.000Z' });
});

it('shows play money without a sign of a currency', () => {
  expect([amountText('-30.01', 'XTS'), amountText('-30.01', 'CNY')]).toEqual(['-30.01', '-¥30.01']);
});
