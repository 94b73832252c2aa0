import { useMemo, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { Empty } from '../../../ui/empty.tsx';
import type { Column, Filter } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { booksTimeColumn } from '../books-time.ts';
import { OrderDrawer } from '../order-drawer.tsx';
import { amountColumn, methodColumn, orderNoColumn, timeColumn } from './money-columns.tsx';
import { type RefundRow, RefundStateTag, refundStates } from './refund-state.tsx';

export function Refunds() {
  const [opened, setOpened] = useState<string | null>(null);
  const columns = useMemo(refundColumns, []);
  const filters = useMemo(
    (): Filter[] => [
      {
        name: 'state',
        label: t('billing.state'),
        options: refundStates.map((value) => ({ value, label: t(`billing.refund_${value}`) })),
      },
    ],
    [],
  );
  return (
    <>
      <DataTable
        path="/api/v3/billing/refund/list"
        name="refunds"
        title={t('billing.refunds')}
        columns={columns}
        rowKey={(row) => `${row.order_no} ${row.refund_no}`}
        filters={filters}
        searchHint={t('billing.search')}
        onOpen={(row) => setOpened(row.order_no)}
        never={
          <Empty icon="list" title={t('billing.refunds_never')}>
            {t('billing.refunds_never_body')}
          </Empty>
        }
      />
      {opened !== null && <OrderDrawer orderNo={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function refundColumns(): Column<RefundRow>[] {
  return [
    timeColumn(),
    orderNoColumn(),
    { key: 'title', title: t('billing.object'), cell: (row) => row.title, text: (row) => row.title },
    methodColumn('method', t('billing.refund_way')),
    amountColumn(),
    {
      key: 'state',
      title: t('billing.state'),
      cell: (row) => <RefundStateTag {...row} />,
      text: (row) => t(`billing.refund_${row.state}`),
    },
    {
      key: 'settled',
      title: t('billing.refund_settled'),
      cell: (row) => (row.settled_at === null ? '—' : <ShortTime at={row.settled_at} />),
      files: [booksTimeColumn(t('billing.refund_settled'), (row) => row.settled_at)],
    },
    { key: 'by', title: t('billing.refund_by'), cell: (row) => row.by, text: (row) => row.by },
    { key: 'reason', title: t('billing.refund_reason'), cell: (row) => row.reason || '—', text: (row) => row.reason },
  ];
}
