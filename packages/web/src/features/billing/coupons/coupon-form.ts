import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { fieldError } from '../../../ui/field.tsx';
import { date } from '../../../ui/format.ts';
import { whole } from '../../../ui/rule-fields.tsx';
import { amountWrong } from '../amount.ts';
import type { GuestCoupon } from './coupon-columns.tsx';

export const bounds = { percent: [1, 99], per: [0, 100], max_uses: [0, 1_000_000], valid_days: [1, 3650] } as const;
export type NumberName = keyof typeof bounds;
export type CouponField =
  | Exclude<NumberName, 'per'>
  | 'per_person'
  | 'per_account'
  | TextName
  | 'until'
  | 'kind'
  | 'gwids'
  | 'goods'
  | 'account_id';
type TextName = 'name' | 'code' | 'amount' | 'min_price';

export type Before = Pick<
  GuestCoupon,
  'id' | 'version' | 'name' | 'code' | 'kind' | 'amount' | 'percent' | 'min_price' | 'max_uses' | 'until' | 'used'
> & { per: number };

const inField = (uses: number | undefined) => (uses === undefined ? '' : String(uses));

/** What coupons of guests and of accounts have in common. */
export function useCouponForm(before: Before | null) {
  const [texts, setTexts] = useState({
    name: before?.name ?? '',
    code: before?.code ?? '',
    amount: before?.amount ?? '',
    min_price: before?.min_price ?? '',
  });
  const [kind, setKind] = useState<'amount' | 'share'>(before?.kind ?? 'amount');
  const [numbers, setNumbers] = useState<Record<NumberName, string>>({
    percent: before?.kind === 'share' ? String(before.percent) : '',
    per: String(before?.per ?? 1),
    max_uses: inField(before?.max_uses),
    valid_days: '30',
  });
  // the day whose end is the coupon's
  const lastDay = before ? date(new Date(Date.parse(before.until) - 1)) : '';
  const [until, setUntil] = useState(lastDay);
  const wrong = (field: NumberName) => {
    const [min, max] = bounds[field];
    return whole(min, max).test(numbers[field]) ? null : t('validation.between', { min, max });
  };
  const amountError = Number(texts.amount) > 0 ? amountWrong(texts.amount) : t('validation.yuan');
  return {
    before,
    texts,
    kind,
    setKind,
    numbers,
    until,
    setUntil,
    setText: (name: TextName, value: string) => setTexts((now) => ({ ...now, [name]: value })),
    setNumber: (name: NumberName, value: string) => setNumbers((now) => ({ ...now, [name]: value })),

    check: (per: 'per_person' | 'per_account') => ({
      name: fieldError('nameText', texts.name),
      amount: kind === 'amount' ? amountError : null,
      min_price: amountWrong(texts.min_price),
      code: /^[A-Z0-9]{4,16}$/.test(texts.code) ? null : t('goods.coupon_code_hint'),
      percent: kind === 'share' ? wrong('percent') : null,
      [per]: wrong('per'),
      max_uses: wrong('max_uses'),
      valid_days: before ? null : wrong('valid_days'),
    }),

    terms: () => ({
      ...texts,
      kind,
      amount: kind === 'amount' ? texts.amount : '0',
      percent: Number(numbers.percent) || 1,
      max_uses: Number(numbers.max_uses),
    }),
    per: () => Number(numbers.per),
    validDays: () => Number(numbers.valid_days),
    newUntil: () => (until === lastDay ? {} : { until }),
  };
}

export type CouponForm = ReturnType<typeof useCouponForm>;
