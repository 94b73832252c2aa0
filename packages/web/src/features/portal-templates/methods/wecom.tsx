import { t } from '../../../app/i18n.ts';
import { app, clientOf, LoginFields, type TypedApp } from './login.tsx';
import type { MethodSettings } from './method-settings.ts';

export const wecom: MethodSettings<TypedApp> = {
  ...app,
  inputFrom: (typed) => ({ ...clientOf(typed), agent_id: typed.agent_id.trim() }),
  Fields: (props) => <LoginFields {...props} agentId idLabel={t('portal.client_id_wecom')} />,
};
