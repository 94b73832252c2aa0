import type { ReactNode } from 'react';
import { Field } from './field.tsx';

interface Props {
  label: string;
  value: string;
  rows: number;
  onChange: (value: string) => void;
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Values for machines: fixed width, no spelling check. */
  mono?: boolean;
  className?: string;
  maxLength?: number;
  placeholder?: string;
  disabled?: boolean;
}

export function TextAreaField({ label, error, hint, value, onChange, mono, className, ...input }: Props) {
  return (
    <Field label={label} error={error} hint={hint}>
      {({ id, describedBy, invalid }) => (
        <textarea
          {...input}
          id={id}
          className={['input', className, mono && 'mono'].filter(Boolean).join(' ')}
          value={value}
          spellCheck={mono ? false : undefined}
          autoComplete={mono ? 'off' : undefined}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
