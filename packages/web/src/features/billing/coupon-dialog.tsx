import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField, TextField } from '../../ui/field.tsx';
import { NetworksField, networksWrong } from '../../ui/networks-field.tsx';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';
import { amountWrong } from './amount.ts';

const bounds = { percent: [1, 99], per_person: [0, 100], max_uses: [0, 1_000_000], valid_days: [1, 3650] } as const;
type NumberName = keyof typeof bounds;
const labels: Readonly<
  Record<NumberName, 'goods.percent' | 'goods.per_person' | 'goods.max_uses' | 'goods.coupon_days'>
> = {
  percent: 'goods.percent',
  per_person: 'goods.per_person',
  max_uses: 'goods.max_uses',
  valid_days: 'goods.coupon_days',
};
const hints: Partial<Record<NumberName, 'goods.per_person_hint' | 'goods.max_uses_hint'>> = {
  per_person: 'goods.per_person_hint',
  max_uses: 'goods.max_uses_hint',
};

export function CouponDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [kind, setKind] = useState<'amount' | 'share'>('amount');
  const [amount, setAmount] = useState('');
  const [minPrice, setMinPrice] = useState('');
  const [numbers, setNumbers] = useState({ percent: '', per_person: '1', max_uses: '', valid_days: '30' });
  const [gwids, setGwids] = useState<readonly string[] | null>(null);
  const form = useForm<NumberName | 'name' | 'code' | 'amount' | 'min_price' | 'gwids'>({ 4105: 'code' });
  const wrong = (field: NumberName) => {
    const [min, max] = bounds[field];
    return whole(min, max).test(numbers[field]) ? null : t('validation.between', { min, max });
  };
  const amountError = () => (kind === 'share' ? null : Number(amount) > 0 ? amountWrong(amount) : t('validation.yuan'));
  const save = () =>
    form.send(
      {
        name: fieldError('nameText', name),
        amount: amountError(),
        min_price: amountWrong(minPrice),
        code: /^[A-Z0-9]{4,16}$/.test(code) ? null : t('goods.coupon_code_hint'),
        percent: kind === 'share' ? wrong('percent') : null,
        per_person: wrong('per_person'),
        max_uses: wrong('max_uses'),
        valid_days: wrong('valid_days'),
        gwids: networksWrong(gwids),
      },
      async () => {
        await call('/api/v3/billing/coupon/create', {
          name,
          code,
          kind,
          amount: kind === 'amount' ? amount : '0',
          percent: Number(numbers.percent) || 1,
          min_price: minPrice,
          per_person: Number(numbers.per_person),
          max_uses: Number(numbers.max_uses),
          valid_days: Number(numbers.valid_days),
          gwids: gwids && [...gwids],
        });
        onDone();
      },
    );
  const number = (field: NumberName) => (
    <NumberField
      key={field}
      label={t(labels[field])}
      hint={hints[field] && t(hints[field])}
      min={bounds[field][0]}
      max={bounds[field][1]}
      value={numbers[field]}
      onChange={(value) => setNumbers((now) => ({ ...now, [field]: value }))}
      error={form.wrong[field]}
    />
  );
  const money = { inputMode: 'text' as const, maxLength: 9 };
  return (
    <Dialog
      title={t('goods.coupon_create')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <NameField label={t('goods.name')} value={name} onChange={setName} error={form.wrong.name} autoFocus />
        <TextField
          label={t('goods.coupon_code')}
          hint={t('goods.coupon_code_hint')}
          value={code}
          maxLength={16}
          onChange={(typed) => setCode(typed.toUpperCase())}
          error={form.wrong.code}
        />
        <SelectField
          label={t('goods.coupon_kind')}
          value={kind}
          options={[
            { value: 'amount', label: t('goods.kind_amount') },
            { value: 'share', label: t('goods.kind_share') },
          ]}
          onChange={setKind}
        />
        {kind === 'amount' ? (
          <TextField
            {...money}
            label={t('goods.amount')}
            value={amount}
            onChange={setAmount}
            error={form.wrong.amount}
          />
        ) : (
          number('percent')
        )}
        <TextField
          {...money}
          label={t('goods.min_price')}
          value={minPrice}
          onChange={setMinPrice}
          error={form.wrong.min_price}
        />
        {number('per_person')}
        {number('max_uses')}
        {number('valid_days')}
        <NetworksField value={gwids} onChange={setGwids} error={form.wrong.gwids} own />
      </div>
    </Dialog>
  );
}
