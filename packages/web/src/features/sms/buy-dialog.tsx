import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { SelectField } from '../../ui/field.tsx';
import { PayDialog } from '../billing/index.ts';
import { refreshSms } from './refresh.ts';

type Packs = Data<'/api/v3/sms/balance'>['packs'];

export function BuySmsDialog({ packs, onClose }: { packs: Packs; onClose: () => void }) {
  const [pack, setPack] = useState(String(packs[0]!.count));
  const { count, amount } = packs.find((one) => String(one.count) === pack)!;
  return (
    <PayDialog
      title={t('sms.buy')}
      go={t('sms.buy_go')}
      price={amount}
      goods="sms"
      choice={pack}
      paid={t('sms.bought')}
      order={async (chosen) => {
        const { pay_url: payUrl, transfer, status } = await call('/api/v3/sms/order/create', { count, ...chosen });
        return { payUrl, transfer, isPaid: status === 'completed' };
      }}
      refresh={refreshSms}
      onClose={onClose}
    >
      {(wrong) => (
        <SelectField
          label={t('sms.pack')}
          value={pack}
          options={packs.map((one) => ({ value: String(one.count), label: t('sms.pack_of', one) }))}
          onChange={setPack}
          error={wrong.count}
        />
      )}
    </PayDialog>
  );
}
