import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { newKey } from '../../../app/new-key.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError, PasswordField, TextField } from '../../../ui/field.tsx';
import { exactTime, money } from '../../../ui/format.ts';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';

type Field = 'amount' | 'holder' | 'bank_card' | 'id_card' | 'withdrawal_password';
const empty: Record<Field, string> = { amount: '', holder: '', bank_card: '', id_card: '', withdrawal_password: '' };

export function WithdrawalDialog({
  terms,
  onClose,
}: {
  terms: Data<'/api/v3/billing/withdrawal/terms'>;
  onClose: () => void;
}) {
  const client = useQueryClient();
  // one key for all attempts: a request whose answer was lost counts once
  const [key] = useState(newKey);
  const [given, setGiven] = useState(empty);
  const { wrong, busy, fields, send } = useForm<Field>({
    4107: 'amount',
    4006: 'withdrawal_password',
    4009: 'withdrawal_password',
  });
  const field = (name: Field) => ({
    value: given[name],
    onChange: (value: string) => setGiven((now) => ({ ...now, [name]: value })),
    error: wrong[name],
  });
  const submit = () =>
    send(
      {
        amount: fieldError('numeric', given.amount),
        holder: fieldError('freeText', given.holder),
        bank_card: fieldError('bankCard', given.bank_card),
        id_card: fieldError('idCard', given.id_card),
        withdrawal_password: fieldError('withdrawalPassword', given.withdrawal_password),
      },
      async () => {
        await call('/api/v3/billing/withdrawal/request', { key, ...given });
        for (const path of ['withdrawal/terms', 'withdrawal/list', 'balance']) {
          await client.invalidateQueries({ queryKey: [`/api/v3/billing/${path}`] });
        }
        notify('ok', t('withdraw.requested', { amount: money(Number(given.amount)) }));
        onClose();
      },
    );
  return (
    <Dialog
      title={t('withdraw.request')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('withdraw.request')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p className="quiet">
          {t('withdraw.rule', {
            min: money(Number(terms.min_amount)),
            rate: String(terms.fee_rate / 100),
            fee: money(Number(terms.min_fee)),
          })}
        </p>
        {terms.unsettled_until !== null && (
          <p className="notice">
            {t('withdraw.unsettled', {
              amount: money(Number(terms.unsettled)),
              time: exactTime(new Date(terms.unsettled_until)),
            })}
          </p>
        )}
        <TextField
          label={t('withdraw.amount')}
          rule="numeric"
          maxLength={13}
          hint={t('withdraw.available', {
            balance: money(Number(terms.balance)),
            frozen: money(Number(terms.frozen)),
            recharged: money(Number(terms.recharged)),
          })}
          {...field('amount')}
        />
        <TextField
          label={t('withdraw.holder')}
          rule="freeText"
          maxLength={60}
          hint={t('withdraw.holder_hint')}
          {...field('holder')}
        />
        <TextField
          label={t('withdraw.bank_card')}
          rule="bankCard"
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          hint={t('withdraw.bank_card_hint')}
          {...field('bank_card')}
        />
        <TextField
          label={t('withdraw.id_card')}
          rule="idCard"
          autoComplete="off"
          maxLength={18}
          {...field('id_card')}
        />
        <PasswordField
          label={t('withdraw.password')}
          rule="withdrawalPassword"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          hint={t('withdraw.password_hint')}
          {...field('withdrawal_password')}
        />
      </div>
    </Dialog>
  );
}
