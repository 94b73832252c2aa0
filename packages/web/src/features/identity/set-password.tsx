import { useState } from 'react';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFocusWrong } from '../../ui/focus-wrong.ts';
import { notifyError } from '../../ui/toast.tsx';
import { judgePasswords, NewPasswords } from './new-password.tsx';
import { complaintsOf, type Said, type SecondStep, secondStepOf } from './said.ts';

/** Sets the first password of a mobile account. The session begins only when this has succeeded. */
export function SetPassword(props: {
  mobile: string;
  code: string;
  remember: boolean;
  onSecond: (step: SecondStep) => void;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const { mobile, code, remember } = props;
  const [secret, setSecret] = useState({ password: '', again: '' });
  const [wrong, setWrong] = useState<Said<'password' | 'again'>>({});
  const [busy, setBusy] = useState(false);
  const body = useFocusWrong<HTMLDivElement>(wrong);
  const submit = async () => {
    const said = judgePasswords(secret);
    setWrong(said);
    if (said.password || said.again || busy) return;
    setBusy(true);
    try {
      const input = { mobile, sms_code: code, password: secret.password, confirm_password: secret.again, remember };
      await signIn(() => callForToken('/api/v3/register_for_sms_code', input), remember);
      await props.onDone();
    } catch (error) {
      const second = secondStepOf(error, remember);
      if (second) return props.onSecond(second);
      const complaints = complaintsOf(error, { password: 'password', again: 'confirm_password' });
      if (complaints) setWrong(complaints);
      else notifyError(error);
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
      <p className="quiet">{t('set_password.body', { mobile })}</p>
      <div ref={body} className="stack">
        <NewPasswords value={secret} onChange={setSecret} wrong={wrong} autoFocus />
      </div>
    </Dialog>
  );
}
