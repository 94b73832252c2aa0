import { useState } from 'react';
import type { Data, Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useForm } from '../../ui/use-form.ts';
import { VoucherSheet } from './voucher-sheet.tsx';

type Batch = Row<'/api/v3/portal/voucher/list'>;
type Vouchers = Data<'/api/v3/portal/voucher/reveal'>['vouchers'];

export function VoucherAgain({ gwid, batch, onClose }: { gwid: string; batch: Batch; onClose: () => void }) {
  const [which, setWhich] = useState<'unused' | 'all'>('unused');
  const [vouchers, setVouchers] = useState<Vouchers | null>(null);
  const { busy, send } = useForm<never>();
  const show = () =>
    send({}, async () => setVouchers((await call('/api/v3/portal/voucher/reveal', { gwid, id: batch.id })).vouchers));
  if (vouchers) {
    const codes = vouchers.filter(({ used }) => which === 'all' || !used).map(({ code }) => code);
    const { name, minutes, devices, valid_until: until } = batch;
    const used = new Set(vouchers.flatMap((voucher) => (voucher.used ? [voucher.code] : [])));
    return <VoucherSheet gwid={gwid} batch={{ name, minutes, devices, until, codes }} used={used} onClose={onClose} />;
  }
  return (
    <Dialog
      title={t('site_portal.print_again_title', { name: batch.name })}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" busy={busy} onClick={() => void show()}>
            {t('site_portal.codes_show')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('site_portal.codes_logged')}</p>
        <Choice
          label={t('site_portal.codes_which')}
          value={which}
          onChange={setWhich}
          options={(['unused', 'all'] as const).map((value) => ({ value, label: t(`site_portal.codes_${value}`) }))}
        />
      </div>
    </Dialog>
  );
}
