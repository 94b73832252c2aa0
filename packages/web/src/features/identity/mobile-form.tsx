import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, complaint } from '../../ui/field.tsx';
import { useFocusWrong } from '../../ui/focus-wrong.ts';
import { CodeField, MobileField } from '../../ui/rule-fields.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { CodeButton } from './code-button.tsx';
import { complaintsOf, type Said, secondStepOf } from './said.ts';
import { SetPassword } from './set-password.tsx';
import { useCode } from './use-code.ts';
import type { WayIn } from './way-in.ts';

/** Mobile and SMS code. Code 2005 opens the dialog that sets the first password; the code stays valid for it. */
export function MobileForm({ login, remember, setRemember, onSecond }: WayIn) {
  const [mobile, setMobile] = useState(login);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<Said<'mobile' | 'code'>>({});
  const [busy, setBusy] = useState(false);
  const [first, setFirst] = useState(false);
  const form = useFocusWrong(wrong);
  const sms = useCode();
  const enter = useAfterSignIn();
  const submit = async () => {
    const said = { mobile: complaint('mobile', mobile), code: code ? null : t('code.required') };
    setWrong(said);
    if (said.mobile || said.code || busy) return;
    setBusy(true);
    try {
      await signIn(() => callForToken('/api/v3/sms_code/login', { mobile, sms_code: code, remember }), remember);
      await enter();
    } catch (error) {
      const second = secondStepOf(error, remember);
      const complaints = complaintsOf(error, { mobile: 'mobile', code: 'sms_code' });
      if (second) return onSecond(second);
      if (complaints) setWrong(complaints);
      else if (error instanceof ApiError && error.code === 2005) setFirst(true);
      else notifyError(error);
    }
    setBusy(false);
  };
  return (
    <>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <MobileField
          label={t('login.mobile')}
          value={mobile}
          onChange={setMobile}
          error={wrong.mobile}
          autoFocus={!login}
        />
        <CodeField
          label={t('login.sms_code')}
          value={code}
          onChange={setCode}
          error={wrong.code}
          hint={sms.note}
          after={
            <CodeButton
              purpose="mobile"
              disabled={complaint('mobile', mobile) !== null}
              send={() => sms.toMobile(mobile)}
            />
          }
        />
        <CheckField checked={remember} onChange={setRemember}>
          {t('login.remember')}
        </CheckField>
        <Button kind="primary" type="submit" large busy={busy}>
          {t('login.submit')}
        </Button>
      </form>
      {first && (
        <SetPassword
          mobile={mobile}
          code={code}
          remember={remember}
          onSecond={onSecond}
          onClose={() => setFirst(false)}
          onDone={enter}
        />
      )}
    </>
  );
}
