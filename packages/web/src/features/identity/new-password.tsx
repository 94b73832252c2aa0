import { confirmed } from '@yunxun/contract/rules';
import { t } from '../../app/i18n.ts';
import { fieldError, PasswordField } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/rule-fields.tsx';
import type { Wrong } from '../../ui/use-form.ts';

export interface TwoPasswords {
  password: string;
  again: string;
}

export type NewPassword = 'password' | 'confirm_password';

export function judgePasswords({ password, again }: TwoPasswords): Wrong<NewPassword> {
  return {
    password: fieldError('password', password),
    confirm_password: fieldError('required', again) ?? fieldError(confirmed(password), again),
  };
}

export function NewPasswords(props: {
  value: TwoPasswords;
  onChange: (value: TwoPasswords) => void;
  wrong: Wrong<NewPassword>;
  autoFocus?: boolean;
}) {
  const { value, onChange, wrong } = props;
  return (
    <>
      <NewPasswordField
        label={t('set_password.password')}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        error={wrong.password}
        autoFocus={props.autoFocus ?? false}
      />
      <PasswordField
        label={t('set_password.again')}
        value={value.again}
        onChange={(again) => onChange({ ...value, again })}
        autoComplete="new-password"
        rule={confirmed(value.password)}
        error={wrong.confirm_password}
      />
    </>
  );
}
