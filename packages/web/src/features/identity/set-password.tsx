import { confirmed } from '@yunxun/contract/rules';
import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { complaint, PasswordField } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/rule-fields.tsx';
import { notifyError } from '../../ui/toast.tsx';

/** Sets the first password of a mobile account. The session begins only when this has succeeded. */
export function SetPassword(props: {
  mobile: string;
  code: string;
  remember: boolean;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<{ password?: string | null | undefined; again?: string | null | undefined }>({});
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const said = { password: complaint('password', password), again: complaint(confirmed(password), again) };
    setWrong(said);
    if (said.password || said.again || busy) return;
    setBusy(true);
    try {
      await signIn(
        () =>
          callForToken('/api/v3/register_for_sms_code', {
            mobile: props.mobile,
            sms_code: props.code,
            password,
            confirm_password: again,
            remember: props.remember,
          }),
        props.remember,
      );
      await props.onDone();
    } catch (error) {
      if (error instanceof ApiError && error.code === 422) {
        setWrong({ password: error.field('password'), again: error.field('confirm_password') });
      }
      notifyError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t('set_password.title')}
      onClose={props.onClose}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={props.onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {t('set_password.submit')}
          </Button>
        </>
      }
    >
      <p className="quiet">{t('set_password.body', { mobile: props.mobile })}</p>
      <NewPasswordField
        label={t('set_password.password')}
        value={password}
        onChange={setPassword}
        error={wrong.password}
        autoFocus
      />
      <PasswordField
        label={t('set_password.again')}
        value={again}
        onChange={setAgain}
        autoComplete="new-password"
        error={wrong.again}
      />
    </Dialog>
  );
}
