import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, complaint } from '../../ui/field.tsx';
import { useFocusWrong } from '../../ui/focus-wrong.ts';
import { CodeField, EmailField, MobileField } from '../../ui/rule-fields.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { CodeButton } from './code-button.tsx';
import { judgePasswords, NewPasswords } from './new-password.tsx';
import { complaintsOf, type Said } from './said.ts';
import { useCode } from './use-code.ts';

type Wrong = Said<'name' | 'code' | 'password' | 'again' | 'agreed'>;

/** Codes that are about one field of the form: a wrong code, a name that is taken. */
const fieldOf: Readonly<Record<number, keyof Wrong>> = { 4007: 'code', 4010: 'name' };

/** Name, code, password twice, agreement: five fields. What differs between mobile and e-mail is the name and its calls. */
export function RegisterForm({ way }: { way: 'mobile' | 'email' }) {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [secret, setSecret] = useState({ password: '', again: '' });
  const [agreed, setAgreed] = useState(false);
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);
  const form = useFocusWrong(wrong);
  const sender = useCode();
  const enter = useAfterSignIn();
  const NameField = way === 'mobile' ? MobileField : EmailField;
  const codeName = way === 'mobile' ? 'sms_code' : 'email_code';
  const register = () => {
    const input = { password: secret.password, confirm_password: secret.again };
    return way === 'mobile'
      ? callForToken('/api/v3/register_for_sms_code', { mobile: name, sms_code: code, ...input })
      : callForToken('/api/v3/register', { email: name, email_code: code, ...input });
  };
  const submit = async () => {
    const said: Wrong = {
      name: complaint(way, name),
      code: code.length === 6 ? null : t('code.required'),
      ...judgePasswords(secret),
      agreed: agreed ? null : t('register.must_agree'),
    };
    setWrong(said);
    if (busy || Object.values(said).some(Boolean)) return;
    setBusy(true);
    try {
      await signIn(register, false);
      await enter();
    } catch (error) {
      const names = { name: way, code: codeName, password: 'password', again: 'confirm_password' };
      const complaints = complaintsOf(error, names);
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined;
      if (complaints) setWrong(complaints);
      else if (field) setWrong({ [field]: (error as ApiError).message });
      else notifyError(error);
    }
    setBusy(false);
  };
  const send = () => (way === 'mobile' ? sender.toMobile(name) : sender.toEmail(name));
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <NameField
        label={way === 'mobile' ? t('login.mobile') : t('login.email')}
        value={name}
        onChange={setName}
        error={wrong.name}
        autoFocus
      />
      <CodeField
        label={way === 'mobile' ? t('login.sms_code') : t('register.email_code')}
        value={code}
        onChange={setCode}
        error={wrong.code}
        hint={sender.note}
        after={<CodeButton purpose={way} disabled={complaint(way, name) !== null} send={send} />}
      />
      <NewPasswords value={secret} onChange={setSecret} wrong={wrong} />
      <CheckField checked={agreed} onChange={setAgreed} error={wrong.agreed ?? null}>
        {t('register.agree')}{' '}
        <a href="/register_protocol" target="_blank" rel="noreferrer">
          {t('title.register_protocol')}
        </a>
      </CheckField>
      <Button kind="primary" type="submit" large busy={busy}>
        {t('register.submit')}
      </Button>
    </form>
  );
}
