import { useState } from 'react';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, PasswordField, TextField } from '../../ui/field.tsx';
import { useFocusWrong } from '../../ui/focus-wrong.ts';
import { notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { complaintsOf, isAnswer, type Said, secondStepOf } from './said.ts';
import type { WayIn } from './way-in.ts';

/** E-mail and password. Code 4006 belongs under the password, every other one under the e-mail (spec section 8). */
export function AccountForm({ login, remember, setRemember, onSecond }: WayIn) {
  const [email, setEmail] = useState(login);
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Said<'email' | 'password'>>({});
  const [busy, setBusy] = useState(false);
  const form = useFocusWrong(wrong);
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
      const second = secondStepOf(error, remember);
      const complaints = complaintsOf(error, { email: 'email', password: 'password' });
      if (second) return onSecond(second);
      // what is not about this e-mail is not said beside it
      if (complaints) setWrong(complaints);
      else if (!isAnswer(error)) notifyError(error);
      else setWrong(error.code === 4006 ? { password: error.message } : { email: error.message });
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
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
        autoFocus={!login}
      />
      <PasswordField
        label={t('login.password')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={wrong.password}
        autoFocus={Boolean(login)}
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
