import type { Row } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { money } from '../../../ui/format.ts';
import { Tag } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { ShortTime } from '../../../ui/time.tsx';
import { couponValue } from './coupon-value.ts';

export type GuestCoupon = Row<'/api/v3/billing/coupon/list'>;
export type AccountCoupon = Row<'/api/v3/install/coupon/list'>;
type Common = Pick<
  GuestCoupon & AccountCoupon,
  'name' | 'code' | 'kind' | 'amount' | 'percent' | 'min_price' | 'used' | 'max_uses' | 'taken_off' | 'until'
> &
  Pick<GuestCoupon, 'enabled' | 'ended_at'>;

export const usesText = (value: number): string => (value === 0 ? t('goods.unlimited') : String(value));

type DiscountRow = Pick<Common, 'name' | 'code' | 'kind' | 'amount' | 'percent' | 'min_price'>;

/** @param sorts on the server */
export function discountColumns<R extends DiscountRow>(sorts: boolean): Column<R>[] {
  return [
    { key: 'name', title: t('goods.name'), cell: (row) => <strong>{row.name}</strong>, text: (row) => row.name },
    {
      key: 'code',
      title: t('goods.coupon_code'),
      ...(sorts && { sort: 'code' }),
      cell: (row) => <span className="mono">{row.code}</span>,
      text: (row) => row.code,
    },
    { key: 'value', title: t('goods.coupon_value'), cell: couponValue, text: couponValue },
    {
      key: 'min_price',
      title: t('goods.min_price'),
      ...(sorts && { sort: 'min_price' }),
      right: true,
      cell: (row) => money(Number(row.min_price)),
      text: (row) => Number(row.min_price),
    },
  ];
}

export function usageColumns<R extends Common>(): Column<R>[] {
  return [
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
  ];
}

export function stateColumn<R extends Common>(): Column<R> {
  const text = (row: R) => t(row.ended_at ? 'goods.coupon_ended' : row.enabled ? 'goods.coupon_on' : 'goods.off');
  return {
    key: 'enabled',
    title: t('goods.state'),
    cell: (row) => <Tag tone={row.enabled ? 'ok' : 'none'}>{text(row)}</Tag>,
    text,
  };
}
