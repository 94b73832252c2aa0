import { t } from '../../../app/i18n.ts';
import { app, clientOf, LoginFields, type TypedApp } from './login.tsx';
import type { MethodSettings } from './method-settings.ts';

export const wechat: MethodSettings<TypedApp> = {
  ...app,
  inputFrom: clientOf,
  Fields: (props) => <LoginFields {...props} idLabel={t('portal.client_id_wechat')} />,
};
