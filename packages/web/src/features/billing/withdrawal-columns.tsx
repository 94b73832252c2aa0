import type { WithdrawalState } from '@yunxun/contract';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { money } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { ShortTime } from '../../ui/time.tsx';

export type Withdrawal = Row<'/api/v3/billing/withdrawal/list'>;

const looks: Record<WithdrawalState, 'ok' | 'warn' | 'bad' | 'none'> = {
  requested: 'warn',
  approved: 'warn',
  paid: 'ok',
  refused: 'bad',
};
const states = ['requested', 'approved', 'paid', 'refused'] as const;

export function stateFilter(): Filter[] {
  const options = states.map((value) => ({ value, label: t(`withdraw.state_${value}`) }));
  return [{ name: 'state', label: t('withdraw.state'), options }];
}

export function WithdrawalStateTag({ state }: Pick<Withdrawal, 'state'>) {
  return <Tag tone={looks[state]}>{t(`withdraw.state_${state}`)}</Tag>;
}

export function withdrawalColumns<R extends Withdrawal>(): Column<R>[] {
  const plain = (key: 'holder' | 'bank_card' | 'requester' | 'approver' | 'settler'): Column<R> => ({
    key,
    title: t(`withdraw.${key}`),
    cell: (row) => row[key] ?? '—',
    text: (row) => row[key],
  });
  const result = (row: R) => row.receipt ?? row.reason;
  return [
    {
      key: 'requested_at',
      title: t('withdraw.requested_at'),
      cell: (row) => <ShortTime at={row.requested_at} />,
      text: (row) => row.requested_at,
    },
    {
      key: 'amount',
      title: t('withdraw.amount'),
      sort: 'amount',
      right: true,
      cell: (row) => <strong>{money(Number(row.amount))}</strong>,
      text: (row) => Number(row.amount),
    },
    {
      key: 'fee',
      title: t('withdraw.fee'),
      sort: 'fee',
      right: true,
      cell: (row) => money(Number(row.fee)),
      text: (row) => Number(row.fee),
    },
    {
      key: 'net',
      title: t('withdraw.net'),
      sort: 'net',
      right: true,
      cell: (row) => money(Number(row.net)),
      text: (row) => Number(row.net),
    },
    {
      key: 'state',
      title: t('withdraw.state'),
      cell: (row) => <WithdrawalStateTag state={row.state} />,
      text: (row) => t(`withdraw.state_${row.state}`),
    },
    plain('holder'),
    plain('bank_card'),
    plain('requester'),
    plain('approver'),
    plain('settler'),
    {
      key: 'settled_at',
      title: t('withdraw.settled_at'),
      cell: (row) => <ShortTime at={row.settled_at} />,
      text: (row) => row.settled_at,
    },
    { key: 'result', title: t('withdraw.result'), cell: (row) => result(row) ?? '—', text: result },
  ];
}
