import type { InvoiceState } from '@yunxun/contract';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { money } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { ShortTime } from '../../ui/time.tsx';

export type Invoice = Row<'/api/v3/billing/invoice/list'>;

const looks: Record<InvoiceState, 'ok' | 'warn' | 'bad' | 'none'> = {
  requested: 'warn',
  issued: 'ok',
  refused: 'bad',
  cancelled: 'none',
};
const states = ['requested', 'issued', 'refused', 'cancelled'] as const;

export function invoiceFilter(): Filter[] {
  const options = states.map((value) => ({ value, label: t(`invoice.state_${value}`) }));
  return [{ name: 'state', label: t('invoice.state'), options }];
}

export const isRed = ({ original }: Pick<Invoice, 'original'>) => original !== null;

export function invoiceColumns<R extends Invoice>(): Column<R>[] {
  const plain = (key: 'number' | 'issued_on' | 'requester' | 'reason'): Column<R> => ({
    key,
    title: t(`invoice.${key}`),
    cell: (row) => row[key] || '—',
    text: (row) => row[key],
  });
  return [
    {
      key: 'requested_at',
      title: t('invoice.requested_at'),
      cell: (row) => <ShortTime at={row.requested_at} />,
      text: (row) => row.requested_at,
    },
    { key: 'name', title: t('invoice.name'), cell: (row) => row.title.name, text: (row) => row.title.name },
    {
      key: 'amount',
      title: t('invoice.amount'),
      sort: 'amount',
      right: true,
      cell: (row) => <strong>{money(Number(row.amount))}</strong>,
      text: (row) => Number(row.amount),
    },
    {
      key: 'state',
      title: t('invoice.state'),
      cell: (row) => (
        <span className="row">
          <Tag tone={looks[row.state]}>{t(`invoice.state_${row.state}`)}</Tag>
          {isRed(row) && <Tag tone="bad">{t('invoice.red')}</Tag>}
        </span>
      ),
      text: (row) => t(`invoice.state_${row.state}`),
    },
    plain('number'),
    plain('issued_on'),
    plain('requester'),
    plain('reason'),
  ];
}
