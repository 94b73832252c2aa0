import { expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { fileColumns } from '../../ui/table/file-columns.ts';
import { type TransactionRow, transactionColumns } from './transaction-columns.tsx';

it('exports the currency beside the amount, so that play money is not taken for yuan', () => {
  install('en', en);
  const row = { amount: '9.90', currency: 'XTS', balance_after: '9.90', type: 'income', state: 'completed' };
  const all = transactionColumns();
  const file = fileColumns(all, all).map(({ title, text }) => [title, text?.(row as TransactionRow)]);
  expect(Object.fromEntries(file)).toMatchObject({ Amount: '9.90', 'Currency (XTS: play money)': 'XTS' });
});
