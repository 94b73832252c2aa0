import { useState } from 'react';
import { call, callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signUp } from '../../app/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { EmailField, MobileField } from '../../ui/rule-fields.tsx';
import { SentCode } from '../../ui/sent-code.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useAfterSignIn } from './after-sign-in.ts';
import { Agreement } from './agreement.tsx';
import { judgePasswords, type NewPassword, NewPasswords } from './new-password.tsx';

type Field = 'mobile' | 'email' | 'sms_code' | 'email_code' | NewPassword | 'agreed';

export function RegisterForm({ way, login }: { way: 'mobile' | 'email'; login: string }) {
  const [name, setName] = useState(login);
  const [code, setCode] = useState('');
  const [secret, setSecret] = useState({ password: '', again: '' });
  const [agreed, setAgreed] = useState(false);
  const enter = useAfterSignIn();
  const NameField = way === 'mobile' ? MobileField : EmailField;
  const codeName = way === 'mobile' ? 'sms_code' : 'email_code';
  // 4007: wrong code; 4010: name taken
  const form = useForm<Field, HTMLFormElement>({ 4007: codeName, 4010: way });
  const register = () => {
    const input = { password: secret.password, confirm_password: secret.again };
    return way === 'mobile'
      ? callForToken('/api/v3/register_for_sms_code', { mobile: name, sms_code: code, ...input })
      : callForToken('/api/v3/register', { email: name, email_code: code, ...input });
  };
  const submit = () =>
    form.send(
      {
        [way]: fieldError(way, name),
        [codeName]: code.length === 6 ? null : t('code.required'),
        ...judgePasswords(secret),
        agreed: agreed ? null : t('register.must_agree'),
      },
      async () => {
        await signUp(register, false);
        await enter();
      },
    );
  const ask = () =>
    way === 'mobile'
      ? call('/api/v3/mobile_login/get_sms_code', { mobile: name })
      : call('/api/v3/register/get_email_code', { email: name });
  return (
    <Form fields={form.fields} send={submit}>
      <NameField
        label={way === 'mobile' ? t('login.mobile') : t('login.email')}
        value={name}
        onChange={setName}
        error={form.wrong[way]}
        autoFocus
      />
      <SentCode
        way={way}
        to={name}
        onRefused={(why) => form.setWrong({ [way]: why })}
        ask={ask}
        value={code}
        onChange={setCode}
        error={form.wrong[codeName]}
      />
      <NewPasswords value={secret} onChange={setSecret} wrong={form.wrong} />
      <Agreement agreed={agreed} onChange={setAgreed} error={form.wrong.agreed} />
      <Button kind="primary" type="submit" large busy={form.busy}>
        {t('register.submit')}
      </Button>
    </Form>
  );
}
