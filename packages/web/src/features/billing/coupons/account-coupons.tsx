import { useMemo, useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { notify } from '../../../ui/toast.tsx';
import { AccountCouponDialog } from './account-coupon-dialog.tsx';
import { type AccountCoupon, discountColumns, stateColumn, usageColumns, usesText } from './coupon-columns.tsx';
import { CouponMenu } from './coupon-menu.tsx';

const path = '/api/v3/install/coupon/list';

const again = () => queryClient.invalidateQueries({ queryKey: [path] });

export function AccountCoupons() {
  const [open, setOpen] = useState<AccountCoupon | 'new' | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
      {t('goods.coupon_create')}
    </Button>
  );
  return (
    <>
      <p className="quiet">{t('goods.account_coupons_about')}</p>
      <DataTable
        path={path}
        name="account-coupons"
        title={t('goods.tab_coupons')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('goods.coupon_search')}
        actions={(row) => <Acts row={row} onEdit={() => setOpen(row)} />}
        never={
          <Empty icon="box" title={t('goods.coupons_empty')} actions={create}>
            {t('goods.account_coupons_empty')}
          </Empty>
        }
        toolbar={create}
      />
      {open && (
        <AccountCouponDialog
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

function Acts({ row, onEdit }: { row: AccountCoupon; onEdit: () => void }) {
  const { id } = row;
  return (
    <CouponMenu
      coupon={row}
      onEdit={onEdit}
      turn={(enabled) => call('/api/v3/install/coupon/switch', { id, enabled }).then(again)}
      end={() => call('/api/v3/install/coupon/end', { id }).then(again)}
    />
  );
}

function columnsOf(): Column<AccountCoupon>[] {
  const goodsText = ({ goods }: AccountCoupon) => goods.map((one) => t(`goods.for_${one}`)).join(t('list.between'));
  const accountText = (row: AccountCoupon) => row.account ?? t('goods.all_accounts');
  return [
    ...discountColumns<AccountCoupon>(true),
    { key: 'goods', title: t('goods.coupon_goods'), cell: goodsText, text: goodsText },
    { key: 'account', title: t('goods.coupon_account'), cell: accountText, text: accountText },
    {
      key: 'per_account',
      title: t('goods.per_account'),
      sort: 'per_account',
      right: true,
      cell: (row) => usesText(row.per_account),
      text: (row) => row.per_account,
    },
    ...usageColumns<AccountCoupon>(),
    stateColumn(),
  ];
}
