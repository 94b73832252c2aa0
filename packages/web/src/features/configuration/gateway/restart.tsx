import { edgeDays } from '@yunxun/contract/gateway-limits';
import { t } from '../../../app/i18n.ts';
import { CheckField, SwitchField, TextField } from '../../../ui/field.tsx';
import { TimeField } from '../../../ui/fields/time-field.tsx';
import type { Draft, Gate } from './draft.ts';
import { type Part, Section } from './parts.tsx';

export function Restart(
  props: Part & {
    reboot: Draft['reboot'];
    timeZone: string;
    gates: readonly Gate[];
    change: (reboot: Draft['reboot']) => void;
  },
) {
  const { reboot, change, errorAt, readOnly: disabled } = props;
  return (
    <Section title={t('gateway.restart')} hint={t('gateway.restart_hint')}>
      {props.gates.includes('no_reboot') && <p className="notice notice-warn">{t('gateway.gate_no_reboot')}</p>}
      <SwitchField
        checked={reboot !== null}
        disabled={disabled}
        onChange={(on) => change(on ? { days: ['mon'], at: '04:30', time_zone: props.timeZone } : null)}
      >
        {t('gateway.restart_on')}
      </SwitchField>
      {reboot && (
        <div className="gateway-fields">
          <fieldset className="bands gateway-wide">
            <legend className="field-label">{t('gateway.days')}</legend>
            {edgeDays.map((day) => (
              <CheckField
                key={day}
                checked={reboot.days.includes(day)}
                disabled={disabled}
                onChange={(on) =>
                  change({
                    ...reboot,
                    days: edgeDays.filter((each) => (each === day ? on : reboot.days.includes(each))),
                  })
                }
              >
                {t(`gateway.day_${day}`)}
              </CheckField>
            ))}
            {errorAt('reboot.days') && <p className="field-error gateway-wide">{errorAt('reboot.days')}</p>}
          </fieldset>
          <TimeField
            label={t('gateway.at')}
            value={reboot.at}
            disabled={disabled}
            error={errorAt('reboot.at')}
            onChange={(at) => change({ ...reboot, at })}
          />
          <TextField
            label={t('gateway.time_zone')}
            value={reboot.time_zone}
            disabled={disabled}
            error={errorAt('reboot.time_zone')}
            onChange={(zone) => change({ ...reboot, time_zone: zone.trim() })}
          />
        </div>
      )}
    </Section>
  );
}
