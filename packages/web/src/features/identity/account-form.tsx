import { useState } from 'react';
import { ApiError, UNREACHABLE } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, PasswordField, TextField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';

/** E-mail and password. Code 4006 belongs under the password, every other one under the e-mail (spec section 8). */
export function AccountForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [wrong, setWrong] = useState<{ email?: string | undefined; password?: string | undefined }>({});
  const [busy, setBusy] = useState(false);
  const enter = useAfterSignIn();
  const submit = async () => {
    const missing = {
      email: email.trim() ? undefined : t('login.email_required'),
      password: password ? undefined : t('login.password_required'),
    };
    setWrong(missing);
    if (missing.email || missing.password || busy) return;
    setBusy(true);
    try {
      await signIn(() => callForToken('/api/v3/login', { email: email.trim(), password, remember }), remember);
      await enter();
    } catch (error) {
      // what is not about this e-mail is not said beside it: no answer, too many requests, a broken proxy
      if (!(error instanceof ApiError) || error.code === UNREACHABLE || error.status >= 429) notifyError(error);
      else if (error.code === 4006) setWrong({ password: error.message });
      else if (error.code === 422) setWrong({ email: error.field('email'), password: error.field('password') });
      else setWrong({ email: error.message });
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={t('login.email')}
        value={email}
        onChange={setEmail}
        autoComplete="username"
        inputMode="email"
        error={wrong.email}
        autoFocus
      />
      <PasswordField
        label={t('login.password')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={wrong.password}
      />
      <CheckField checked={remember} onChange={setRemember}>
        {t('login.remember')}
      </CheckField>
      <Button kind="primary" type="submit" large busy={busy}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
