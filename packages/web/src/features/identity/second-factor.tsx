import { useState } from 'react';
import type { ApiError } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useFocusWrong } from '../../ui/focus-wrong.ts';
import { CodeField } from '../../ui/rule-fields.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { complaintsOf, isAnswer, type Said, type SecondStep } from './said.ts';

/** The ticket was taken, or has expired: the sign-in has to begin again. */
const tooLate = (error: ApiError) => error.code === 4013 || error.code === 4014;

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondFactor({ step, onBack }: { step: SecondStep; onBack: (why?: string) => void }) {
  const [way, setWay] = useState<'app' | 'recovery'>('app');
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<Said<'code'>>({});
  const [busy, setBusy] = useState(false);
  const form = useFocusWrong(wrong);
  const enter = useAfterSignIn();
  const byApp = way === 'app';
  const submit = async () => {
    const missing = byApp ? code.length < 6 && t('code.required') : !code.trim() && t('second.recovery_required');
    setWrong({ code: missing || null });
    if (missing || busy) return;
    setBusy(true);
    try {
      const input = { ticket: step.ticket, code: code.trim() };
      await signIn(() => callForToken('/api/v3/login/second_factor', input), step.remember);
      await enter();
    } catch (error) {
      const complaints = complaintsOf(error, { code: 'code' });
      if (complaints) setWrong(complaints);
      else if (!isAnswer(error)) notifyError(error);
      else if (tooLate(error)) return onBack(t('second.expired'));
      else setWrong({ code: error.message });
    }
    setBusy(false);
  };
  const change = () => {
    setWay(byApp ? 'recovery' : 'app');
    setCode('');
    setWrong({});
  };
  return (
    <>
      <form
        ref={form}
        className="gate-step"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="quiet">{byApp ? t('second.app_body') : t('second.recovery_body')}</p>
        {byApp ? (
          <CodeField
            key="app"
            label={t('second.app_code')}
            value={code}
            onChange={setCode}
            error={wrong.code}
            autoFocus
          />
        ) : (
          <TextField
            key="recovery"
            label={t('second.recovery_code')}
            value={code}
            onChange={setCode}
            maxLength={20}
            error={wrong.code}
            autoFocus
          />
        )}
        <Button kind="primary" type="submit" large busy={busy}>
          {t('second.submit')}
        </Button>
      </form>
      <div className="gate-links">
        <Button kind="link" onClick={change}>
          {byApp ? t('second.use_recovery') : t('second.use_app')}
        </Button>
        <Button kind="link" onClick={() => onBack()}>
          {t('login.back')}
        </Button>
      </div>
    </>
  );
}
