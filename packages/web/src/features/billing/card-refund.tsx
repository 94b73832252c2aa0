import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError } from '../../ui/field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { RechargeCard } from './goods-rows.ts';
import { refreshMoney } from './refresh-money.ts';

export function CardRefund({ card, onClose }: { card: RechargeCard; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [used, setUsed] = useState(false);
  const form = useForm<'reason' | 'used'>();
  const send = () =>
    form.send({ reason: fieldError('freeText', reason) }, async () => {
      const { waiting } = await call('/api/v3/recharge_card/refund', { id: card.id, reason, used });
      notify('ok', t(waiting ? 'billing.refund_waits' : 'goods.refund_done'));
      onClose();
      await refreshMoney();
    });
  return (
    <Dialog
      title={t('goods.refund_title', { code: card.code })}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('goods.refund')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <p>{t('goods.refund_body')}</p>
        <FreeTextField
          label={t('goods.reason')}
          value={reason}
          onChange={setReason}
          error={form.wrong.reason}
          autoFocus
        />
        <CheckField
          checked={used}
          onChange={setUsed}
          error={form.wrong.used ?? null}
          hint={t('billing.refund_used_hint')}
        >
          {t('billing.refund_used')}
        </CheckField>
      </div>
    </Dialog>
  );
}
