import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { money } from '../../ui/format.ts';
import { networksText } from '../../ui/networks-field.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { CouponDialog } from './coupon-dialog.tsx';

const path = '/api/v3/billing/coupon/list';
type Coupon = Row<typeof path>;

const again = () => queryClient.invalidateQueries({ queryKey: [path] });

export function Coupons() {
  const may = useMay('billing.write');
  const [isOpen, setOpen] = useState(false);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
      {t('goods.coupon_create')}
    </Button>
  );
  return (
    <>
      <DataTable
        path={path}
        name="billing-coupons"
        title={t('goods.tab_coupons')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('goods.coupon_search')}
        {...(may ? { actions: (row: Coupon) => <Turn row={row} /> } : {})}
        never={
          <Empty icon="box" title={t('goods.coupons_empty')} actions={create}>
            {t('goods.coupons_empty_body')}
          </Empty>
        }
        toolbar={create}
      />
      {isOpen && (
        <CouponDialog
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            notify('ok', t('goods.coupon_saved'));
            void again();
          }}
        />
      )}
    </>
  );
}

function Turn({ row: { id, enabled } }: { row: Coupon }) {
  const turn = () => void call('/api/v3/billing/coupon/switch', { id, enabled: !enabled }).then(again, notifyError);
  return <Button onClick={turn}>{t(enabled ? 'goods.switch_off' : 'goods.switch_on')}</Button>;
}

function columnsOf(): Column<Coupon>[] {
  const limit = (value: number) => (value === 0 ? t('goods.unlimited') : value);
  const value = (row: Coupon) => (row.kind === 'amount' ? money(Number(row.amount)) : `${row.percent}%`);
  return [
    { key: 'name', title: t('goods.name'), cell: (row) => <strong>{row.name}</strong>, text: (row) => row.name },
    {
      key: 'code',
      title: t('goods.coupon_code'),
      sort: 'code',
      cell: (row) => <span className="mono">{row.code}</span>,
      text: (row) => row.code,
    },
    { key: 'value', title: t('goods.coupon_value'), cell: value, text: value },
    {
      key: 'min_price',
      title: t('goods.min_price'),
      sort: 'min_price',
      right: true,
      cell: (row) => money(Number(row.min_price)),
      text: (row) => Number(row.min_price),
    },
    {
      key: 'per_person',
      title: t('goods.per_person'),
      sort: 'per_person',
      right: true,
      cell: (row) => limit(row.per_person),
      text: (row) => row.per_person,
    },
    {
      key: 'used',
      title: t('goods.coupon_used'),
      sort: 'used',
      right: true,
      cell: (row) => (row.max_uses === 0 ? row.used : `${row.used} / ${row.max_uses}`),
      text: (row) => row.used,
    },
    {
      key: 'taken_off',
      title: t('goods.taken_off'),
      sort: 'taken_off',
      right: true,
      cell: (row) => money(Number(row.taken_off)),
      text: (row) => Number(row.taken_off),
    },
    {
      key: 'until',
      title: t('goods.coupon_until'),
      sort: 'until',
      cell: (row) => <ShortTime at={row.until} />,
      text: (row) => row.until,
    },
    {
      key: 'networks',
      title: t('goods.networks'),
      cell: (row) => networksText(row.gwids),
      text: (row) => networksText(row.gwids),
    },
    {
      key: 'enabled',
      title: t('goods.state'),
      cell: (row) => <Tag tone={row.enabled ? 'ok' : 'none'}>{t(row.enabled ? 'goods.coupon_on' : 'goods.off')}</Tag>,
      text: (row) => t(row.enabled ? 'goods.coupon_on' : 'goods.off'),
    },
  ];
}
