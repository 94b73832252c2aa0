import { t } from '../../../app/i18n.ts';
import { app, clientOf, LoginFields, linesOf, type TypedApp } from './login.tsx';
import type { MethodSettings } from './method-settings.ts';

export const dingtalk: MethodSettings<TypedApp> = {
  ...app,
  inputFrom: (typed) => ({ ...clientOf(typed), allowed: linesOf(typed.allowed) }),
  Fields: (props) => (
    <LoginFields {...props} idLabel={t('portal.client_id_dingtalk')} rulesHint={t('portal.allowed_dingtalk')} />
  ),
};
