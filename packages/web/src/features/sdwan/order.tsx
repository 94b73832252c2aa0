import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { bandText, dayText } from './labels.tsx';
import { priceText, type SdwanOrder } from './order-row.ts';
import { PaySdwanDialog } from './pay-dialog.tsx';
import { refreshSdwan } from './refresh.ts';

export function SdwanOrderScreen() {
  const may = useMay('account.write');
  const columns = useMemo(columnsOf, []);
  return (
    <Page title={t('home.sdwan_order')}>
      <DataTable
        path="/api/v3/sdwan/order/list"
        name="sdwan-orders"
        title={t('home.sdwan_order')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={[
          {
            name: 'status',
            label: t('sdwan.col_status'),
            options: (['incomplete', 'completed'] as const).map((value) => ({
              value,
              label: t(`sdwan.order_${value}`),
            })),
          },
        ]}
        {...(may ? { actions: (row: SdwanOrder) => row.status === 'incomplete' && <Actions order={row} /> } : {})}
        never={
          <Empty
            icon="file"
            title={t('sdwan.order_never')}
            actions={
              <Link to="/sdwan/package" className="btn btn-primary">
                {t('home.sdwan_package')}
              </Link>
            }
          >
            {t('sdwan.order_never_body')}
          </Empty>
        }
      />
    </Page>
  );
}

function Actions({ order }: { order: SdwanOrder }) {
  const { order_no, name } = order;
  const [paying, setPaying] = useState(false);
  const cancel = () =>
    ask({
      title: t('sdwan.cancel_title', { name }),
      body: t('sdwan.cancel_body', { no: order_no }),
      confirm: t('sdwan.cancel'),
      danger: true,
      act: async () => {
        await call('/api/v3/sdwan/order/cancel', { order_no });
        await refreshSdwan();
      },
    });
  const label = t('sdwan.order_acts', { no: order_no });
  return (
    <>
      <Menu
        label={label}
        target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
        items={[
          { label: t('sdwan.pay'), icon: 'wallet', act: () => setPaying(true) },
          { label: t('sdwan.cancel'), icon: 'trash', danger: true, act: cancel },
        ]}
      />
      {paying && <PaySdwanDialog order={order} onClose={() => setPaying(false)} />}
    </>
  );
}

function columnsOf(): Column<SdwanOrder>[] {
  return [
    {
      key: 'no',
      title: t('sdwan.order_no'),
      cell: (row) => <span className="mono">{row.order_no}</span>,
      text: (row) => row.order_no,
    },
    { key: 'name', title: t('sdwan.package'), cell: nameText, text: nameText },
    { key: 'kind', title: t('sdwan.order_kind'), cell: kindText, text: kindText },
    { key: 'nodes', title: t('sdwan.nodes'), sort: 'nodes', cell: (row) => row.nodes, text: (row) => row.nodes },
    {
      key: 'widthband',
      title: t('sdwan.widthband'),
      sort: 'widthband',
      cell: (row) => bandText(row.widthband),
      text: (row) => row.widthband,
    },
    { key: 'months', title: t('sdwan.period'), sort: 'months', cell: monthsText, text: monthsText },
    {
      key: 'amount',
      title: t('sdwan.amount'),
      sort: 'amount_fen',
      right: true,
      cell: (row) => priceText(row.amount_fen),
      text: (row) => row.amount_fen / 100,
    },
    {
      key: 'status',
      title: t('sdwan.col_status'),
      cell: (row) => (
        <Tag tone={row.status === 'completed' ? 'ok' : 'warn'} shape={row.status === 'completed' ? 'check' : 'ring'}>
          {t(`sdwan.order_${row.status}`)}
        </Tag>
      ),
      text: (row) => t(`sdwan.order_${row.status}`),
    },
    {
      key: 'created',
      title: t('sdwan.ordered_at'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    {
      key: 'validity',
      title: t('sdwan.validity'),
      cell: (row) => (row.valid_until === null ? '—' : dayText(row.valid_until)),
      text: (row) => row.valid_until,
    },
  ];
}

const nameText = (row: SdwanOrder) => (row.kind === 'trial' ? t('sdwan.trial') : row.name);
const kindText = (row: SdwanOrder) => t(`sdwan.kind_of_${row.kind}`);
const monthsText = (row: SdwanOrder) => (row.months === 0 ? '—' : t('sdwan.months', { n: row.months }));
