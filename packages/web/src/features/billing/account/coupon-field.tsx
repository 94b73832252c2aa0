import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { ApiError } from '../../../app/api-error.ts';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { money } from '../../../ui/format.ts';
import { couponValue } from '../coupons/coupon-value.ts';

type Goods = Data<'/api/v3/billing/coupon/usable'>['list'][number]['goods'][number];

const typed = 'typed';
const codePattern = /^[A-Z0-9]{4,16}$/;

interface Props {
  goods: Goods;
  /** Yuan with two decimals. */
  price: string;
  item: string | undefined;
  value: string;
  onChange: (code: string) => void;
  error: string | null | undefined;
}

export function CouponField({ goods, price, item, value, onChange, error }: Props) {
  const [isTyping, setTyping] = useState(false);
  const of = item === undefined ? {} : { item };
  const { data } = useRead('/api/v3/billing/coupon/usable', of);
  const quote = useRead(
    '/api/v3/billing/coupon/quote',
    { coupon: value, goods, price, ...of },
    { enabled: codePattern.test(value) },
  );
  const refusal = quote.error instanceof ApiError ? quote.error.fields.coupon?.[0] : undefined;
  const fitting = (data?.list ?? []).filter(
    (one) => one.goods.includes(goods) && Number(one.min_price) <= Number(price),
  );
  const options = [
    { value: '', label: t('payment.coupon_none') },
    ...fitting.map((one) => ({
      value: one.code,
      label: t('payment.coupon_of', { name: one.name, value: couponValue(one) }),
    })),
    { value: typed, label: t('payment.coupon_type') },
  ];
  const hint =
    value !== '' && quote.data
      ? t('payment.coupon_quote', {
          off: money(Number(quote.data.taken_off)),
          price: money(Number(quote.data.price)),
        })
      : undefined;
  const shown = error ?? (value === '' ? null : refusal);
  return (
    <>
      <SelectField
        label={t('payment.coupon')}
        value={isTyping ? typed : value}
        options={options}
        onChange={(chosen) => {
          setTyping(chosen === typed);
          onChange(chosen === typed ? '' : chosen);
        }}
        error={isTyping ? null : shown}
        hint={isTyping ? undefined : hint}
      />
      {isTyping && (
        <TextField
          label={t('payment.coupon_code')}
          value={value}
          maxLength={16}
          onChange={(code) => onChange(code.trim().toUpperCase())}
          error={shown}
          hint={hint}
        />
      )}
    </>
  );
}
