import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { callForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { signIn } from '../../app/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { CodeField } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useAfterSignIn } from './after-sign-in.ts';
import type { SecondStep } from './second-step.ts';

/** True if the sign-in ticket was used or has expired: the sign-in must restart. */
const tooLate = (error: unknown) => error instanceof ApiError && (error.code === 4013 || error.code === 4014);

export function SecondFactor({ step, onBack }: { step: SecondStep; onBack: (why?: string) => void }) {
  const [way, setWay] = useState<'app' | 'recovery'>('app');
  const [code, setCode] = useState('');
  const form = useForm<'code', HTMLFormElement>({}, 'code');
  const enter = useAfterSignIn();
  const byApp = way === 'app';
  const submit = () => {
    const missing = byApp ? code.length < 6 && t('code.required') : !code.trim() && t('second.recovery_required');
    return form.send(
      { code: missing || null },
      async () => {
        const input = { ticket: step.ticket, code: code.trim() };
        await signIn(() => callForToken('/api/v3/login/second_factor', input), step.remember);
        await enter();
      },
      (error) => {
        if (tooLate(error)) onBack(t('second.expired'));
        return tooLate(error);
      },
    );
  };
  const change = () => {
    setWay(byApp ? 'recovery' : 'app');
    setCode('');
    form.setWrong({});
  };
  return (
    <>
      <Form className="gate-step" fields={form.fields} send={submit}>
        <p className="quiet">{byApp ? t('second.app_body') : t('second.recovery_body')}</p>
        {byApp ? (
          <CodeField
            key="app"
            label={t('second.app_code')}
            value={code}
            onChange={setCode}
            error={form.wrong.code}
            autoFocus
          />
        ) : (
          <TextField
            key="recovery"
            label={t('second.recovery_code')}
            value={code}
            onChange={setCode}
            maxLength={20}
            error={form.wrong.code}
            autoFocus
          />
        )}
        <Button kind="primary" type="submit" large busy={form.busy}>
          {t('second.submit')}
        </Button>
      </Form>
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
