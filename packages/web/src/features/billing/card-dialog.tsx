import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField, TextField } from '../../ui/field.tsx';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';
import { amountWrong } from './amount.ts';

/** New cards with their codes, which are nowhere else. */
export interface MadeCards {
  name: string;
  package: string;
  face: string;
  codes: readonly string[];
}

interface Props {
  onClose: () => void;
  onMade: (cards: MadeCards) => void;
}

export function CardDialog({ onClose, onMade }: Props) {
  const { data } = useRead('/api/v3/billing/package/list', { limit: 200, sort: 'name', order: 'asc' });
  const packages = data?.list.filter(({ enabled }) => enabled) ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [face, setFace] = useState('');
  const [prefix, setPrefix] = useState('');
  const [count, setCount] = useState('');
  const [days, setDays] = useState('365');
  const form = useForm<'name' | 'package_id' | 'face' | 'count' | 'prefix' | 'valid_days'>();
  const sold = packages.find(({ id }) => id === chosen);
  const between = (text: string, min: number, max: number) =>
    whole(min, max).test(text) ? null : t('validation.between', { min, max });
  const choose = (id: string) => {
    setChosen(id);
    setFace(packages.find((one) => one.id === id)?.price ?? '');
  };
  const create = () =>
    form.send(
      {
        name: fieldError('nameText', name),
        package_id: sold ? null : t('validation.required'),
        face: face === '' ? t('validation.required') : amountWrong(face),
        count: between(count, 1, 10_000),
        valid_days: between(days, 1, 3650),
        prefix: /^[A-Z0-9]{0,6}$/.test(prefix) ? null : t('validation.cardPrefix'),
      },
      async () => {
        const { codes, package_name } = await call('/api/v3/recharge_card/generate', {
          name,
          package_id: sold!.id,
          face,
          prefix,
          count: Number(count),
          valid_days: Number(days),
        });
        onMade({ name, face, codes, package: package_name });
      },
    );
  return (
    <Dialog
      title={t('goods.cards_make')}
      onClose={onClose}
      onSubmit={create}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('goods.cards_make')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <NameField label={t('goods.batch')} value={name} onChange={setName} error={form.wrong.name} autoFocus />
        <SelectField
          label={t('goods.package')}
          value={sold?.id ?? ''}
          options={[
            { value: '', label: t('goods.package_choose') },
            ...packages.map(({ id, name: label }) => ({ value: id, label })),
          ]}
          onChange={choose}
          error={form.wrong.package_id}
        />
        <TextField
          label={t('goods.face')}
          hint={t('goods.face_hint')}
          value={face}
          onChange={setFace}
          error={form.wrong.face}
          inputMode="text"
          maxLength={9}
        />
        <NumberField
          label={t('goods.count')}
          min={1}
          max={10_000}
          value={count}
          onChange={setCount}
          error={form.wrong.count}
        />
        <TextField
          label={t('goods.prefix')}
          hint={t('goods.prefix_hint')}
          value={prefix}
          onChange={(value) => setPrefix(value.toUpperCase())}
          error={form.wrong.prefix}
          maxLength={6}
        />
        <NumberField
          label={t('goods.card_valid_days')}
          min={1}
          max={3650}
          value={days}
          onChange={setDays}
          error={form.wrong.valid_days}
        />
      </div>
    </Dialog>
  );
}
