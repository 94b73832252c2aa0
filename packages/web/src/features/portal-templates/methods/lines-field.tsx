import { Field } from '../../../ui/field.tsx';

/** One value a line. */
export function LinesField(props: {
  label: string;
  hint: string;
  error: string | null | undefined;
  value: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={props.label} hint={props.hint} error={props.error}>
      {({ id, describedBy, invalid }) => (
        <textarea
          id={id}
          className="input"
          rows={3}
          value={props.value}
          disabled={props.readOnly}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
