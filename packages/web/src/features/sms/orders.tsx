import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { paymentName } from '../../app/payment-name.ts';
import { Empty } from '../../ui/empty.tsx';
import { count, money } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { OrderDrawer } from '../billing/index.ts';

type OrderRow = Row<'/api/v3/sms/order/list'>;

const tones = { incomplete: 'warn', completed: 'ok', expired: 'none', refunded: 'info', refused: 'bad' } as const;
const states = ['incomplete', 'completed', 'expired', 'refunded', 'refused'] as const;

export function SmsOrders() {
  const [opened, setOpened] = useState<string | null>(null);
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(filtersOf, []);
  return (
    <>
      <DataTable
        path="/api/v3/sms/order/list"
        name="sms-orders"
        title={t('sms.tab_orders')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.order_no}
        searchHint={t('sms.search_order')}
        onOpen={(row) => setOpened(row.order_no)}
        never={
          <Empty icon="list" title={t('sms.orders_never')}>
            {t('sms.orders_never_body')}
          </Empty>
        }
      />
      {opened !== null && <OrderDrawer orderNo={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function filtersOf(): Filter[] {
  const options = states.map((value) => ({ value, label: t(`billing.state_${value}`) }));
  return [{ name: 'status', label: t('billing.state'), options }];
}

function columnsOf(): Column<OrderRow>[] {
  return [
    {
      key: 'at',
      title: t('sms.time'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
      sort: 'at',
    },
    {
      key: 'no',
      title: t('billing.order_no'),
      cell: (row) => <span className="mono">{row.order_no}</span>,
      text: (row) => row.order_no,
    },
    {
      key: 'count',
      title: t('sms.count'),
      sort: 'amount_fen',
      cell: (row) => count(row.count),
      text: (row) => String(row.count),
    },
    {
      key: 'amount',
      title: t('billing.amount'),
      sort: 'amount_fen',
      cell: (row) => money(row.amount_fen / 100),
      text: (row) => (row.amount_fen / 100).toFixed(2),
    },
    {
      key: 'refunded',
      title: t('sms.refunded'),
      sort: 'refunded_fen',
      cell: (row) => money(row.refunded_fen / 100),
      text: (row) => (row.refunded_fen / 100).toFixed(2),
    },
    {
      key: 'method',
      title: t('payment.method'),
      cell: (row) => paymentName(row.method),
      text: (row) => paymentName(row.method),
    },
    {
      key: 'status',
      title: t('billing.state'),
      cell: (row) => <Tag tone={tones[row.status]}>{t(`billing.state_${row.status}`)}</Tag>,
      text: (row) => t(`billing.state_${row.status}`),
    },
  ];
}
