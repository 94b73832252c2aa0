import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Field } from '../field.tsx';
import { Icon } from '../icon.tsx';
import './file-field.css';

interface Props {
  label: string;
  hint?: string | undefined;
  error: string | null | undefined;
  accept?: string;
  onChoose: (file: File | undefined) => void;
  /** Shown file; absent: the chosen one. */
  chosen?: string | null;
}

/** The browser's own button has the browser's language. Its hint says which files are read. */
export function FileField({ label, hint, error, accept, onChoose, chosen }: Props) {
  const [own, setOwn] = useState<string | null>(null);
  const name = chosen === undefined ? own : chosen;
  return (
    <Field label={label} error={error} hint={hint} hintStays>
      {({ id, describedBy, invalid }) => (
        <div className="file-field input">
          <span className="btn" aria-hidden="true">
            <Icon name="file" size={16} />
            {t('field.choose_file')}
          </span>
          <span className={name === null ? 'ellipsis dim' : 'ellipsis'}>{name ?? t('field.no_file')}</span>
          <input
            id={id}
            type="file"
            accept={accept}
            // absent: the browser's own words
            title={name ?? ''}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            onChange={(event) => {
              const file = event.target.files?.[0];
              setOwn(file?.name ?? null);
              onChoose(file);
              // the same file can be chosen again
              event.target.value = '';
            }}
          />
        </div>
      )}
    </Field>
  );
}
