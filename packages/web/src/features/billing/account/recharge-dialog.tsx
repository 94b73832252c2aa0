import { useState } from 'react';
import { call } from '../../app/client.ts';
import { type MessageKey, t } from '../../app/i18n.ts';
import { newKey } from '../../app/new-key.ts';
import { paymentName } from '../../app/payment-name.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

const hints: Readonly<Record<string, MessageKey>> = {
  sandbox: 'billing.sandbox_hint',
  manual: 'billing.manual_hint',
};

export function RechargeDialog({ onClose }: { onClose: () => void }) {
  const [amount, setAmount] = useState('');
  const [chosen, setMethod] = useState<string | null>(null);
  const [key, setKey] = useState(newKey);
  const { data } = useRead('/api/v3/billing/payment/list', {});
  const method = chosen ?? data?.list[0]?.method ?? 'manual';
  // back from the payment page, another amount is another order
  const changed = (set: (value: string) => void) => (value: string) => {
    set(value);
    setKey(newKey);
  };
  const { wrong, busy, fields, send } = useForm<'amount' | 'method'>();
  const submit = () =>
    send({ amount: amount === '' ? t('validation.required') : null }, async () => {
      const { pay_url: payUrl } = await call('/api/v3/billing/recharge', { amount, method, key });
      if (payUrl !== null) return location.assign(payUrl);
      notify('ok', t('billing.manual_ordered'));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/billing/transaction/list'] });
    });
  const options = (data?.list ?? []).map((each) => ({
    value: each.method,
    label: paymentName(each.method),
  }));
  return (
    <Dialog
      title={t('billing.recharge')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={!data}>
          {t('billing.recharge_go')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <TextField
          label={t('billing.recharge_amount')}
          value={amount}
          onChange={changed(setAmount)}
          error={wrong.amount}
        />
        <SelectField
          label={t('billing.method')}
          value={method}
          options={options}
          onChange={changed(setMethod)}
          error={wrong.method}
          hint={t(hints[method] ?? 'billing.provider_hint')}
        />
      </div>
    </Dialog>
  );
}
