import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, TextField } from '../../ui/field.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refreshWithdrawals } from './any-withdrawal.ts';

const path = '/api/v3/install/withdrawal/rule';
const maxRate = 5000;

export function WithdrawalRule({ onClose }: { onClose: () => void }) {
  const { data } = useRead(path, {});
  return data ? <RuleForm saved={data} onClose={onClose} /> : null;
}

function RuleForm({ saved: shown, onClose }: { saved: Data<typeof path>; onClose: () => void }) {
  // it may be read anew
  const [saved] = useState(shown);
  const [least, setLeast] = useState(saved.min_amount);
  const [rate, setRate] = useState(String(saved.fee_rate));
  const [fee, setFee] = useState(saved.min_fee);
  const [two, setTwo] = useState(saved.two_persons_above ?? '');
  const [settled, setSettled] = useState(saved.clearing === 'settled');
  const { wrong, busy, fields, send } = useForm<'min_amount' | 'fee_rate' | 'min_fee' | 'two_persons_above'>();
  const submit = () =>
    send(
      {
        min_amount: fieldError('numeric', least),
        fee_rate: fieldError(whole(0, maxRate), rate),
        min_fee: fieldError('numeric', fee),
        two_persons_above: fieldError('numeric', two, true),
      },
      async () => {
        const rule = {
          min_amount: least,
          fee_rate: Number(rate),
          min_fee: fee,
          two_persons_above: two || null,
          clearing: settled ? ('settled' as const) : ('off' as const),
        };
        const { waiting } = await call('/api/v3/install/withdrawal/rule/save', changedFields(rule, saved));
        await refreshWithdrawals();
        notify('ok', waiting ? t('withdraw.limit_waits') : t('withdraw.saved'));
        onClose();
      },
    );
  return (
    <Dialog
      title={t('withdraw.settings')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <TextField label={t('withdraw.min_amount')} value={least} onChange={setLeast} error={wrong.min_amount} />
        <NumberField
          label={t('withdraw.fee_rate')}
          min={0}
          max={maxRate}
          value={rate}
          onChange={setRate}
          error={wrong.fee_rate}
        />
        <TextField label={t('withdraw.min_fee')} value={fee} onChange={setFee} error={wrong.min_fee} />
        <TextField
          label={t('withdraw.two_persons')}
          hint={t('withdraw.two_persons_hint')}
          value={two}
          onChange={setTwo}
          error={wrong.two_persons_above}
        />
        <CheckField checked={settled} onChange={setSettled} hint={t('withdraw.settled_hint')}>
          {t('withdraw.settled_only')}
        </CheckField>
      </div>
    </Dialog>
  );
}
