import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t, textOf } from '../../app/i18n.ts';
import { newKey } from '../../app/new-key.ts';
import { paymentName } from '../../app/payment-name.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField, fieldError, TextField } from '../../ui/field.tsx';
import { money } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { TransferFacts } from './account/transfer-facts.tsx';
import { fenOf } from './amount.ts';
import { refreshMoney } from './refresh-money.ts';
import { amountText } from './refunds/money-columns.tsx';
import { RefundStateTag } from './refunds/refund-state.tsx';

export function OrderDrawer({ orderNo, onClose }: { orderNo: string; onClose: () => void }) {
  const may = useMay('billing.write');
  const { data, error, refetch } = useRead('/api/v3/billing/order/get', { order_no: orderNo });
  const settle = () =>
    ask({
      title: t('billing.settle_title', { no: orderNo }),
      body: t('billing.settle_body'),
      confirm: t('billing.settle'),
      act: async () => {
        await call('/api/v3/billing/order/settle', { order_no: orderNo });
        await refreshMoney();
      },
    });
  return (
    <Dialog title={t('billing.order_title', { no: orderNo })} drawer onClose={onClose}>
      {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!error && !data ? <Skeleton /> : null}
      {data && (
        <div className="stack">
          <p>
            {t('billing.order_line', {
              title: data.title,
              amount: amountText(data.amount, data.currency),
              state: t(`billing.state_${data.state}`),
            })}
          </p>
          <p className="dim">{paymentName(data.method)}</p>
          {data.coupon && (
            <p>{t('payment.coupon_taken', { code: data.coupon.code, off: money(Number(data.coupon.taken_off)) })}</p>
          )}
          {data.transfer && <TransferFacts to={data.transfer} />}
          {data.currency === 'XTS' && <p>{t('billing.play_money_why')}</p>}
          {may && data.method === 'manual' && (data.state === 'incomplete' || data.state === 'expired') && (
            <Button onClick={settle}>{t('billing.settle')}</Button>
          )}
          <h3>{t('billing.journal')}</h3>
          {data.journal.length === 0 && <p className="dim">{t('billing.journal_none')}</p>}
          {data.journal.length > 0 && (
            <table className="plain-table">
              <thead>
                <tr>
                  <th>{t('billing.time')}</th>
                  <th>{t('books.ledger')}</th>
                  <th className="right">{t('books.debit')}</th>
                  <th className="right">{t('books.credit')}</th>
                </tr>
              </thead>
              <tbody>
                {data.journal.map(({ transaction_id: id, ledger, amount, at }) => (
                  <tr key={`${id} ${ledger}`}>
                    <td className="nowrap">
                      <ShortTime at={at} />
                    </td>
                    <td>{textOf(`books.ledger_${ledger}`) ?? ledger}</td>
                    {[Number(amount), -Number(amount)].map((side, nth) => (
                      <td key={nth === 0 ? 'debit' : 'credit'} className="right nowrap">
                        {side > 0 ? amountText(side, data.currency) : ''}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {data.refunds.length > 0 && <h3>{t('billing.refunds')}</h3>}
          <ul>
            {data.refunds.map(({ at, amount, reason, by, state, failure }) => (
              <li key={at}>
                <ShortTime at={at} />{' '}
                {t(reason ? 'billing.refund_line' : 'billing.refund_elsewhere', {
                  amount: amountText(amount, data.currency),
                  by,
                  reason,
                })}{' '}
                <RefundStateTag state={state} failure={failure} />
              </li>
            ))}
          </ul>
          {may && data.state === 'completed' && (
            <Refund
              orderNo={orderNo}
              unused={data.unused}
              isUsed={fenOf(data.unused) < fenOf(data.amount) - fenOf(data.refunded)}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

function Refund({ orderNo, unused, isUsed }: { orderNo: string; unused: string; isUsed: boolean }) {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [used, setUsed] = useState(false);
  const [key, setKey] = useState(newKey);
  const { wrong, busy, fields, send } = useForm<'amount' | 'reason'>({ 4107: 'amount', 4104: 'amount' });
  const submit = () =>
    send(
      {
        amount: amount === '' ? t('validation.required') : null,
        reason: fieldError('required', reason),
      },
      async () => {
        const { waiting } = await call('/api/v3/billing/order/refund', {
          order_no: orderNo,
          amount,
          reason,
          used,
          key,
        });
        setKey(newKey);
        notify('ok', t(waiting ? 'billing.refund_waits' : 'billing.refund_done'));
        await refreshMoney();
      },
    );
  return (
    <div ref={fields} className="stack">
      <h3>{t('billing.refund')}</h3>
      <TextField
        label={t('billing.refund_amount')}
        {...(isUsed && { hint: t('billing.refund_unused', { amount: money(Number(unused)) }) })}
        value={amount}
        onChange={setAmount}
        error={wrong.amount}
      />
      {isUsed && (
        <CheckField checked={used} onChange={setUsed} hint={t('billing.refund_used_hint')}>
          {t('billing.refund_used')}
        </CheckField>
      )}
      <TextField
        label={t('billing.refund_reason')}
        value={reason}
        onChange={setReason}
        error={wrong.reason}
        maxLength={200}
      />
      <Button kind="danger" busy={busy} onClick={() => void submit()}>
        {t('billing.refund')}
      </Button>
    </div>
  );
}
