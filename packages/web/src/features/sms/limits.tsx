import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { fieldError } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refreshSms } from './refresh.ts';

type Balance = Data<'/api/v3/sms/balance'>;

const maxLow = 100_000;

export function SmsLimits({ balance }: { balance: Balance }) {
  const { limits, sold } = balance;
  return (
    <div className="stack">
      <Card>
        <dl className="facts">
          <dt>{t('sms.limit_phone')}</dt>
          <dd>{t('sms.limit_phone_value', { day: limits.phone_day, seconds: limits.phone_seconds })}</dd>
          <dt>{t('sms.limit_network')}</dt>
          <dd>{t('sms.per_hour', { n: limits.network_hour })}</dd>
          <dt>{t('sms.limit_address')}</dt>
          <dd>{t('sms.per_hour', { n: limits.address_hour })}</dd>
          <dt>{t('sms.limit_alarm')}</dt>
          <dd>{t('sms.per_day', { n: limits.alarm_day })}</dd>
        </dl>
      </Card>
      {sold && <LowBalance saved={balance.low_balance} />}
      {useMay('install.admin') && <Sale sold={sold} />}
    </div>
  );
}

function LowBalance({ saved }: { saved: number | null }) {
  const may = useMay('billing.write');
  const [low, setLow] = useState(saved === null ? '' : String(saved));
  const { wrong, busy, fields, send } = useForm<'low_balance'>();
  const save = () =>
    send({ low_balance: fieldError(whole(1, maxLow), low, true) }, async () => {
      await call('/api/v3/sms/limit/save', { low_balance: low === '' ? null : Number(low) });
      await refreshSms();
      notify('ok', t('sms.low_saved'));
    });
  return (
    <Card title={t('sms.low')}>
      <div ref={fields} className="stack">
        <p className="small dim">{t('sms.low_hint')}</p>
        <NumberField
          label={t('sms.left')}
          min={1}
          max={maxLow}
          value={low}
          onChange={setLow}
          error={wrong.low_balance}
        />
        <div>
          <Button busy={busy} why={may ? undefined : t('sms.why')} onClick={() => void save()}>
            {t('action.save')}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Sale({ sold }: { sold: boolean }) {
  const confirm = t(sold ? 'sms.sale_to_off' : 'sms.sale_to_on');
  const change = () =>
    ask({
      title: confirm,
      body: t('sms.sale_body'),
      confirm,
      act: async () => {
        await call('/api/v3/sms/sale/save', { sold: !sold });
        await refreshSms();
        notify('ok', t('sms.sale_saved'));
      },
    });
  return (
    <Card title={t('sms.sale')}>
      <p>{t(sold ? 'sms.sale_on' : 'sms.sale_off')}</p>
      <Button onClick={change}>{confirm}</Button>
    </Card>
  );
}
