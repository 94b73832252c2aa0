import { t, textOf } from '../../../app/i18n.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { money } from '../../../ui/format.ts';
import { Tag } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { ShortTime } from '../../../ui/time.tsx';
import { booksTimeColumn } from '../books-time.ts';

export function timeColumn<R extends { at: string }>(): Column<R> {
  return {
    key: 'at',
    title: t('billing.time'),
    cell: (row) => <ShortTime at={row.at} />,
    files: [booksTimeColumn(t('billing.time'), (row) => row.at)],
    sort: 'at',
  };
}

/** Also of what is no provider. */
export const methodName = (method: string): string => textOf(`income.method_${method}`) ?? paymentName(method);

export function orderNoColumn<R extends { order_no: string }>(): Column<R> {
  return {
    key: 'no',
    title: t('billing.order_no'),
    cell: (row) => <span className="mono">{row.order_no}</span>,
    text: (row) => row.order_no,
  };
}

export function methodColumn<K extends string, R extends Readonly<Record<K, string>>>(
  key: K,
  title: string,
): Column<R> {
  return { key, title, cell: (row) => paymentName(row[key]), text: (row) => paymentName(row[key]) };
}

/** Play money has no currency sign. */
export const amountText = (amount: string | number, currency: string): string =>
  currency === 'CNY' ? money(Number(amount)) : money(Number(amount)).replace('¥', '');

export function amountColumn<R extends { amount: string; currency: string }>(): Column<R> {
  return {
    key: 'amount',
    title: t('billing.amount'),
    sort: 'amount',
    right: true,
    cell: (row) => (
      <>
        {amountText(row.amount, row.currency)}{' '}
        {row.currency === 'XTS' && <Tag tone="info">{t('billing.play_money')}</Tag>}
      </>
    ),
    files: [
      { title: t('billing.amount'), text: (row) => Number(row.amount) },
      { title: t('billing.currency'), text: (row) => row.currency },
    ],
  };
}
