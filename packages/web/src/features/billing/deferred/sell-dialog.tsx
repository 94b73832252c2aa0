import { useState } from 'react';
import type { Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError } from '../../../ui/field.tsx';
import { NumberField, whole } from '../../../ui/rule-fields.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { refreshCards } from '../refresh-cards.ts';

const most = 1000;

/** Marks cards of a batch as sold. */
export function SellDialog({
  batch: { id, name, unused, sold, face },
  onClose,
}: {
  batch: Row<'/api/v3/recharge_card/batch/list'>;
  onClose: () => void;
}) {
  const unsold = unused - sold;
  const [count, setCount] = useState('');
  const form = useForm<'count'>();
  const send = () =>
    form.send({ count: fieldError(whole(1, Math.min(most, unsold)), count) }, async () => {
      const done = await call('/api/v3/recharge_card/sell', { batch_id: id, count: Number(count), unsold });
      notify('ok', t('goods.sold_n', { n: done.sold }));
      onClose();
      await refreshCards();
    });
  return (
    <Dialog
      title={t('goods.sell_title', { name })}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('goods.sell')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <p>{t('goods.sell_body', { n: unsold, face })}</p>
        <NumberField
          label={t('goods.count')}
          min={1}
          max={Math.min(most, unsold)}
          value={count}
          onChange={setCount}
          error={form.wrong.count}
        />
      </div>
    </Dialog>
  );
}
