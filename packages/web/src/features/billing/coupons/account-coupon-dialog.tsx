import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { ChecksField } from '../../../ui/checks-field.tsx';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { gatherAll } from '../../../ui/table/gather.ts';
import { useForm } from '../../../ui/use-form.ts';
import type { AccountCoupon } from './coupon-columns.tsx';
import { CouponFields } from './coupon-fields.tsx';
import { type CouponField, useCouponForm } from './coupon-form.ts';

interface Props {
  before: AccountCoupon | null;
  onClose: () => void;
  onDone: () => void;
}

const everything = ['sms', 'sdwan_package'] as const;
const readAccounts = () =>
  gatherAll(
    (page, limit) => call('/api/v3/install/account/list', { page, limit }),
    ({ account_id }) => account_id,
  );

export function AccountCouponDialog({ before, onClose, onDone }: Props) {
  const form = useCouponForm(before && { ...before, per: before.per_account });
  const [goods, setGoods] = useState<AccountCoupon['goods']>(before ? [...before.goods] : [...everything]);
  const [account, setAccount] = useState(before?.account_id ?? '');
  const { data } = useQuery({ queryKey: ['/api/v3/install/account/list', 'coupons'], queryFn: readAccounts });
  const { wrong, busy, fields, send } = useForm<CouponField>({ 4105: 'code' });
  const named = before?.account_id ? [{ account_id: before.account_id, name: before.account ?? '' }] : [];
  const options = [
    { value: '', label: t('goods.all_accounts') },
    ...(data ?? named).map(({ account_id, name }) => ({ value: account_id, label: name })),
  ];
  const save = () =>
    send({ ...form.check('per_account'), goods: goods.length > 0 ? null : t('validation.required') }, async () => {
      const terms = { ...form.terms(), per_account: form.per(), goods, account_id: account || null };
      if (before) {
        const { id, version } = before;
        await call('/api/v3/install/coupon/save', { id, version, ...terms, ...form.newUntil() });
      } else await call('/api/v3/install/coupon/create', { ...terms, valid_days: form.validDays() });
      onDone();
    });
  return (
    <Dialog
      title={t(before ? 'goods.coupon_edit' : 'goods.coupon_create')}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={fields}>
        <CouponFields form={form} wrong={wrong} per="per_account" />
        <ChecksField
          label={t('goods.coupon_goods')}
          value={goods}
          options={everything.map((value) => ({ value, label: t(`goods.for_${value}`) }))}
          onChange={setGoods}
          error={wrong.goods}
        />
        <SelectField
          label={t('goods.coupon_account')}
          value={account}
          options={options}
          onChange={setAccount}
          error={wrong.account_id}
          disabled={before !== null && before.used > 0}
        />
      </div>
    </Dialog>
  );
}
