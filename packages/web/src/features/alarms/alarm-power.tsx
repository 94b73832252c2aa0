import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { exactTime, mac } from '../../ui/format.ts';

type Power = NonNullable<Data<'/api/v3/alarm/detail'>['power']>;

export function AlarmPower({ power }: { power: Power }) {
  const { state, cycled_at: at, returned_at: back } = power;
  const where = [power.switch || (power.serial && mac(power.serial)), power.port].filter(Boolean).join(' · ');
  return (
    <p className={state === 'returned' ? 'notice' : 'notice notice-warn'}>
      {at !== null && t('alarm.power_at', { at: exactTime(new Date(at)), where })} {text(power, back)}
    </p>
  );
}

function text({ state, reason }: Power, back: string | null): string {
  if (state === 'skipped') return t(`alarm.power_skipped_${reason ?? 'refused'}`);
  if (state === 'returned' && back) return t('alarm.power_returned', { at: exactTime(new Date(back)) });
  return t(state === 'failed' ? 'alarm.power_failed' : 'alarm.power_waiting');
}
