import { t } from '../../app/i18n.ts';
import { Field, PasswordField, TextField } from '../../ui/field.tsx';
import type { MethodDraft } from './draft.ts';

/** App of an identity provider. */
export function LoginFields(props: {
  method: MethodDraft;
  wrong: (field: string) => string | null | undefined;
  readOnly: boolean;
  onChange: (part: Partial<MethodDraft>) => void;
}) {
  const { method, wrong, readOnly, onChange } = props;
  return (
    <>
      <TextField
        label={t('portal.issuer')}
        hint={t('portal.issuer_hint')}
        value={method.issuer}
        maxLength={255}
        disabled={readOnly}
        error={wrong('issuer')}
        onChange={(issuer) => onChange({ issuer })}
      />
      <TextField
        label={t('portal.client_id')}
        hint={t('portal.redirect_hint')}
        value={method.client_id}
        maxLength={255}
        disabled={readOnly}
        error={wrong('client_id')}
        onChange={(client_id) => onChange({ client_id })}
      />
      <PasswordField
        label={t('portal.client_secret')}
        value={method.client_secret}
        maxLength={255}
        autoComplete="new-password"
        disabled={readOnly}
        error={wrong('client_secret')}
        hint={method.secret_set ? t('portal.secret_kept') : undefined}
        onChange={(client_secret) => onChange({ client_secret })}
      />
      <Field label={t('portal.allowed')} hint={t('portal.allowed_hint')} error={wrong('allowed') ?? wrong('allowed.0')}>
        {({ id, describedBy, invalid }) => (
          <textarea
            id={id}
            className="input"
            rows={3}
            value={method.allowed}
            disabled={readOnly}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => onChange({ allowed: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
