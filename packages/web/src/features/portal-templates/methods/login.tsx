import { t } from '../../../app/i18n.ts';
import { PasswordField, TextField } from '../../../ui/field.tsx';
import { TextAreaField } from '../../../ui/text-area-field.tsx';
import type { FieldsProps, MethodShown } from './method-settings.ts';

/** Limit of the contract. */
const maxRules = 20;

const noApp = { issuer: '', client_id: '', agent_id: '', client_secret: '', allowed: '' };
export const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);

export type TypedApp = typeof noApp;

export const app = {
  empty: noApp,
  typedFrom: (shown: MethodShown): TypedApp => ({
    ...noApp,
    issuer: shown.issuer ?? '',
    client_id: shown.client_id ?? '',
    agent_id: shown.agent_id ?? '',
    allowed: (shown.allowed ?? []).join('\n'),
  }),
};

export const clientOf = ({ client_id, client_secret }: TypedApp) => ({
  client_id: client_id.trim(),
  ...(client_secret === '' ? {} : { client_secret }),
});

export function LoginFields(
  props: FieldsProps<TypedApp> & { idLabel: string; issuer?: true; agentId?: true; rulesHint?: string },
) {
  const { typed, kept, wrong, readOnly, onChange, idLabel, issuer, agentId, rulesHint } = props;
  return (
    <>
      {issuer && (
        <TextField
          label={t('portal.issuer')}
          hint={t('portal.issuer_hint')}
          value={typed.issuer}
          maxLength={255}
          disabled={readOnly}
          error={wrong('issuer')}
          onChange={(value) => onChange({ issuer: value })}
        />
      )}
      <TextField
        label={idLabel}
        hint={t('portal.redirect_hint')}
        value={typed.client_id}
        maxLength={255}
        disabled={readOnly}
        error={wrong('client_id')}
        onChange={(client_id) => onChange({ client_id })}
      />
      {agentId && (
        <TextField
          label={t('portal.agent_id')}
          value={typed.agent_id}
          maxLength={12}
          disabled={readOnly}
          error={wrong('agent_id')}
          onChange={(agent_id) => onChange({ agent_id })}
        />
      )}
      <PasswordField
        label={t('portal.client_secret')}
        value={typed.client_secret}
        maxLength={255}
        autoComplete="new-password"
        disabled={readOnly}
        error={wrong('client_secret')}
        hint={kept ? t('portal.secret_kept') : undefined}
        onChange={(client_secret) => onChange({ client_secret })}
      />
      {rulesHint && (
        <TextAreaField
          rows={3}
          label={t('portal.allowed')}
          hint={rulesHint}
          error={Array.from({ length: maxRules }, (_, at) => wrong(`allowed.${at}`)).find(Boolean) ?? wrong('allowed')}
          value={typed.allowed}
          disabled={readOnly}
          onChange={(allowed) => onChange({ allowed })}
        />
      )}
    </>
  );
}
