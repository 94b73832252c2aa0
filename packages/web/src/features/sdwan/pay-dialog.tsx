import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { PayDialog } from '../billing/index.ts';
import type { SdwanOrder } from './order-row.ts';
import { refreshSdwan } from './refresh.ts';

export function PaySdwanDialog({
  order: { order_no, name, amount_fen },
  onClose,
}: {
  order: SdwanOrder;
  onClose: () => void;
}) {
  return (
    <PayDialog
      title={t('sdwan.pay_title', { name })}
      go={t('sdwan.pay')}
      price={(amount_fen / 100).toFixed(2)}
      goods="sdwan_package"
      item={order_no}
      choice={order_no}
      paid={t('sdwan.paid', { name })}
      order={async ({ method, coupon }) => {
        const paid = await call('/api/v3/sdwan/order/pay', { order_no, method, ...(coupon && { coupon }) });
        return { payUrl: paid.pay_url, transfer: paid.transfer, isPaid: paid.status === 'completed' };
      }}
      refresh={refreshSdwan}
      onClose={onClose}
    />
  );
}
