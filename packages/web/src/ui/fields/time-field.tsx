import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Field } from '../field.tsx';
import { Icon } from '../icon.tsx';
import { useShownError } from '../shown-error.ts';
import { isWholeTime, stepTime, timeOf } from './typed-time.ts';
import './time-field.css';

interface InputProps {
  /** `HH:MM`, or what is typed so far. */
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean | undefined;
  id?: string;
  label?: string;
  describedBy?: string | undefined;
  invalid?: true | undefined;
}

const stepMinutes = 15;

/** 24 hours in every browser. Arrows move it. */
export function TimeInput({ value, onChange, disabled, id, label, describedBy, invalid }: InputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const change = (raw: string) => {
    const text = raw.replace(/[^\d０-９:：.．]/g, '');
    setTyped(text);
    onChange((isWholeTime(text) && timeOf(text)) || text);
  };
  const complete = () => {
    setTyped(null);
    const time = timeOf(value);
    if (time !== null && time !== value) onChange(time);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) complete();
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    setTyped(null);
    onChange(stepTime(value, way * (event.shiftKey ? 60 : stepMinutes)));
  };
  return (
    <input
      id={id}
      className="input time-input"
      inputMode="numeric"
      autoComplete="off"
      placeholder="00:00"
      maxLength={5}
      value={typed ?? value}
      disabled={disabled}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      onChange={(event) => change(event.target.value)}
      onKeyDown={onKey}
      onBlur={complete}
    />
  );
}

interface Props extends Pick<InputProps, 'value' | 'onChange' | 'disabled'> {
  label: string;
  error?: string | null | undefined;
  hint?: ReactNode;
}

export function TimeField({ label, value, onChange, disabled, error, hint }: Props) {
  const shown = useShownError(error, value);
  return (
    <Field label={label} error={shown ?? timeError(value)} hint={hint}>
      {(ids) => <TimeInput {...ids} value={value} onChange={onChange} disabled={disabled} />}
    </Field>
  );
}

function timeError(value: string): string | null {
  return value.length >= 5 && timeOf(value) === null ? t('field.time_wrong') : null;
}

/** `22:00-07:00` */
export function TimeBucketField({ label, value, onChange, disabled, error, hint }: Props) {
  const shown = useShownError(error, value);
  const [from = '', to = ''] = value.split('-');
  const set = (first: string, last: string) => onChange(first === '' && last === '' ? '' : `${first}-${last}`);
  const overnight = timeOf(from) !== null && timeOf(to) !== null && to <= from;
  return (
    <Field label={label} error={shown ?? timeError(from) ?? timeError(to)} hint={hint}>
      {({ id, ...ids }) => (
        <div className="time-range">
          <TimeInput {...ids} id={id} value={from} onChange={(next) => set(next, to)} disabled={disabled} />
          <span aria-hidden="true">–</span>
          <TimeInput
            {...ids}
            label={t('field.time_until', { label })}
            value={to}
            onChange={(next) => set(from, next)}
            disabled={disabled}
          />
          {overnight && (
            <span className="small dim nowrap">
              <Icon name="moon" size={13} /> {t('field.next_day')}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}
