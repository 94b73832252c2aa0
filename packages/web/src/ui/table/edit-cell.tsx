import { type ReactNode, useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { IconButton } from '../button.tsx';
import { type FieldRule, fieldError } from '../field.tsx';
import { notifyError } from '../toast.tsx';

export function EditCell(props: {
  label: string;
  value: string;
  rule: FieldRule;
  save: (value: string) => Promise<unknown>;
  /** Behind the input. */
  unit?: string;
  children: ReactNode;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (draft === null) {
    return (
      <span className="edit-cell">
        {props.children}
        <IconButton
          icon="edit"
          label={`${t('action.edit')} · ${props.label}`}
          className="edit-open"
          onClick={() => setDraft(props.value)}
        />
      </span>
    );
  }
  const cancel = () => {
    setDraft(null);
    setWrong(null);
  };
  const confirm = async () => {
    if (draft === props.value) return cancel();
    const inputError = fieldError(props.rule, draft);
    setWrong(inputError);
    if (inputError) return;
    setBusy(true);
    try {
      await props.save(draft);
      cancel();
    } catch (error) {
      if (error instanceof ApiError && error.code === 422) setWrong(error.message);
      else notifyError(error);
    }
    setBusy(false);
  };
  return (
    <span className="edit-cell">
      <span>
        <input
          className="input input-s"
          aria-label={props.label}
          aria-invalid={wrong ? true : undefined}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this value
          autoFocus
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
              // must not submit a dialog around it
              event.preventDefault();
              void confirm();
            }
            if (event.key === 'Escape') cancel();
          }}
        />
        {props.unit && <span className="small dim edit-unit">{props.unit}</span>}
        {wrong && <span className="field-error">{wrong}</span>}
      </span>
      <IconButton icon="check" label={t('action.confirm')} busy={busy} onClick={confirm} />
      <IconButton icon="close" label={t('action.cancel')} onClick={cancel} />
    </span>
  );
}
