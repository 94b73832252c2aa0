import { useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { notifyError } from '../../ui/toast.tsx';

export function InlineEdit(props: {
  label: string;
  value: string;
  maxLength: number;
  numeric?: boolean;
  judge: (value: string) => string | null;
  save: (value: string) => Promise<unknown>;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const trigger = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const edited = useRef(false);
  const wrongId = useId();
  const open = draft !== null;
  useEffect(() => {
    if (open) {
      edited.current = true;
      input.current?.select();
    } else if (edited.current) trigger.current?.querySelector('button')?.focus();
  }, [open]);
  if (draft === null) {
    return (
      <span className="row" ref={trigger}>
        {props.value ? <span>{props.value}</span> : <span className="dim">{t('profile.none')}</span>}
        <Button
          kind="link"
          aria-label={t('profile.edit_value', { name: props.label })}
          onClick={() => setDraft(props.value)}
        >
          {t('action.edit')}
        </Button>
      </span>
    );
  }
  const close = () => {
    setDraft(null);
    setWrong(null);
  };
  const confirm = async () => {
    if (busy) return;
    if (draft === props.value) return close();
    const inputError = props.judge(draft);
    setWrong(inputError);
    if (inputError) return;
    setBusy(true);
    try {
      await props.save(draft);
      close();
    } catch (error) {
      // the field has room for one: the first
      if (error instanceof ApiError && error.code === 422) setWrong(error.message);
      notifyError(error);
    }
    setBusy(false);
  };
  return (
    <span className="inline-edit">
      <input
        ref={input}
        className="input input-s"
        aria-label={props.label}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? wrongId : undefined}
        inputMode={props.numeric ? 'numeric' : 'text'}
        maxLength={props.maxLength}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          if (wrong) setWrong(props.judge(event.target.value));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) void confirm();
          if (event.key === 'Escape') close();
        }}
      />
      <IconButton icon="check" label={t('action.confirm')} busy={busy} onClick={() => void confirm()} />
      <IconButton icon="close" label={t('action.cancel')} onClick={close} />
      {wrong && (
        <span id={wrongId} className="field-error" role="alert">
          <Icon name="alert" size={13} />
          <span>{wrong}</span>
        </span>
      )}
    </span>
  );
}
