import { useState } from 'react';
import { locale, t } from '../../app/i18n.ts';
import { IconButton } from '../button.tsx';
import { date } from '../format.ts';
import { Popup } from '../popup.tsx';
import { dayOf, stepMonth, weeksOf } from './typed-time.ts';
import './time-field.css';

interface Props {
  /** `YYYY-MM-DD`, or what is typed so far. */
  value: string;
  onChange: (value: string) => void;
  label: string;
  min?: string | undefined;
  small?: boolean;
  describedBy?: string | undefined;
  invalid?: true | undefined;
}

export function DayInput({ value, onChange, label, min, small, describedBy, invalid }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <span className="day-input">
      <input
        className={small ? 'input input-s' : 'input'}
        inputMode="numeric"
        autoComplete="off"
        placeholder="YYYY-MM-DD"
        maxLength={10}
        value={typed ?? value}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(dayOf(event.target.value) ?? event.target.value);
        }}
        onBlur={() => setTyped(null)}
      />
      <Popup
        kind="dialog"
        label={t('field.calendar')}
        trigger={(trigger) => <IconButton icon="calendar" label={t('field.calendar')} {...trigger} />}
      >
        {(close) => (
          <Calendar
            value={dayOf(value)}
            min={min}
            onChange={(day) => {
              setTyped(null);
              onChange(day);
              close();
            }}
          />
        )}
      </Popup>
    </span>
  );
}

function Calendar(props: { value: string | null; min: string | undefined; onChange: (day: string) => void }) {
  const today = date(new Date());
  const [month, setMonth] = useState(props.value ?? today);
  const text = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(`${day}T12:00Z`));
  const weeks = weeksOf(month);
  return (
    <div className="calendar">
      <div className="calendar-head">
        <IconButton
          icon="chevron_left"
          label={t('field.month_before')}
          onClick={() => setMonth(stepMonth(month, -1))}
        />
        <strong aria-live="polite">{text(month, { year: 'numeric', month: 'long' })}</strong>
        <IconButton icon="chevron_right" label={t('field.month_after')} onClick={() => setMonth(stepMonth(month, 1))} />
      </div>
      <table>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day} scope="col">
                {text(day, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    aria-label={text(day, { dateStyle: 'full' })}
                    aria-pressed={day === props.value}
                    data-other={day.slice(0, 7) !== month.slice(0, 7) || undefined}
                    data-today={day === today || undefined}
                    disabled={props.min !== undefined && day < props.min}
                    onClick={() => props.onChange(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
