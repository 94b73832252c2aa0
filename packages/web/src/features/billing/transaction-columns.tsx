import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { paymentName } from '../../app/payment-name.ts';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { amountColumn, amountText, timeColumn } from './refunds/money-columns.tsx';

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
    { key: 'title', title: t('billing.object'), cell: (row) => row.title, text: (row) => row.title },
    { key: 'goods', title: t('billing.goods'), cell: (row) => row.goods ?? '—', text: (row) => row.goods },
    { key: 'network', title: t('books.network'), cell: (row) => row.network ?? '—', text: (row) => row.network },
    {
      key: 'method',
      title: t('payment.method'),
      extra: true,
      cell: (row) => (row.method ? paymentName(row.method) : '—'),
      text: (row) => row.method && paymentName(row.method),
    },
    { key: 'payer', title: t('billing.payer'), extra: true, cell: payerOf, text: payerOf },
    amountColumn(),
    after('balance_after', t('billing.balance_after')),
    { ...after('earned_after', t('billing.earned_after')), extra: true },
    { ...after('recharged_after', t('billing.recharged_after')), extra: true },
    {
      key: 'state',
      title: t('billing.state'),
      cell: (row) => <Tag tone={tones[row.state]}>{t(`billing.state_${row.state}`)}</Tag>,
      text: (row) => t(`billing.state_${row.state}`),
    },
  ];
}

const payerOf = ({ payer, device }: TransactionRow): string | null =>
  payer === 'account' ? t('billing.payer_account') : device;

function after(key: 'balance_after' | 'earned_after' | 'recharged_after', title: string): Column<TransactionRow> {
  return {
    key,
    title,
    ...(key === 'balance_after' && { sort: key }),
    right: true,
    cell: (row) => (row[key] === null ? '—' : amountText(row[key], row.currency)),
    text: (row) => (row[key] === null ? null : Number(row[key])),
  };
}
