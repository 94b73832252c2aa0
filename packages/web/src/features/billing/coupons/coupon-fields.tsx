import { t } from '../../../app/i18n.ts';
import { Field, SelectField, TextField } from '../../../ui/field.tsx';
import { DayInput } from '../../../ui/fields/day-input.tsx';
import { NameField, NumberField } from '../../../ui/rule-fields.tsx';
import type { Wrong } from '../../../ui/use-form.ts';
import { bounds, type CouponField, type CouponForm, type NumberName } from './coupon-form.ts';

const labels = {
  percent: 'goods.percent',
  max_uses: 'goods.max_uses',
  valid_days: 'goods.coupon_days',
  per_person: 'goods.per_person',
  per_account: 'goods.per_account',
} as const;

export function CouponFields(props: {
  form: CouponForm;
  wrong: Wrong<CouponField>;
  per: 'per_person' | 'per_account';
}) {
  const { form, wrong, per } = props;
  const used = form.before?.used ?? 0;
  const isFixed = used > 0;
  const fixed = isFixed ? { disabled: true, hint: t('goods.coupon_fixed', { used }) } : {};
  const number = (field: NumberName) => {
    const name = field === 'per' ? per : field;
    return (
      <NumberField
        key={field}
        label={t(labels[name])}
        hint={field === 'per' || field === 'max_uses' ? t('goods.max_uses_hint') : undefined}
        min={bounds[field][0]}
        max={bounds[field][1]}
        value={form.numbers[field]}
        onChange={(value) => form.setNumber(field, value)}
        error={wrong[name]}
      />
    );
  };
  const money = { inputMode: 'text' as const, maxLength: 9 };
  const value = form.kind === 'amount' ? form.texts.amount : form.numbers.percent;
  return (
    <>
      <NameField
        label={t('goods.name')}
        value={form.texts.name}
        onChange={(name) => form.setText('name', name)}
        error={wrong.name}
        autoFocus
      />
      <TextField
        label={t('goods.coupon_code')}
        hint={t('goods.coupon_code_hint')}
        value={form.texts.code}
        maxLength={16}
        onChange={(typed) => form.setText('code', typed.toUpperCase())}
        error={wrong.code}
        {...fixed}
      />
      <SelectField
        label={t('goods.coupon_kind')}
        value={form.kind}
        options={[
          { value: 'amount', label: t('goods.kind_amount') },
          { value: 'share', label: t('goods.kind_share') },
        ]}
        onChange={form.setKind}
        error={wrong.kind}
        disabled={isFixed}
      />
      {isFixed || form.kind === 'amount' ? (
        <TextField
          {...money}
          label={t(form.kind === 'amount' ? 'goods.amount' : 'goods.percent')}
          value={value}
          onChange={(typed) => form.setText('amount', typed)}
          error={wrong.amount ?? wrong.percent}
          disabled={isFixed}
        />
      ) : (
        number('percent')
      )}
      <TextField
        {...money}
        label={t('goods.min_price')}
        value={form.texts.min_price}
        onChange={(typed) => form.setText('min_price', typed)}
        error={wrong.min_price}
      />
      {number('per')}
      {number('max_uses')}
      {form.before ? (
        <Field label={t('goods.coupon_last_day')} error={wrong.until}>
          {({ describedBy, invalid }) => (
            <DayInput
              label={t('goods.coupon_last_day')}
              value={form.until}
              onChange={form.setUntil}
              describedBy={describedBy}
              invalid={invalid}
            />
          )}
        </Field>
      ) : (
        number('valid_days')
      )}
    </>
  );
}
