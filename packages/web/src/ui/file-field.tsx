import { Field } from './field.tsx';

interface Props {
  label: string;
  hint: string;
  error: string | null | undefined;
  accept: string;
  onChoose: (file: File | undefined) => void;
}

/** Its hint stays beside an error: it says which files are read. */
export function FileField({ label, hint, error, accept, onChoose }: Props) {
  return (
    <Field label={label} error={error} hint={hint} hintStays>
      {({ id, describedBy, invalid }) => (
        <input
          id={id}
          type="file"
          className="input"
          accept={accept}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          onChange={(event) => onChoose(event.target.files?.[0])}
        />
      )}
    </Field>
  );
}
