import { confirmed } from '@yunxun/contract/rules';
import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, complaint, PasswordField } from '../../ui/field.tsx';
import { CodeField, EmailField, MobileField, NewPasswordField } from '../../ui/rule-fields.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { CodeButton } from './code-button.tsx';
import { useCode } from './use-code.ts';

type Wrong = Partial<Record<'name' | 'code' | 'password' | 'again' | 'agreed', string | null | undefined>>;

/** Name, code, password twice, agreement. What differs between mobile and e-mail is only the name and its calls. */
export function RegisterForm({ way }: { way: 'mobile' | 'email' }) {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);
  const sender = useCode();
  const enter = useAfterSignIn();
  const NameField = way === 'mobile' ? MobileField : EmailField;
  const register = () => {
    const secret = { password, confirm_password: again };
    return way === 'mobile'
      ? callForToken('/api/v3/register_for_sms_code', { mobile: name, sms_code: code, ...secret })
      : callForToken('/api/v3/register', { email: name, email_code: code, ...secret });
  };
  const submit = async () => {
    const said: Wrong = {
      name: complaint(way, name),
      code: /^\d{6}$/.test(code) ? null : t('code.required'),
      password: complaint('password', password),
      again: complaint(confirmed(password), again),
      agreed: agreed ? null : t('register.must_agree'),
    };
    setWrong(said);
    if (busy || Object.values(said).some(Boolean)) return;
    setBusy(true);
    try {
      await signIn(register, false);
      await enter();
    } catch (error) {
      if (error instanceof ApiError && error.code === 4007) setWrong({ code: error.message });
      else if (error instanceof ApiError && error.code === 4010) setWrong({ name: error.message });
      else if (error instanceof ApiError && error.code === 422) {
        setWrong({
          name: error.field(way),
          code: error.field(way === 'mobile' ? 'sms_code' : 'email_code'),
          password: error.field('password'),
          again: error.field('confirm_password'),
        });
        notifyError(error);
      } else notifyError(error);
    }
    setBusy(false);
  };
  const send = () => (way === 'mobile' ? sender.toMobile(name) : sender.toEmail(name));
  return (
    <form
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
      <NewPasswordField
        label={t('set_password.password')}
        value={password}
        onChange={setPassword}
        error={wrong.password}
      />
      <PasswordField
        label={t('set_password.again')}
        value={again}
        onChange={setAgain}
        autoComplete="new-password"
        error={wrong.again}
      />
      <div>
        <CheckField checked={agreed} onChange={setAgreed}>
          {t('register.agree')}{' '}
          <a href="/register_protocol" target="_blank" rel="noreferrer">
            {t('title.register_protocol')}
          </a>
        </CheckField>
        {wrong.agreed && (
          <p className="field-error" role="alert">
            {wrong.agreed}
          </p>
        )}
      </div>
      <Button kind="primary" type="submit" large busy={busy}>
        {t('register.submit')}
      </Button>
    </form>
  );
}
