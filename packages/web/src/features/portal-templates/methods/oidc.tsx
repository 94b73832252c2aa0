import { t } from '../../../app/i18n.ts';
import { app, clientOf, LoginFields, linesOf, type TypedApp } from './login.tsx';
import type { MethodSettings } from './method-settings.ts';

export const oidc: MethodSettings<TypedApp> = {
  ...app,
  inputFrom: (typed) => ({ ...clientOf(typed), issuer: typed.issuer.trim(), allowed: linesOf(typed.allowed) }),
  Fields: (props) => (
    <LoginFields {...props} issuer idLabel={t('portal.client_id_oidc')} rulesHint={t('portal.allowed_oidc')} />
  ),
};
