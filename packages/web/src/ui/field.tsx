import { type Rule, type RuleKey, ruleErrorOf, rules } from '@yunxun/contract/rules';
import { type ReactNode, type Ref, useId, useState } from 'react';
import { type MessageKey, t } from '../app/i18n.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { useShownError } from './shown-error.ts';

export type FieldRule = RuleKey | Rule;

/** Empty optional fields are valid. */
export function fieldError(rule: FieldRule, value: string, optional = false): string | null {
  if (optional && value === '') return null;
  const found = ruleErrorOf(typeof rule === 'string' ? rules[rule] : rule, value);
  return found && t(found.key as MessageKey, found.params);
}

interface Shell {
  label: string;
  describedBy?: string | undefined;
  error?: string | null | undefined;
  hint?: ReactNode;
  hintStays?: boolean | undefined;
  children: (ids: { id: string; describedBy: string | undefined; invalid: true | undefined }) => ReactNode;
  hideLabel?: boolean;
}

export function Field({ label, error, hint, hintStays, children, hideLabel, describedBy }: Shell) {
  const id = useId();
  const note = `${id}-note`;
  const shownHint = error && !hintStays ? null : hint;
  const hintId = error ? `${id}-hint` : note;
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? 'sr' : undefined}>
        {label}
      </label>
      {children({
        id,
        describedBy: [error && note, shownHint && hintId, describedBy].filter(Boolean).join(' ') || undefined,
        invalid: error ? true : undefined,
      })}
      {error && (
        <div id={note} className="field-error" role="alert">
          <Icon name="alert" size={13} />
          <span>{error}</span>
        </div>
      )}
      {shownHint && (
        <div id={hintId} className="field-hint">
          {shownHint}
        </div>
      )}
    </div>
  );
}

interface TextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  rule?: FieldRule;
  optional?: boolean;
  /** From form or server; replaces the rule's until the value changes. */
  error?: string | null | undefined;
  hint?: ReactNode;
  hintStays?: boolean;
  type?: 'text' | 'email' | 'tel' | 'number' | 'password';
  autoComplete?: string;
  placeholder?: string;
  inputMode?: 'numeric' | 'tel' | 'email' | 'text';
  maxLength?: number;
  disabled?: boolean;
  hideLabel?: boolean;
  autoFocus?: boolean;
  after?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
  describedBy?: string | undefined;
  onBlur?: () => void;
}

export function TextField(props: TextProps) {
  const [left, setLeft] = useState(false);
  const own = props.rule ? fieldError(props.rule, props.value, props.optional) : null;
  const shownError = useShownError(props.error, props.value, own);
  return (
    <Field
      label={props.label}
      error={shownError ?? (left && props.value !== '' ? own : null)}
      hint={props.hint}
      hintStays={props.hintStays}
      hideLabel={props.hideLabel ?? false}
      describedBy={props.describedBy}
    >
      {({ id, describedBy, invalid }) => (
        <div className="input-group">
          <input
            id={id}
            ref={props.inputRef}
            className="input"
            type={props.type ?? 'text'}
            value={props.value}
            autoComplete={props.autoComplete ?? 'off'}
            placeholder={props.placeholder}
            inputMode={props.inputMode}
            maxLength={props.maxLength}
            disabled={props.disabled}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            // biome-ignore lint/a11y/noAutofocus: only the first field of a dialog or of the sign-in form
            autoFocus={props.autoFocus}
            onChange={(event) => props.onChange(event.target.value)}
            onBlur={(event) => {
              // an error that appears during a click would move the button away
              if (event.relatedTarget?.matches(':active'))
                addEventListener('click', () => setLeft(true), { once: true });
              else setLeft(true);
              props.onBlur?.();
            }}
          />
          {props.after}
        </div>
      )}
    </Field>
  );
}

export function PasswordField(props: Omit<TextProps, 'type' | 'after'>) {
  const [shown, setShown] = useState(false);
  const [caps, setCaps] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the keys of the field inside
    <div onKeyUp={(event) => setCaps(event.getModifierState('CapsLock'))}>
      <TextField
        {...props}
        type={shown ? 'text' : 'password'}
        after={
          <span className="input-inside">
            <IconButton
              icon={shown ? 'eye_off' : 'eye'}
              label={shown ? t('field.hide_password') : t('field.show_password')}
              onClick={() => setShown(!shown)}
            />
          </span>
        }
      />
      {/* beside an error too: caps lock may be its cause */}
      <div className="field-hint" aria-live="polite">
        {caps && t('field.caps_lock')}
      </div>
    </div>
  );
}

interface Option<V extends string> {
  value: V;
  label: string;
  disabled?: boolean;
}

export function SelectField<V extends string>(props: {
  label: string;
  value: V;
  options: readonly Option<V>[];
  onChange: (value: V) => void;
  hint?: ReactNode;
  error?: string | null | undefined;
  hideLabel?: boolean;
  small?: boolean;
  disabled?: boolean;
}) {
  const shownError = useShownError(props.error, props.value);
  return (
    <Field label={props.label} hint={props.hint} error={shownError} hideLabel={props.hideLabel ?? false}>
      {({ id, describedBy, invalid }) => (
        <select
          id={id}
          className={props.small ? 'input input-s' : 'input'}
          value={props.value}
          disabled={props.disabled}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          onChange={(event) => {
            const chosen = props.options.find((option) => option.value === event.target.value);
            if (chosen) props.onChange(chosen.value);
          }}
        >
          {props.options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  checked,
  onChange,
  children,
  disabled,
  error,
  hint,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  disabled?: boolean;
  error?: string | null | undefined;
  hint?: string;
}) {
  const note = useId();
  const about = useId();
  const shownError = useShownError(error, checked);
  const box = (
    <label className="check">
      <input
        type="checkbox"
        className="box"
        checked={checked}
        disabled={disabled}
        aria-invalid={shownError ? true : undefined}
        aria-describedby={[shownError && note, hint && about].filter(Boolean).join(' ') || undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
  // a plain label, which tables and dialogs lay out
  if (error === undefined && hint === undefined) return box;
  return (
    <div className={error === undefined ? undefined : 'field'}>
      {box}
      {hint !== undefined && (
        <span id={about} className="check-hint small dim">
          {hint}
        </span>
      )}
      {shownError && (
        <div id={note} className="field-error" role="alert">
          <Icon name="alert" size={13} />
          <span>{shownError}</span>
        </div>
      )}
    </div>
  );
}

export function SwitchField({
  checked,
  onChange,
  children,
  disabled,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  disabled?: boolean;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
