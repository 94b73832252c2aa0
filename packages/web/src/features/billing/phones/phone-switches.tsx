import type { PaymentSwitch } from '@yunxun/contract/payment-fields';
import { t } from '../../../app/i18n.ts';
import { SwitchField } from '../../../ui/field.tsx';

interface PhoneSwitchesProps {
  names: readonly PaymentSwitch[];
  on: readonly PaymentSwitch[];
  onChange: (on: PaymentSwitch[]) => void;
  webhook: string;
}

export function PhoneSwitches({ names, on, onChange, webhook }: PhoneSwitchesProps) {
  const { host } = new URL(webhook);
  const directory = webhook.replace('/webhook/', '/') + '/';
  return names.map((name) => (
    <div key={name}>
      <SwitchField
        checked={on.includes(name)}
        onChange={(checked) => onChange(names.filter((one) => (one === name ? checked : on.includes(one))))}
      >
        {t(`pay_setup.switch_${name}`)}
      </SwitchField>
      <p className="quiet">{t(`pay_setup.switch_${name}_hint`, { host, directory })}</p>
    </div>
  ));
}
