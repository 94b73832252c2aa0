import { useMemo, useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useMay } from '../../../app/shell/current.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { networksText } from '../../../ui/networks-field.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { notify } from '../../../ui/toast.tsx';
import { discountColumns, type GuestCoupon, stateColumn, usageColumns, usesText } from './coupon-columns.tsx';
import { CouponMenu } from './coupon-menu.tsx';
import { GuestCouponDialog } from './guest-coupon-dialog.tsx';

const path = '/api/v3/billing/coupon/list';

const again = () => queryClient.invalidateQueries({ queryKey: [path] });

export function Coupons() {
  const may = useMay('billing.write');
  const [open, setOpen] = useState<GuestCoupon | 'new' | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
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
        {...(may ? { actions: (row: GuestCoupon) => <Acts row={row} onEdit={() => setOpen(row)} /> } : {})}
        never={
          <Empty icon="box" title={t('goods.coupons_empty')} actions={create}>
            {t('goods.coupons_empty_body')}
          </Empty>
        }
        toolbar={create}
      />
      {open && (
        <GuestCouponDialog
          before={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            notify('ok', t('goods.coupon_saved'));
            void again();
          }}
        />
      )}
    </>
  );
}

function Acts({ row, onEdit }: { row: GuestCoupon; onEdit: () => void }) {
  const { id } = row;
  return (
    <CouponMenu
      coupon={row}
      onEdit={onEdit}
      turn={(enabled) => call('/api/v3/billing/coupon/switch', { id, enabled }).then(again)}
      end={() => call('/api/v3/billing/coupon/end', { id }).then(again)}
    />
  );
}

function columnsOf(): Column<GuestCoupon>[] {
  return [
    ...discountColumns<GuestCoupon>(true),
    {
      key: 'per_person',
      title: t('goods.per_person'),
      sort: 'per_person',
      right: true,
      cell: (row) => usesText(row.per_person),
      text: (row) => row.per_person,
    },
    ...usageColumns<GuestCoupon>(),
    {
      key: 'networks',
      title: t('goods.networks'),
      cell: (row) => networksText(row.gwids),
      text: (row) => networksText(row.gwids),
    },
    stateColumn(),
  ];
}
