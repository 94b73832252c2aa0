import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Failed } from '../../../ui/empty.tsx';
import { money } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { couponValue } from './coupon-value.ts';

export function UsableCoupons() {
  const { data, error, refetch } = useRead('/api/v3/billing/coupon/usable', {});
  return (
    <Card title={t('payment.own_coupons')}>
      {error && !data && <Failed small error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton />}
      {data?.list.length === 0 && <p className="quiet">{t('payment.own_coupons_none')}</p>}
      {data && data.list.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('goods.name')}</th>
              <th scope="col">{t('goods.coupon_code')}</th>
              <th scope="col">{t('goods.coupon_value')}</th>
              <th scope="col">{t('goods.coupon_goods')}</th>
              <th scope="col" className="right">
                {t('goods.min_price')}
              </th>
              <th scope="col" className="right">
                {t('payment.uses_left')}
              </th>
              <th scope="col">{t('goods.coupon_until')}</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map((one) => (
              <tr key={one.code}>
                <td>
                  <strong>{one.name}</strong>
                </td>
                <td className="mono">{one.code}</td>
                <td>{couponValue(one)}</td>
                <td>{one.goods.map((goods) => t(`goods.for_${goods}`)).join(t('list.between'))}</td>
                <td className="right">{money(Number(one.min_price))}</td>
                <td className="right">{one.left ?? t('goods.unlimited')}</td>
                <td>
                  <ShortTime at={one.until} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
