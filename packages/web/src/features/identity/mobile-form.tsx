import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call, callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, fieldError } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { MobileField } from '../../ui/rule-fields.tsx';
import { SentCode } from '../../ui/sent-code.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useAfterSignIn } from './after-sign-in.ts';
import { goesOn } from './second-step.ts';
import { SetPassword } from './set-password.tsx';
import type { WayIn } from './way-in.ts';

/** 2005 asks for the first password; the SMS code stays valid. */
export function MobileForm({ login, remember, setRemember, onSecond }: WayIn) {
  const [mobile, setMobile] = useState(login);
  const [code, setCode] = useState('');
  const [first, setFirst] = useState(false);
  const form = useForm<'mobile' | 'sms_code', HTMLFormElement>();
  const enter = useAfterSignIn();
  const submit = () =>
    form.send(
      { mobile: fieldError('mobile', mobile), sms_code: code ? null : t('code.required') },
      async () => {
        await signIn(() => callForToken('/api/v3/sms_code/login', { mobile, sms_code: code, remember }), remember);
        await enter();
      },
      (error) => {
        const unset = error instanceof ApiError && error.code === 2005;
        if (unset) setFirst(true);
        return unset || goesOn(error, remember, onSecond);
      },
    );
  return (
    <>
      <Form fields={form.fields} send={submit}>
        <MobileField
          label={t('login.mobile')}
          value={mobile}
          onChange={setMobile}
          error={form.wrong.mobile}
          autoFocus={!login}
        />
        <SentCode
          way="mobile"
          to={mobile}
          onRefused={(why) => form.setWrong({ mobile: why })}
          ask={() => call('/api/v3/mobile_login/get_sms_code', { mobile })}
          value={code}
          onChange={setCode}
          error={form.wrong.sms_code}
        />
        <CheckField checked={remember} onChange={setRemember}>
          {t('login.remember')}
        </CheckField>
        <Button kind="primary" type="submit" large busy={form.busy}>
          {t('login.submit')}
        </Button>
      </Form>
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
