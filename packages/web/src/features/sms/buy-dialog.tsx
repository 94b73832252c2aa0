import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { paymentName } from '../../app/payment-name.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refreshSms } from './refresh.ts';

type Packs = Data<'/api/v3/sms/balance'>['packs'];

export function BuySmsDialog({ packs, onClose }: { packs: Packs; onClose: () => void }) {
  const [pack, setPack] = useState(String(packs[0]!.count));
  const [method, setMethod] = useState('balance');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { data } = useRead('/api/v3/billing/payment/list', {});
  const { wrong, busy, fields, send } = useForm<'count' | 'method'>();
  const submit = () =>
    send({}, async () => {
      const order = await call('/api/v3/sms/order/create', { count: Number(pack), method, key });
      if (order.pay_url !== null) return location.assign(order.pay_url);
      notify('ok', t(order.status === 'completed' ? 'sms.bought' : 'sms.ordered'));
      onClose();
      await refreshSms();
    });
  /** Another choice is another order. */
  const chosen = (change: (value: string) => void) => (value: string) => {
    setKey(crypto.randomUUID());
    change(value);
  };
  const methods = ['balance', ...(data?.list ?? []).map((each) => each.method)];
  return (
    <Dialog
      title={t('sms.buy')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('sms.buy_go')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <SelectField
          label={t('sms.pack')}
          value={pack}
          options={packs.map(({ count, amount }) => ({
            value: String(count),
            label: t('sms.pack_of', { count, amount }),
          }))}
          onChange={chosen(setPack)}
          error={wrong.count}
        />
        <SelectField
          label={t('billing.method')}
          value={method}
          options={methods.map((value) => ({ value, label: paymentName(value) }))}
          onChange={chosen(setMethod)}
          error={wrong.method}
        />
      </div>
    </Dialog>
  );
}
