import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { toCsv } from '../../ui/table/csv.ts';
import { fileColumns } from '../../ui/table/file-columns.ts';
import { toXlsx } from '../../ui/table/xlsx.ts';
import { type TransactionRow, transactionColumns } from './transaction-columns.tsx';

install('en', en);
const all = transactionColumns();
const columns = fileColumns(all, all);
const refund = {
  amount: '-30.01',
  currency: 'XTS',
  balance_after: '9.90',
  type: 'refund',
  state: 'completed',
  at: '2026-11-28T08:35:40.174Z',
  order_no: '261128453459973824',
  title: 'Refund',
  goods: 'Day',
  network: 'Lobby',
  method: 'alipay',
  payer: 'guest',
  device: '02:00:00:00:00:01',
  earned_after: '4.90',
  recharged_after: '5.00',
} as TransactionRow;

it('exports the currency beside the amount, so that play money is not taken for yuan', () => {
  const file = columns.map(({ title, text }) => [title, text?.(refund)]);
  expect(Object.fromEntries(file)).toMatchObject({ Amount: -30.01, 'Currency (XTS: play money)': 'XTS' });
});

it('exports amounts as numbers, negative ones too, so that spreadsheets add them up', async () => {
  expect(toCsv(columns, [refund])).toContain(',Day,Lobby,Alipay,02:00:00:00:00:01,-30.01,XTS,9.9,4.9,5,');
  const parts = unzipSync(new Uint8Array(await toXlsx(columns, [refund]).arrayBuffer()));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('<c r="I2"><v>-30.01</v></c>');
  expect(sheet).toContain('>261128453459973824</t>');
});
