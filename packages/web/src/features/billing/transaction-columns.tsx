import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { money } from '../../ui/format.ts';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { amountColumn, timeColumn } from './refunds/money-columns.tsx';

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
    amountColumn(),
    {
      key: 'after',
      title: t('billing.balance_after'),
      sort: 'balance_after',
      right: true,
      cell: (row) => (row.balance_after === null ? '—' : money(Number(row.balance_after))),
      text: (row) => (row.balance_after === null ? null : Number(row.balance_after)),
    },
    {
      key: 'state',
      title: t('billing.state'),
      cell: (row) => <Tag tone={tones[row.state]}>{t(`billing.state_${row.state}`)}</Tag>,
      text: (row) => t(`billing.state_${row.state}`),
    },
  ];
}
