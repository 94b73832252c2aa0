import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { paymentName } from '../../app/payment-name.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { priceText, type SdwanOrder } from './order-row.ts';
import { refreshSdwan } from './refresh.ts';

/** Other methods than the balance need the permission to read them. */
export function PayDialog({
  order: { order_no, name, amount_fen },
  onClose,
}: {
  order: SdwanOrder;
  onClose: () => void;
}) {
  const [method, setMethod] = useState('balance');
  const { data } = useRead('/api/v3/billing/payment/list', {}, { enabled: useMay('billing.read') });
  const { wrong, busy, fields, send } = useForm<'method'>();
  const submit = () =>
    send({ method: null }, async () => {
      const paid = await call('/api/v3/sdwan/order/pay', { order_no, method });
      if (paid.pay_url !== null) return location.assign(paid.pay_url);
      notify('ok', paid.status === 'completed' ? t('sdwan.paid', { name }) : t('sdwan.manual_ordered'));
      onClose();
      await refreshSdwan();
    });
  const methods = ['balance', ...(data?.list ?? []).map((each) => each.method)];
  return (
    <Dialog
      title={t('sdwan.pay_title', { name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('sdwan.pay')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p>{t('sdwan.pay_amount', { price: priceText(amount_fen) })}</p>
        <SelectField
          label={t('sdwan.pay_method')}
          value={method}
          options={methods.map((value) => ({ value, label: paymentName(value) }))}
          onChange={setMethod}
          error={wrong.method}
        />
      </div>
    </Dialog>
  );
}
