import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { TimeBucketField } from '../../ui/fields/time-field.tsx';
import type { Saved } from './subscription.ts';

export type Schedule = Saved['schedule'];

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const maxPeriods = 7;
const workday: Schedule[number] = { days: [1, 2, 3, 4, 5], period: '08:00-20:00' };

export function ScheduleField(props: {
  value: Schedule;
  zone: string;
  wrong: Readonly<Record<string, string | null | undefined>>;
  onChange: (value: Schedule) => void;
}) {
  const { value, zone, wrong, onChange } = props;
  const set = (at: number, part: Partial<Schedule[number]>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <div className="stack stack-s">
      <Choice
        label={t('subscription.when')}
        hideLabel
        value={value.length === 0 ? 'always' : 'sometimes'}
        onChange={(chosen) => onChange(chosen === 'always' ? [] : [workday])}
        options={(['always', 'sometimes'] as const).map((one) => ({ value: one, label: t(`subscription.${one}`) }))}
      />
      {value.map(({ days, period }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: periods have no identity, and their fields keep no state
        <div key={at} className="endpoint stack stack-s">
          <fieldset className="bare">
            <legend className="sr">{t('subscription.days', { n: at + 1 })}</legend>
            <div className="days">
              {weekdays.map((day) => (
                <CheckField
                  key={day}
                  checked={days.includes(day)}
                  onChange={(on) =>
                    set(at, { days: on ? [...days, day].toSorted() : days.filter((other) => other !== day) })
                  }
                >
                  {t(`subscription.day_${day}`)}
                </CheckField>
              ))}
            </div>
            {wrong[`schedule.${at}.days`] && (
              <p className="field-error" role="alert">
                {wrong[`schedule.${at}.days`]}
              </p>
            )}
          </fieldset>
          <div className="endpoint-line">
            <TimeBucketField
              label={t('subscription.period', { n: at + 1 })}
              value={period}
              error={wrong[`schedule.${at}.period`]}
              onChange={(next) => set(at, { period: next })}
            />
            <IconButton
              icon="trash"
              label={t('subscription.period_remove', { n: at + 1 })}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            />
          </div>
        </div>
      ))}
      {value.length > 0 && (
        <>
          {value.length < maxPeriods && (
            <div>
              <Button icon="plus" onClick={() => onChange([...value, { days: [6, 7], period: workday.period }])}>
                {t('subscription.period_add')}
              </Button>
            </div>
          )}
          <p className="small dim">{t('subscription.zone', { zone })}</p>
        </>
      )}
    </div>
  );
}
