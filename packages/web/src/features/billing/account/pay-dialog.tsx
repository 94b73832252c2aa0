import { type ReactNode, useRef, useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { type MessageKey, t } from '../../../app/i18n.ts';
import { newKey } from '../../../app/new-key.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { money } from '../../../ui/format.ts';
import { notify } from '../../../ui/toast.tsx';
import { useForm, type Wrong } from '../../../ui/use-form.ts';
import { CouponField } from './coupon-field.tsx';
import { TransferFacts, type TransferTo } from './transfer-facts.tsx';

type Field = 'method' | 'coupon' | 'amount' | 'count';

interface Ordered {
  payUrl: string | null;
  transfer: TransferTo | null;
  isPaid: boolean;
}

interface Props {
  title: string;
  go: string;
  /** Yuan with two decimals, of goods that coupons and the balance pay. */
  price?: string;
  goods?: Data<'/api/v3/billing/coupon/usable'>['list'][number]['goods'][number];
  /** Order whose attempts to pay share a coupon. */
  item?: string;
  /** What is bought: another choice is another order. */
  choice: string;
  paid: string;
  check?: () => Wrong<Field>;
  order(chosen: { method: string; key: string; coupon?: string }): Promise<Ordered>;
  refresh(): Promise<unknown>;
  onClose: () => void;
  children?: (wrong: Wrong<Field>) => ReactNode;
}

const hints: Readonly<Record<string, MessageKey>> = {
  balance: 'payment.balance_hint',
  sandbox: 'payment.sandbox_hint',
  manual: 'payment.manual_hint',
};

export function PayDialog(props: Props) {
  const { title, go, price, goods, item, choice, paid, check, order, refresh, onClose, children } = props;
  const mayRead = useMay('billing.read');
  const [chosen, setChosen] = useState<string | null>(null);
  const [coupon, setCoupon] = useState('');
  const [transfer, setTransfer] = useState<TransferTo | null>(null);
  const keys = useRef(new Map<string, string>());
  const { data } = useRead('/api/v3/billing/payment/list', {}, { enabled: mayRead });
  const offered = (data?.list ?? []).map((each) => each.method);
  const methods = goods ? ['balance', ...offered] : offered;
  const method = chosen ?? methods[0] ?? '';
  const { wrong, busy, fields, send } = useForm<Field>({ 4107: 'method' });
  const keyOf = (what: string) => {
    const key = keys.current.get(what) ?? newKey();
    keys.current.set(what, key);
    return key;
  };
  const submit = () =>
    send(check?.() ?? {}, async () => {
      const key = keyOf([choice, method, coupon].join(' '));
      const done = await order({ method, key, ...(coupon && { coupon }) });
      if (done.payUrl !== null) return location.assign(done.payUrl);
      await refresh();
      if (done.transfer) return setTransfer(done.transfer);
      notify('ok', done.isPaid ? paid : t('payment.ordered'));
      onClose();
    });
  if (transfer)
    return (
      <Dialog title={title} onClose={onClose} foot={<Button onClick={onClose}>{t('action.close')}</Button>}>
        <TransferFacts to={transfer} />
      </Dialog>
    );
  const hasNone = data !== undefined && methods.length === 0;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={method === ''}>
          {go}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        {children?.(wrong)}
        {price !== undefined && <p>{t('payment.price', { price: money(Number(price)) })}</p>}
        {goods && price !== undefined && mayRead && (
          <CouponField
            goods={goods}
            price={price}
            item={item}
            value={coupon}
            onChange={setCoupon}
            error={wrong.coupon}
          />
        )}
        {hasNone ? (
          <p className="notice">{t('payment.no_method')}</p>
        ) : (
          <SelectField
            label={t('payment.method')}
            value={method}
            options={methods.map((value) => ({
              value,
              label: value === 'manual' ? t('payment.transfer') : paymentName(value),
            }))}
            onChange={setChosen}
            error={wrong.method}
            hint={t(hints[method] ?? 'payment.provider_hint')}
          />
        )}
      </div>
    </Dialog>
  );
}
