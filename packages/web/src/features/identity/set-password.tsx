import { useState } from 'react';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signUp } from '../../app/sign-in.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Agreement } from './agreement.tsx';
import { judgePasswords, type NewPassword, NewPasswords } from './new-password.tsx';
import { goesOn, type SecondStep } from './second-step.ts';

/** Sets the first password of a mobile account; the session starts only afterwards. */
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
  const [agreed, setAgreed] = useState(false);
  const form = useForm<NewPassword | 'agreed'>();
  const submit = () =>
    form.send(
      { ...judgePasswords(secret), agreed: agreed ? null : t('register.must_agree') },
      async () => {
        const input = { mobile, sms_code: code, password: secret.password, confirm_password: secret.again, remember };
        await signUp(() => callForToken('/api/v3/register_for_sms_code', input), remember);
        await props.onDone();
      },
      (error) => goesOn(error, remember, props.onSecond),
    );
  return (
    <Dialog
      title={t('set_password.title')}
      onClose={props.onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={props.onClose} busy={form.busy}>
          {t('set_password.submit')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('set_password.body', { mobile })}</p>
      <div ref={form.fields} className="stack">
        <NewPasswords value={secret} onChange={setSecret} wrong={form.wrong} autoFocus />
        <Agreement agreed={agreed} onChange={setAgreed} error={form.wrong.agreed} />
      </div>
    </Dialog>
  );
}
