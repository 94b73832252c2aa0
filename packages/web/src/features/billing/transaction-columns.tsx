import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { amountColumn, amountText, methodName, timeColumn } from './refunds/money-columns.tsx';

export type TransactionRow = Row<'/api/v3/billing/transaction/list'>;

const tones: Readonly<Record<TransactionRow['state'], Tone>> = {
  incomplete: 'warn',
  completed: 'ok',
  expired: 'none',
  refunded: 'info',
  refused: 'bad',
};

export function transactionColumns(): Column<TransactionRow>[] {
  return [
    timeColumn(),
    {
      key: 'no',
      title: t('billing.order_no'),
      cell: (row) => <span className="mono">{row.order_no ?? '—'}</span>,
      text: (row) => row.order_no ?? row.id,
    },
    {
      key: 'type',
      title: t('billing.type'),
      cell: (row) => t(`billing.type_${row.type}`),
      text: (row) => t(`billing.type_${row.type}`),
    },
    {
      key: 'title',
      title: t('billing.object'),
      cell: (row) => row.title,
      files: [
        { title: t('billing.object'), text: (row) => row.title },
        { title: t('billing.goods'), text: (row) => row.goods },
        { title: t('books.network'), text: (row) => row.network },
        { title: t('payment.method'), text: methodOf },
        { title: t('billing.payer'), text: payerOf },
      ],
    },
    { key: 'goods', title: t('billing.goods'), cell: (row) => row.goods ?? '—' },
    { key: 'network', title: t('books.network'), cell: (row) => row.network ?? '—' },
    { key: 'method', title: t('payment.method'), extra: true, cell: (row) => methodOf(row) ?? '—' },
    { key: 'payer', title: t('billing.payer'), extra: true, cell: (row) => payerOf(row) ?? '—' },
    amountColumn(),
    {
      key: 'after',
      title: t('billing.balance_after'),
      sort: 'balance_after',
      right: true,
      cell: (row) => shown(row.balance_after, row),
      files: [
        { title: t('billing.earned_after'), text: (row) => figure(row.earned_after) },
        { title: t('billing.recharged_after'), text: (row) => figure(row.recharged_after) },
        { title: t('billing.balance_after'), text: (row) => figure(row.balance_after) },
      ],
    },
    {
      key: 'earned_after',
      title: t('billing.earned_after'),
      sort: 'earned_after',
      right: true,
      extra: true,
      cell: (row) => shown(row.earned_after, row),
    },
    {
      key: 'recharged_after',
      title: t('billing.recharged_after'),
      sort: 'recharged_after',
      right: true,
      extra: true,
      cell: (row) => shown(row.recharged_after, row),
    },
    {
      key: 'state',
      title: t('billing.state'),
      cell: (row) => <Tag tone={tones[row.state]}>{t(`billing.state_${row.state}`)}</Tag>,
      text: (row) => t(`billing.state_${row.state}`),
    },
  ];
}

const methodOf = ({ method }: TransactionRow): string | null => method && methodName(method);

function payerOf({ payer, device }: TransactionRow): string | null {
  if (payer === null) return null;
  return device ? t('billing.payer_device', { device }) : t(`billing.payer_${payer}`);
}

const figure = (amount: string | null): number | null => (amount === null ? null : Number(amount));

const shown = (amount: string | null, { currency }: TransactionRow): string =>
  amount === null ? '—' : amountText(amount, currency);
