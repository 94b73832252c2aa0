import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { money } from '../../ui/format.ts';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type AnyWithdrawal, settled } from './any-withdrawal.ts';

interface Props {
  row: AnyWithdrawal;
  onClose: () => void;
}

export function PayDialog({ row, onClose }: Props) {
  const [receipt, setReceipt] = useState('');
  const [payee, setPayee] = useState<Data<'/api/v3/install/withdrawal/payee'> | null>(null);
  const { wrong, busy, fields, send } = useForm<'receipt'>({ 4121: 'receipt' });
  const show = () => call('/api/v3/install/withdrawal/payee', { id: row.id }).then(setPayee, notifyError);
  const submit = () =>
    send({ receipt: fieldError('required', receipt) }, async () => {
      await call('/api/v3/install/withdrawal/pay', { id: row.id, receipt });
      await settled();
      onClose();
    });
  return (
    <Dialog
      title={t('withdraw.pay')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('withdraw.pay')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p>
          <strong>{t('withdraw.transfer', { amount: money(Number(row.amount) - Number(row.fee)) })}</strong>
        </p>
        {payee ? (
          <p>
            {payee.holder}
            <br />
            {payee.bank_card}
            <br />
            {payee.id_card}
          </p>
        ) : (
          <>
            <Button onClick={() => void show()}>{t('withdraw.show')}</Button>
            <p className="small dim">{t('withdraw.show_body')}</p>
          </>
        )}
        <p className="quiet">{t('withdraw.pay_body')}</p>
        <TextField
          label={t('withdraw.receipt')}
          rule="required"
          maxLength={100}
          value={receipt}
          onChange={setReceipt}
          error={wrong.receipt}
        />
      </div>
    </Dialog>
  );
}

export function RefuseDialog({ row, onClose }: Props) {
  const act = async (reason: string) => {
    await call('/api/v3/install/withdrawal/refuse', { id: row.id, reason });
    await settled();
  };
  return <ReasonDialog title={t('withdraw.refuse')} label={t('withdraw.reason')} act={act} onClose={onClose} />;
}
