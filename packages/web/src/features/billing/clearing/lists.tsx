import { useMemo } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ask } from '../../../ui/dialog-host.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { count, money } from '../../../ui/format.ts';
import { Menu } from '../../../ui/menu.tsx';
import { Tag } from '../../../ui/status.tsx';
import type { Column, Filter } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';
import {
  type Arrival,
  type Line,
  type Movement,
  type Payout,
  paths,
  placeName,
  providerFilter,
  refreshClearing,
} from './clearing-data.ts';

function reverse(title: string, body: string, act: () => Promise<unknown>): void {
  ask({
    title,
    body,
    confirm: t('clearing.reverse'),
    danger: true,
    act: async () => {
      await act();
      await refreshClearing();
      notify('ok', t('clearing.reversed_done'));
    },
  });
}

export function Payouts({ onArrive }: { onArrive: (row: Payout) => void }) {
  const columns = useMemo(payoutColumns, []);
  const filters = useMemo(() => [providerFilter()], []);
  return (
    <DataTable
      path={paths.payouts}
      name="clearing-payouts"
      title={t('clearing.payouts')}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      searchHint={t('clearing.number')}
      actions={(row) => <PayoutActions row={row} onArrive={onArrive} />}
      never={<Empty icon="wallet" title={t('clearing.payouts_never')} />}
    />
  );
}

const isArrived = ({ net, arrived }: Payout) => Number(net) === Number(arrived);

function PayoutActions({ row, onArrive }: { row: Payout; onArrive: (row: Payout) => void }) {
  if (row.reversed_at !== null) return null;
  const label = t('clearing.acts', { number: row.number });
  const reverseIt = () =>
    reverse(t('clearing.reverse_payout'), t('clearing.reverse_payout_body'), () =>
      call('/api/v3/install/clearing/payout/reverse', { id: row.id }),
    );
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        ...(isArrived(row)
          ? []
          : [{ label: t('clearing.enter_arrival'), icon: 'check' as const, act: () => onArrive(row) }]),
        {
          label: t('clearing.reverse'),
          icon: 'close',
          danger: true,
          ...(Number(row.arrived) !== 0 && { why: t('clearing.reverse_arrived') }),
          act: reverseIt,
        },
      ]}
    />
  );
}

function payoutState(row: Payout) {
  if (row.reversed_at !== null) return { tone: 'none' as const, text: t('clearing.state_reversed') };
  if (isArrived(row)) return { tone: 'ok' as const, text: t('clearing.state_arrived') };
  return { tone: 'warn' as const, text: t('clearing.state_transit') };
}

function amountColumn<R, K extends string>(key: K & keyof R, title: string): Column<R> {
  const of = (row: R) => Number(row[key]);
  return { key, title, sort: key, right: true, cell: (row) => money(of(row)), text: of };
}

function payoutColumns(): Column<Payout>[] {
  return [
    dayColumn(),
    providerColumn(t('clearing.provider'), paymentName),
    {
      key: 'number',
      title: t('clearing.number'),
      cell: (row) => <span className="mono">{row.number}</span>,
      text: (row) => row.number,
    },
    amountColumn('gross', t('clearing.gross')),
    amountColumn('fee', t('clearing.fee')),
    amountColumn('net', t('clearing.net')),
    {
      key: 'state',
      title: t('clearing.state'),
      cell: (row) => <Tag tone={payoutState(row).tone}>{payoutState(row).text}</Tag>,
      text: (row) => payoutState(row).text,
    },
    {
      key: 'content',
      title: t('clearing.content'),
      cell: (row) => (
        <>
          {t('clearing.movements_n', { n: count(row.movements) })}
          {Number(row.unassigned) !== 0 && (
            <div className="small dim">{t('clearing.unassigned_n', { amount: money(Number(row.unassigned)) })}</div>
          )}
        </>
      ),
      text: (row) => row.movements,
    },
    { key: 'by', title: t('clearing.by'), cell: (row) => row.by, text: (row) => row.by },
  ];
}

export function Arrivals() {
  const columns = useMemo(arrivalColumns, []);
  const filters = useMemo(() => [providerFilter()], []);
  return (
    <DataTable
      path={paths.arrivals}
      name="clearing-arrivals"
      title={t('clearing.arrivals')}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      searchHint={t('clearing.reference')}
      actions={(row) => <ArrivalActions row={row} />}
      never={<Empty icon="wallet" title={t('clearing.arrivals_never')} />}
    />
  );
}

function ArrivalActions({ row }: { row: Arrival }) {
  if (row.reversed_at !== null) return null;
  const label = t('clearing.acts', { number: row.reference });
  const reverseIt = () =>
    reverse(t('clearing.reverse_arrival'), t('clearing.reverse_arrival_body'), () =>
      call('/api/v3/install/clearing/arrival/reverse', { id: row.id }),
    );
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[{ label: t('clearing.reverse'), icon: 'close', danger: true, act: reverseIt }]}
    />
  );
}

function arrivalColumns(): Column<Arrival>[] {
  return [
    dayColumn(),
    providerColumn(t('clearing.source'), placeName),
    {
      key: 'reference',
      title: t('clearing.reference'),
      cell: (row) => (
        <>
          {row.reference} {row.reversed_at !== null && <Tag tone="none">{t('clearing.state_reversed')}</Tag>}
        </>
      ),
      text: (row) => row.reference,
    },
    amountColumn('amount', t('clearing.amount')),
    { key: 'payout', title: t('clearing.number'), cell: (row) => row.payout ?? '—', text: (row) => row.payout },
    { key: 'by', title: t('clearing.by'), cell: (row) => row.by, text: (row) => row.by },
  ];
}

export function Lines() {
  const columns = useMemo(lineColumns, []);
  const filters = useMemo(
    (): Filter[] => [
      {
        name: 'result',
        label: t('clearing.result'),
        options: (['unmatched', 'differs'] as const).map((value) => ({ value, label: t(`clearing.result_${value}`) })),
      },
    ],
    [],
  );
  return (
    <DataTable
      path={paths.lines}
      name="clearing-lines"
      title={t('clearing.lines')}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      searchHint={t('clearing.order_no')}
      never={<Empty icon="check" title={t('clearing.lines_never')} />}
    />
  );
}

function lineColumns(): Column<Line>[] {
  return [
    dayColumn(),
    providerColumn(t('clearing.provider'), paymentName),
    { key: 'number', title: t('clearing.number'), cell: (row) => row.number, text: (row) => row.number },
    {
      key: 'result',
      title: t('clearing.result'),
      cell: (row) => <Tag tone="warn">{t(`clearing.result_${row.result}`)}</Tag>,
      text: (row) => t(`clearing.result_${row.result}`),
    },
    { key: 'order_no', title: t('clearing.order_no'), cell: (row) => row.order_no || '—', text: (row) => row.order_no },
    {
      key: 'line',
      title: t('clearing.line_reference'),
      cell: (row) => <span className="mono">{row.reference || '—'}</span>,
      text: (row) => row.reference,
    },
    amountColumn('amount', t('clearing.theirs')),
    {
      key: 'ours',
      title: t('clearing.ours'),
      cell: (row) => (row.ours === null ? '—' : money(Number(row.ours))),
      text: (row) => row.ours && Number(row.ours),
    },
  ];
}

export function Movements() {
  const columns = useMemo(movementColumns, []);
  const filters = useMemo(
    (): Filter[] => [
      providerFilter(['bank']),
      {
        name: 'settled',
        label: t('clearing.state'),
        options: [
          { value: 'no', label: t('clearing.open') },
          { value: 'yes', label: t('clearing.settled') },
        ],
        input: (value) => ({ settled: value === 'yes' }),
      },
    ],
    [],
  );
  return (
    <DataTable
      path={paths.movements}
      name="clearing-movements"
      title={t('clearing.movements')}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      searchHint={t('clearing.order_no')}
      never={<Empty icon="list" title={t('clearing.movements_never')} />}
    />
  );
}

function movementColumns(): Column<Movement>[] {
  return [
    {
      key: 'at',
      title: t('clearing.time'),
      sort: 'at',
      cell: (row) => <ShortTime at={row.at} />,
      text: (row) => row.at,
    },
    { key: 'account', title: t('clearing.account'), cell: (row) => row.account, text: (row) => row.account },
    providerColumn(t('clearing.place'), placeName),
    {
      key: 'kind',
      title: t('clearing.kind'),
      cell: (row) => t(`clearing.kind_${row.kind}`),
      text: (row) => t(`clearing.kind_${row.kind}`),
    },
    {
      key: 'order_no',
      title: t('clearing.order_no'),
      cell: (row) => <span className="mono">{row.order_no}</span>,
      text: (row) => row.order_no,
    },
    amountColumn('amount', t('clearing.amount')),
    {
      key: 'payout',
      title: t('clearing.number'),
      cell: (row) => row.payout ?? (row.provider === 'bank' ? '—' : t('clearing.open')),
      text: (row) => row.payout,
    },
  ];
}

function dayColumn<R extends { day: string }>(): Column<R> {
  return { key: 'day', title: t('clearing.day'), sort: 'day', cell: (row) => row.day, text: (row) => row.day };
}

function providerColumn<P, R extends { provider: P }>(title: string, nameOf: (provider: P) => string): Column<R> {
  return {
    key: 'provider',
    title,
    cell: (row) => nameOf(row.provider),
    text: (row) => nameOf(row.provider),
  };
}
