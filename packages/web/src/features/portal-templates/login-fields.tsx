import type { LoginMethodKind } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import { Field, PasswordField, TextField } from '../../ui/field.tsx';
import type { MethodDraft } from './draft.ts';

/** Of the contract (`portalLimits.allowed`). */
const maxRules = 20;

/** App of an identity provider. */
export function LoginFields(props: {
  kind: LoginMethodKind;
  method: MethodDraft;
  wrong: (field: string) => string | null | undefined;
  readOnly: boolean;
  onChange: (part: Partial<MethodDraft>) => void;
}) {
  const { kind, method, wrong, readOnly, onChange } = props;
  const wrongRule = [...Array(maxRules).keys()].map((at) => wrong(`allowed.${at}`)).find(Boolean) ?? wrong('allowed');
  return (
    <>
      {kind === 'oidc' && (
        <TextField
          label={t('portal.issuer')}
          hint={t('portal.issuer_hint')}
          value={method.issuer}
          maxLength={255}
          disabled={readOnly}
          error={wrong('issuer')}
          onChange={(issuer) => onChange({ issuer })}
        />
      )}
      <TextField
        label={t(`portal.client_id_${kind}`)}
        hint={t('portal.redirect_hint')}
        value={method.client_id}
        maxLength={255}
        disabled={readOnly}
        error={wrong('client_id')}
        onChange={(client_id) => onChange({ client_id })}
      />
      {kind === 'wecom' && (
        <TextField
          label={t('portal.agent_id')}
          value={method.agent_id}
          maxLength={12}
          disabled={readOnly}
          error={wrong('agent_id')}
          onChange={(agent_id) => onChange({ agent_id })}
        />
      )}
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
      {(kind === 'oidc' || kind === 'dingtalk') && (
        <Field label={t('portal.allowed')} hint={t(`portal.allowed_${kind}`)} error={wrongRule}>
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
      )}
    </>
  );
}
