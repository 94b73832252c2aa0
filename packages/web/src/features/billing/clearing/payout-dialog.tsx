import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { CheckField, fieldError, SelectField, TextField } from '../../../ui/field.tsx';
import { date } from '../../../ui/format.ts';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { type Provider, providers, refreshClearing } from './clearing-data.ts';

const fieldNames = ['number', 'day', 'gross', 'fee', 'first_day', 'last_day'] as const;
type FieldName = (typeof fieldNames)[number];

export function PayoutDialog({ onClose }: { onClose: () => void }) {
  const [provider, setProvider] = useState<Provider>('wechat');
  const [given, setGiven] = useState<Record<FieldName, string>>({
    number: '',
    day: date(new Date()),
    gross: '',
    fee: '',
    first_day: '',
    last_day: '',
  });
  const [difference, setDifference] = useState(false);
  const { wrong, busy, fields, send } = useForm<FieldName>();
  const field = (name: FieldName) => ({
    label: t(`clearing.${name}`),
    value: given[name],
    onChange: (value: string) => setGiven((now) => ({ ...now, [name]: value.trim() })),
    error: wrong[name],
  });
  const submit = () =>
    send(
      Object.fromEntries(fieldNames.map((name) => [name, fieldError('required', given[name])])) as Record<
        FieldName,
        string | null
      >,
      async () => {
        const { movements } = await call('/api/v3/install/clearing/payout/create', { provider, ...given, difference });
        await refreshClearing();
        notify('ok', t('clearing.payout_done', { n: movements }));
        onClose();
      },
    );
  const day = { placeholder: 'YYYY-MM-DD', maxLength: 10 };
  return (
    <Dialog
      title={t('clearing.enter_payout')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('clearing.book')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p className="quiet">{t('clearing.payout_about')}</p>
        <SelectField
          label={t('clearing.provider')}
          value={provider}
          options={providers.map((value) => ({ value, label: paymentName(value) }))}
          onChange={setProvider}
        />
        <TextField {...field('number')} maxLength={64} hint={t('clearing.number_hint')} />
        <TextField {...field('day')} {...day} />
        <TextField {...field('gross')} maxLength={14} />
        <TextField {...field('fee')} maxLength={14} />
        <TextField {...field('first_day')} {...day} />
        <TextField {...field('last_day')} {...day} />
        <CheckField checked={difference} onChange={setDifference}>
          {t('clearing.allow_difference')}
        </CheckField>
      </div>
    </Dialog>
  );
}
