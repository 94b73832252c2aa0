import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { TimeField } from '../../ui/fields/time-field.tsx';
import { days, hoursError, type TypedHours, usualHours } from './rule-hours.ts';
import '../../ui/checks-field.css';

/** Weekly hours of a rule. */
const maxHours = 7;

/** Choice between always (null) and weekly hours. */
export function HoursField(props: {
  value: readonly TypedHours[] | null;
  zone: string;
  strict: boolean;
  onChange: (hours: readonly TypedHours[] | null) => void;
}) {
  const { value, zone, strict, onChange } = props;
  const set = (at: number, part: Partial<TypedHours>) =>
    onChange(value?.map((one, index) => (index === at ? { ...one, ...part } : one)) ?? null);
  return (
    <>
      <Choice
        label={t('alarm.hours')}
        value={value ? 'weekly' : 'always'}
        onChange={(chosen) => onChange(chosen === 'always' ? null : [usualHours])}
        options={[
          { value: 'always', label: t('alarm.hours_always') },
          { value: 'weekly', label: t('alarm.hours_weekly') },
        ]}
      />
      {value && <p className="small dim">{t('alarm.hours_about', { zone })}</p>}
      {value?.map((one, at) => {
        const wrong = strict ? hoursError(one) : null;
        const toggle = (day: number) =>
          one.weekdays.includes(day) ? one.weekdays.filter((each) => each !== day) : [...one.weekdays, day];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity but their place
          <fieldset key={at} className="stack stack-s">
            <legend className="sr">{t('alarm.hours_days', { n: at + 1 })}</legend>
            <div className="row days">
              {days.map((day) => (
                <CheckField
                  key={day}
                  checked={one.weekdays.includes(day)}
                  onChange={() => set(at, { weekdays: toggle(day) })}
                >
                  {t(`alarm.day_${day}`)}
                </CheckField>
              ))}
            </div>
            <div className="row hours-times">
              <TimeField label={t('alarm.hours_from')} value={one.from} onChange={(from) => set(at, { from })} />
              <TimeField label={t('alarm.hours_to')} value={one.to} onChange={(to) => set(at, { to })} />
              {value.length > 1 && (
                <IconButton
                  icon="trash"
                  label={t('alarm.hours_remove', { n: at + 1 })}
                  onClick={() => onChange(value.filter((_, index) => index !== at))}
                />
              )}
            </div>
            {wrong && (
              <p className="field-error" role="alert">
                {wrong}
              </p>
            )}
          </fieldset>
        );
      })}
      {value && value.length < maxHours && (
        <div>
          <Button icon="plus" onClick={() => onChange([...value, usualHours])}>
            {t('alarm.hours_add')}
          </Button>
        </div>
      )}
    </>
  );
}
