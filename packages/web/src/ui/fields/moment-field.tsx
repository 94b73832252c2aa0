import { type ReactNode, useId, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { clock, date } from '../format.ts';
import { Icon } from '../icon.tsx';
import { useShownError } from '../shown-error.ts';
import { DayInput } from './day-input.tsx';
import { TimeInput } from './time-field.tsx';
import { dayOf, stepDay, stepTime, timeOf } from './typed-time.ts';

interface Props {
  label: string;
  /** `2026-11-20T08:05` in the person's time zone; empty while it is incomplete. */
  value: string;
  onChange: (value: string) => void;
  error?: string | null | undefined;
  hint?: ReactNode;
}

const halves = (value: string) => {
  const [day = '', time = ''] = value.split('T');
  return { day, time };
};

/** A chosen day takes the next full hour. */
export function MomentField({ label, value, onChange, error, hint }: Props) {
  const [typed, setTyped] = useState(() => halves(value));
  const id = useId();
  const now = joined(typed) === value ? typed : halves(value);
  const shown = useShownError(error, value) ?? wrongOf(now);
  const set = (next: { day: string; time: string }) => {
    setTyped(next);
    onChange(joined(next));
  };
  const note = shown || hint ? id : undefined;
  const invalid = shown ? true : undefined;
  return (
    <fieldset className="field bare">
      <legend className="field-label">{label}</legend>
      <div className="moment">
        <DayInput
          label={t('field.date_of', { label })}
          value={now.day}
          describedBy={note}
          invalid={invalid}
          min={date(new Date())}
          onChange={(day) => set({ day, time: now.time || (dayOf(day) === null ? '' : nextHour(day)) })}
        />
        <TimeInput
          label={t('field.time_of', { label })}
          value={now.time}
          describedBy={note}
          invalid={invalid}
          onChange={(time) => set({ day: now.day, time })}
        />
      </div>
      {shown ? (
        <div id={id} className="field-error" role="alert">
          <Icon name="alert" size={13} />
          <span>{shown}</span>
        </div>
      ) : (
        hint && (
          <div id={id} className="field-hint">
            {hint}
          </div>
        )
      )}
    </fieldset>
  );
}

function joined({ day, time }: { day: string; time: string }): string {
  const [known, at] = [dayOf(day), timeOf(time)];
  return known !== null && at !== null ? `${known}T${at}` : '';
}

function nextHour(day: string): string {
  const now = new Date();
  return day === date(now) ? stepTime(`${clock(now).slice(0, 2)}:00`, 60) : '09:00';
}

function wrongOf({ day, time }: { day: string; time: string }): string | null {
  if (day.length >= 8 && dayOf(day) === null) return t('field.date_wrong', { example: stepDay(date(new Date()), 1) });
  return time.length >= 5 && timeOf(time) === null ? t('field.time_wrong') : null;
}
