import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';

const maxText = 1024;

interface SignInProps {
  again: boolean;
  /** User of the kept sign-in that the host refused. */
  refused: string | null;
  send: (user: string, password: string) => void;
}

/** The password leaves the page with the sign-in, and is kept nowhere. */
export function SignIn({ again, refused, send }: SignInProps) {
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  return (
    <form
      className="terminal-form"
      onSubmit={(event) => {
        event.preventDefault();
        setPassword('');
        if (user !== '') send(user, password);
      }}
    >
      {refused !== null && <p role="alert">{t('remote.login_refused', { user: refused })}</p>}
      <TextField label={t('remote.login_user')} value={user} onChange={setUser} maxLength={maxText} autoFocus />
      <PasswordField
        label={t('remote.login_password')}
        value={password}
        onChange={setPassword}
        maxLength={maxText}
        error={again && password === '' ? t('remote.login_again') : null}
        hint={t('remote.login_hint')}
      />
      <Button kind="primary" type="submit">
        {t('remote.login')}
      </Button>
    </form>
  );
}

interface Question {
  text: string;
  echo: boolean;
}

export function Questions({
  questions,
  send,
}: {
  questions: readonly Question[];
  send: (answers: readonly string[]) => void;
}) {
  const [answers, setAnswers] = useState<readonly string[]>(questions.map(() => ''));
  return (
    <form
      className="terminal-form"
      onSubmit={(event) => {
        event.preventDefault();
        send(answers);
      }}
    >
      {questions.map(({ text, echo }, at) => {
        const Field = echo ? TextField : PasswordField;
        return (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: a host may ask the same twice
            key={at}
            label={text}
            value={answers[at] ?? ''}
            onChange={(value) => setAnswers(answers.with(at, value))}
            maxLength={maxText}
          />
        );
      })}
      <Button kind="primary" type="submit">
        {t('remote.answer')}
      </Button>
    </form>
  );
}

interface HostKeyProps {
  id: string;
  /** Null: the first key of an address. */
  known: string | null;
  offered: string;
  mayTrust: boolean;
  onTrusted: () => void;
}

export function HostKey({ id, known, offered, mayTrust, onTrusted }: HostKeyProps) {
  const [isTrusted, setTrusted] = useState(false);
  const trust = async () => {
    await call('/api/v3/remote/host_key/accept', { id, fingerprint: offered });
    setTrusted(true);
    onTrusted();
  };
  return (
    <div className="terminal-form" role="alert">
      <p>{t(known === null ? 'remote.key_first' : 'remote.key_changed')}</p>
      <dl className="terminal-keys">
        {known !== null && (
          <>
            <dt>{t('remote.key_known')}</dt>
            <dd className="mono">{known}</dd>
          </>
        )}
        <dt>{t('remote.key_offered')}</dt>
        <dd className="mono">{offered}</dd>
      </dl>
      {isTrusted
        ? known !== null && <p>{t('remote.key_trusted')}</p>
        : mayTrust && (
            <Button kind={known === null ? 'primary' : 'danger'} onClick={() => void trust().catch(notifyError)}>
              {t(known === null ? 'remote.key_trust_first' : 'remote.key_trust')}
            </Button>
          )}
    </div>
  );
}
