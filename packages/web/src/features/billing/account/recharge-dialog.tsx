import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { TextField } from '../../../ui/field.tsx';
import { refreshMoney } from '../refresh-money.ts';
import { PayDialog } from './pay-dialog.tsx';

export function RechargeDialog({ onClose }: { onClose: () => void }) {
  const [amount, setAmount] = useState('');
  return (
    <PayDialog
      title={t('billing.recharge')}
      go={t('billing.recharge_go')}
      choice={amount}
      paid={t('billing.recharge')}
      check={() => ({ amount: amount === '' ? t('validation.required') : null })}
      order={async ({ method, key }) => {
        const { pay_url: payUrl, transfer } = await call('/api/v3/billing/recharge', { amount, method, key });
        return { payUrl, transfer, isPaid: false };
      }}
      refresh={refreshMoney}
      onClose={onClose}
    >
      {(wrong) => (
        <TextField label={t('billing.recharge_amount')} value={amount} onChange={setAmount} error={wrong.amount} />
      )}
    </PayDialog>
  );
}
