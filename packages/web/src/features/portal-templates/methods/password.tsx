import { t } from '../../../app/i18n.ts';
import { fieldError, PasswordField } from '../../../ui/field.tsx';
import type { MethodSettings } from './method-settings.ts';

export const password: MethodSettings<{ password: string }> = {
  empty: { password: '' },
  typedFrom: () => ({ password: '' }),
  inputFrom: (typed) => (typed.password === '' ? {} : typed),
  errorsIn: (typed, kept) => ({
    password: typed.password === '' && kept ? null : fieldError('passwordFilter', typed.password),
  }),
  Fields: ({ typed, kept, wrong, readOnly, onChange }) => (
    <PasswordField
      label={t('portal.password')}
      value={typed.password}
      rule="passwordFilter"
      maxLength={64}
      autoComplete="new-password"
      disabled={readOnly}
      error={wrong('password')}
      hint={kept ? t('portal.password_kept') : undefined}
      onChange={(value) => onChange({ password: value })}
    />
  ),
};
