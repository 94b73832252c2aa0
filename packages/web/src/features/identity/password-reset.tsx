import { useNavigate } from '@tanstack/react-router';
import { limits } from '@yunxun/contract/limits';
import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { forgetDeadSession } from '../../app/session.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Form } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Frame } from './frame.tsx';
import { judgePasswords, type NewPassword, NewPasswords } from './new-password.tsx';

type Gone = 'used' | 'expired';

/** Maps 4013 used, 4014 expired or unknown, 422 truncated; null: other. */
function goneBy(error: unknown): Gone | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 4013) return 'used';
  return error.code === 4014 || (error.code === 422 && error.field('token')) ? 'expired' : null;
}

/** Sets a new password; the server ends all sessions of the person. */
export function PasswordResetScreen() {
  const token = useParam('token');
  const { data, error, refetch } = useRead('/api/v3/password/reset_check', { token });
  const [gone, setGone] = useState<Gone | null>(null);
  const why = gone ?? goneBy(error);
  return (
    <Frame title={t('title.password_reset')}>
      {why ? (
        <LinkGone why={why} />
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : data ? (
        <NewPasswordForm token={token} login={data.login} onGone={setGone} />
      ) : (
        <Loading until={false}>{null}</Loading>
      )}
      <div className="gate-links">
        <Link to="/login">{t('login.back')}</Link>
      </div>
    </Frame>
  );
}

function LinkGone({ why }: { why: Gone }) {
  return (
    <div role="alert">
      <Empty
        small
        icon={why === 'used' ? 'check' : 'clock'}
        title={why === 'used' ? t('reset.used') : t('reset.expired')}
        actions={
          <Link to="/forgot_password" className="btn btn-primary">
            {t('reset.again')}
          </Link>
        }
      >
        {why === 'used' ? t('reset.used_body') : t('reset.expired_body', { n: limits.resetMinutes })}
      </Empty>
    </div>
  );
}

function NewPasswordForm(props: { token: string; login: string; onGone: (why: Gone) => void }) {
  const { token, login } = props;
  const [secret, setSecret] = useState({ password: '', again: '' });
  const form = useForm<NewPassword, HTMLFormElement>();
  const navigate = useNavigate();
  const submit = () =>
    form.send(
      judgePasswords(secret),
      async () => {
        const input = { token, password: secret.password, confirm_password: secret.again };
        const { login: name } = await call('/api/v3/password/reset', input);
        // this browser may hold one of the ended sessions
        await forgetDeadSession();
        const way = name.includes('@') ? undefined : 'mobile';
        await navigate({ to: '/login', search: { way } as never, state: { login: name }, replace: true });
      },
      (error) => {
        const over = goneBy(error);
        if (over) props.onGone(over);
        return over !== null;
      },
    );
  return (
    <Form className="gate-step" fields={form.fields} send={submit}>
      <p className="quiet">{t('reset.body', { login })}</p>
      <NewPasswords value={secret} onChange={setSecret} wrong={form.wrong} autoFocus />
      <Button kind="primary" type="submit" large busy={form.busy}>
        {t('reset.submit')}
      </Button>
    </Form>
  );
}
