import { codeLength, neededLength, type VoucherAlphabet, voucherAlphabets } from '@yunxun/contract/voucher-codes';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';

export interface Made {
  name: string;
  minutes: number;
  devices: number;
  until: string;
  codes: readonly string[];
}

const bounds = {
  count: [1, 1000],
  minutes: [0, 43_200],
  devices: [1, 100],
  valid_days: [1, 3650],
  length: [codeLength.min, codeLength.max],
} as const;
type NumberName = keyof typeof bounds;
const wholeOf = (text: string) => whole(...bounds.count).test(text);

interface Props {
  gwid: string;
  onClose: () => void;
  onMade: (batch: Made) => void;
}

export function VoucherDialog({ gwid, onClose, onMade }: Props) {
  const [name, setName] = useState('');
  const [numbers, setNumbers] = useState({ count: '', minutes: '', devices: '1', valid_days: '90', length: '8' });
  const [characters, setCharacters] = useState<VoucherAlphabet>('mixed');
  const valid = useRead('/api/v3/portal/voucher/count', { gwid }).data?.valid ?? null;
  const least =
    wholeOf(numbers.count) && valid !== null ? neededLength(characters, valid + Number(numbers.count)) : null;
  const short =
    least !== null && Number(numbers.length) < least ? t('site_portal.batch_too_short', { n: least }) : null;
  const form = useForm<NumberName | 'name'>();
  const wrong = (field: NumberName) => {
    const [min, max] = bounds[field];
    return whole(min, max).test(numbers[field]) ? null : t('validation.between', { min, max });
  };
  const create = () =>
    form.send(
      {
        name: fieldError('nameText', name),
        count: wrong('count'),
        minutes: wrong('minutes'),
        devices: wrong('devices'),
        valid_days: wrong('valid_days'),
        length: wrong('length') ?? short,
      },
      async () => {
        const [minutes, devices] = [Number(numbers.minutes), Number(numbers.devices)];
        const { codes, valid_until: until } = await call('/api/v3/portal/voucher/create', {
          gwid,
          name,
          characters,
          minutes,
          devices,
          count: Number(numbers.count),
          valid_days: Number(numbers.valid_days),
          length: Number(numbers.length),
        });
        onMade({ name, minutes, devices, until, codes });
      },
    );
  const number = (field: NumberName, label: string, hint?: string) => (
    <NumberField
      label={label}
      hint={hint}
      min={bounds[field][0]}
      max={bounds[field][1]}
      value={numbers[field]}
      onChange={(value) => setNumbers((now) => ({ ...now, [field]: value }))}
      error={form.wrong[field]}
    />
  );
  return (
    <Dialog
      title={t('site_portal.batch_create')}
      onClose={onClose}
      onSubmit={create}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('site_portal.batch_create')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <NameField
          label={t('site_portal.batch_name')}
          value={name}
          onChange={setName}
          error={form.wrong.name}
          autoFocus
        />
        {number('count', t('site_portal.batch_count'))}
        {number('minutes', t('site_portal.batch_minutes'), t('site_portal.batch_minutes_hint'))}
        {number('devices', t('site_portal.batch_devices'))}
        {number('valid_days', t('site_portal.batch_days'), t('site_portal.batch_days_hint'))}
        <SelectField
          label={t('site_portal.batch_characters')}
          value={characters}
          options={voucherAlphabets.map((value) => ({ value, label: t(`site_portal.characters_${value}`) }))}
          onChange={setCharacters}
        />
        {number(
          'length',
          t('site_portal.batch_length'),
          least === null || valid === null ? undefined : t('site_portal.batch_length_hint', { n: least, valid }),
        )}
      </div>
    </Dialog>
  );
}
