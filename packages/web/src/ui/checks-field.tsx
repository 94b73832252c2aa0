import { CheckField } from './field.tsx';
import './checks-field.css';

export function ChecksField<V extends string>(props: {
  label: string;
  value: readonly V[];
  options: readonly { value: V; label: string; disabled?: boolean }[];
  error: string | null | undefined;
  onChange: (value: V[]) => void;
}) {
  const { label, value, options, error, onChange } = props;
  return (
    <fieldset className="bare" aria-invalid={error ? true : undefined} tabIndex={-1}>
      <legend className="field-label">{label}</legend>
      <div className="days">
        {options.map((option) => (
          <CheckField
            key={option.value}
            checked={value.includes(option.value)}
            disabled={option.disabled ?? false}
            onChange={(on) => onChange(on ? [...value, option.value] : value.filter((other) => other !== option.value))}
          >
            {option.label}
          </CheckField>
        ))}
      </div>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
