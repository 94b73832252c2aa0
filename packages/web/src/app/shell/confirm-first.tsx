import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { ApiError } from '../api-error.ts';
import { pollForToken, whenConfirmFirst } from '../client.ts';
import { t } from '../i18n.ts';
import { keepToken } from '../token.ts';
import { useRead } from '../use-call.ts';

type Way = 'password' | 'code';

export function ConfirmFirstHost() {
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null);
  useEffect(() => {
    whenConfirmFirst(() => new Promise((resolve) => setAnswer(() => resolve)));
    return () => whenConfirmFirst(null);
  }, []);
  if (!answer) return null;
  return (
    <ConfirmFirst
      onDone={(confirmed) => {
        setAnswer(null);
        answer(confirmed);
      }}
    />
  );
}

function ConfirmFirst({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const [way, setWay] = useState<Way>('password');
  const [secret, setSecret] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { data } = useRead('/api/v3/security/overview', {});
  const hasSecondFactor = Boolean(data?.totp_enabled_at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another way to confirm, or a wrong secret, begins at its field
  useLayoutEffect(() => input.current?.focus(), [way, wrong]);
  const turn = (to: Way) => {
    setWay(to);
    setSecret('');
    setWrong(null);
  };
  const submit = async () => {
    if (busy) return;
    if (secret === '') return setWrong(t('validation.required'));
    setBusy(true);
    setWrong(null);
    try {
      const proof = way === 'password' ? { password: secret } : { code: secret };
      const { data: reported, token } = await pollForToken('/api/v3/security/confirm', proof);
      // the server revoked the old token
      if (token) keepToken(token, reported.remembered);
      onDone(true);
    } catch (error) {
      setBusy(false);
      // wrong or rate-limited secret: show it at the field
      if (error instanceof ApiError && error.status === 200) setWrong(error.message);
      else if (error instanceof ApiError && error.code === 422) setWrong(error.field(way) ?? error.message);
      else if (error instanceof ApiError && error.code === 401) onDone(false);
      else notifyError(error);
    }
  };
  return (
    <Dialog
      title={t('confirm_first.title')}
      onClose={() => onDone(false)}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={() => onDone(false)}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {t('confirm_first.submit')}
          </Button>
        </>
      }
    >
      <p className="quiet">{t('confirm_first.body')}</p>
      {way === 'password' ? (
        <PasswordField
          label={t('confirm_first.password')}
          autoComplete="current-password"
          value={secret}
          onChange={setSecret}
          error={wrong}
          inputRef={input}
        />
      ) : (
        <TextField
          label={t('confirm_first.code')}
          hint={t('confirm_first.code_hint')}
          autoComplete="one-time-code"
          maxLength={20}
          value={secret}
          onChange={setSecret}
          error={wrong}
          inputRef={input}
        />
      )}
      {hasSecondFactor && (
        <div>
          <Button kind="link" onClick={() => turn(way === 'password' ? 'code' : 'password')}>
            {way === 'password' ? t('confirm_first.use_code') : t('confirm_first.use_password')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
