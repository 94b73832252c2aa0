import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { TimeField } from '../../ui/fields/time-field.tsx';
import { Card } from '../../ui/page.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { bounds, type Draft, type HoursDraft, newHours } from './draft.ts';

const week = [1, 2, 3, 4, 5, 6, 7] as const;

/** Opening hours, and what the own gateway does while the console is away. */
export function Opening(props: {
  draft: Pick<Draft, 'hours' | 'away'>;
  wrong: Wrong<string>;
  readOnly: boolean;
  onChange: (part: Partial<Pick<Draft, 'hours' | 'away'>>) => void;
}) {
  const { draft, wrong, readOnly, onChange } = props;
  const { hours, away } = draft;
  const change = (ref: string, part: Partial<HoursDraft>) =>
    onChange({ hours: hours.map((row) => (row.ref === ref ? { ...row, ...part } : row)) });
  return (
    <Card title={t('portal.opening')}>
      <div className="stack stack-s">
        <p className="small dim">{t('portal.opening_hint')}</p>
        {hours.map((row, index) => (
          <fieldset key={row.ref} className="stack stack-s portal-hours">
            <legend className="sr">{t('portal.hours_n', { n: index + 1 })}</legend>
            <div className="row days">
              {week.map((day) => (
                <CheckField
                  key={day}
                  checked={row.days.includes(day)}
                  disabled={readOnly}
                  onChange={(on) =>
                    change(row.ref, {
                      days: on ? [...row.days, day].toSorted() : row.days.filter((one) => one !== day),
                    })
                  }
                >
                  {t(`alarm.day_${day}`)}
                </CheckField>
              ))}
            </div>
            {wrong[`hours.${index}.days`] && (
              <p className="field-error" role="alert">
                {wrong[`hours.${index}.days`]}
              </p>
            )}
            <div className="row">
              {(['from', 'to'] as const).map((field) => (
                <TimeField
                  key={field}
                  label={t(`portal.hours_${field}`)}
                  value={row[field]}
                  disabled={readOnly}
                  error={wrong[`hours.${index}.${field}`]}
                  onChange={(value) => change(row.ref, { [field]: value })}
                />
              ))}
              {!readOnly && (
                <IconButton
                  icon="trash"
                  label={t('portal.hours_remove', { n: index + 1 })}
                  onClick={() => onChange({ hours: hours.filter((one) => one !== row) })}
                />
              )}
            </div>
          </fieldset>
        ))}
        {!readOnly && hours.length < bounds.hours && (
          <div>
            <Button icon="plus" onClick={() => onChange({ hours: [...hours, newHours()] })}>
              {t('portal.hours_add')}
            </Button>
          </div>
        )}
        <SelectField
          label={t('portal.away')}
          value={away}
          disabled={readOnly}
          onChange={(value) => onChange({ away: value })}
          options={(['closed', 'open'] as const).map((value) => ({ value, label: t(`portal.away_${value}`) }))}
        />
        <p className="small dim">{t('portal.away_hint')}</p>
      </div>
    </Card>
  );
}
