import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError, SelectField, TextField } from '../../../ui/field.tsx';
import { date, money } from '../../../ui/format.ts';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { type Payout, type Provider, placeName, providers, refreshClearing } from './clearing-data.ts';

type Source = Provider | 'own';

/** @param payout the batch that arrived; null: chosen in the form */
export function ArrivalDialog({ payout, onClose }: { payout: Payout | null; onClose: () => void }) {
  const [source, setSource] = useState<Source>(payout?.provider ?? 'own');
  const [number, setNumber] = useState(payout?.number ?? '');
  const [day, setDay] = useState(date(new Date()));
  const [reference, setReference] = useState('');
  const [amount, setAmount] = useState(payout ? (Number(payout.net) - Number(payout.arrived)).toFixed(2) : '');
  const { wrong, busy, fields, send } = useForm<'payout' | 'day' | 'reference' | 'amount'>();
  const isOwn = source === 'own';
  const submit = () =>
    send(
      {
        day: fieldError('required', day),
        reference: fieldError('required', reference),
        amount: fieldError('required', amount),
      },
      async () => {
        await call('/api/v3/install/clearing/arrival/create', {
          provider: isOwn ? null : source,
          ...(!isOwn && number && { payout: number }),
          day,
          reference,
          amount,
        });
        await refreshClearing();
        notify('ok', t('clearing.arrival_done', { amount: money(Number(amount)) }));
        onClose();
      },
    );
  const options: readonly Source[] = ['own', ...providers];
  return (
    <Dialog
      title={t('clearing.enter_arrival')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('clearing.book')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <SelectField
          label={t('clearing.source')}
          value={source}
          disabled={payout !== null}
          options={options.map((value) => ({ value, label: placeName(value === 'own' ? null : value) }))}
          onChange={setSource}
        />
        {!isOwn && (
          <TextField
            label={t('clearing.number')}
            hint={t('clearing.arrival_number_hint')}
            maxLength={64}
            disabled={payout !== null}
            value={number}
            onChange={(value) => setNumber(value.trim())}
            error={wrong.payout}
          />
        )}
        <TextField
          label={t('clearing.day')}
          placeholder="YYYY-MM-DD"
          maxLength={10}
          value={day}
          onChange={(value) => setDay(value.trim())}
          error={wrong.day}
        />
        <TextField
          label={t('clearing.reference')}
          maxLength={100}
          value={reference}
          onChange={setReference}
          error={wrong.reference}
        />
        <TextField
          label={t('clearing.amount')}
          hint={isOwn ? t('clearing.own_hint') : undefined}
          maxLength={14}
          value={amount}
          onChange={(value) => setAmount(value.trim())}
          error={wrong.amount}
        />
      </div>
    </Dialog>
  );
}
