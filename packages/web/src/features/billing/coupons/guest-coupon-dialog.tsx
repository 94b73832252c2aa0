import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { NetworksField, networksWrong } from '../../../ui/networks-field.tsx';
import { useForm } from '../../../ui/use-form.ts';
import type { GuestCoupon } from './coupon-columns.tsx';
import { CouponFields } from './coupon-fields.tsx';
import { type CouponField, useCouponForm } from './coupon-form.ts';

interface Props {
  before: GuestCoupon | null;
  onClose: () => void;
  onDone: () => void;
}

export function GuestCouponDialog({ before, onClose, onDone }: Props) {
  const form = useCouponForm(before && { ...before, per: before.per_person });
  const [gwids, setGwids] = useState<readonly string[] | null>(before?.gwids ?? null);
  const { wrong, busy, fields, send } = useForm<CouponField>({ 4105: 'code' });
  const save = () =>
    send({ ...form.check('per_person'), gwids: networksWrong(gwids) }, async () => {
      const terms = { ...form.terms(), per_person: form.per(), gwids: gwids && [...gwids] };
      if (before) {
        const { id, version } = before;
        await call('/api/v3/billing/coupon/save', { id, version, ...terms, ...form.newUntil() });
      } else await call('/api/v3/billing/coupon/create', { ...terms, valid_days: form.validDays() });
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
        <CouponFields form={form} wrong={wrong} per="per_person" />
        <NetworksField value={gwids} onChange={setGwids} error={wrong.gwids} own />
      </div>
    </Dialog>
  );
}
