import { useState } from 'react';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, PasswordField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useAfterSignIn } from './after-sign-in.ts';
import { goesOn } from './second-step.ts';
import type { WayIn } from './way-in.ts';

/** Shows 4006 at the password, others at the e-mail. */
export function AccountForm({ login, remember, setRemember, onSecond }: WayIn) {
  const [email, setEmail] = useState(login);
  const [password, setPassword] = useState('');
  const form = useForm<'email' | 'password', HTMLFormElement>({ 4006: 'password' }, 'email');
  const enter = useAfterSignIn();
  const submit = () =>
    form.send(
      {
        email: email.trim() ? null : t('login.email_required'),
        password: password ? null : t('login.password_required'),
      },
      async () => {
        await signIn(() => callForToken('/api/v3/login', { email: email.trim(), password, remember }), remember);
        await enter();
      },
      (error) => goesOn(error, remember, onSecond),
    );
  return (
    <Form fields={form.fields} send={submit}>
      <TextField
        label={t('login.email')}
        value={email}
        onChange={setEmail}
        autoComplete="username"
        inputMode="email"
        error={form.wrong.email}
        autoFocus={!login}
      />
      <PasswordField
        label={t('login.password')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={form.wrong.password}
        autoFocus={Boolean(login)}
      />
      <CheckField checked={remember} onChange={setRemember}>
        {t('login.remember')}
      </CheckField>
      <Button kind="primary" type="submit" large busy={form.busy}>
        {t('login.submit')}
      </Button>
    </Form>
  );
}
