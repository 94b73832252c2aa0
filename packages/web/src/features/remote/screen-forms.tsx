import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import type { Credential } from './vnc.ts';

const maxText = 1024;
const maxPaste = 100_000;

interface SignInProps {
  asked: readonly Credential[];
  send: (credentials: Partial<Record<Credential, string>>) => void;
}

export function ScreenSignIn({ asked, send }: SignInProps) {
  const [username, setUser] = useState('');
  const [password, setPassword] = useState('');
  return (
    <form
      className="terminal-form"
      onSubmit={(event) => {
        event.preventDefault();
        setPassword('');
        send({ username, password });
      }}
    >
      {asked.includes('username') && (
        <TextField label={t('remote.login_user')} value={username} onChange={setUser} maxLength={maxText} autoFocus />
      )}
      <PasswordField
        label={t('remote.login_password')}
        value={password}
        onChange={setPassword}
        maxLength={maxText}
        hint={t('remote.login_hint')}
        autoFocus={!asked.includes('username')}
      />
      <Button kind="primary" type="submit">
        {t('remote.login')}
      </Button>
    </form>
  );
}

interface PasteProps {
  target: string;
  onClose: () => void;
  onPaste: (text: string) => void;
}

/** Shows the text before it leaves this computer. */
export function ScreenPaste({ target, onClose, onPaste }: PasteProps) {
  const [text, setText] = useState('');
  return (
    <Dialog
      title={t('remote.screen_paste_title', { name: target })}
      onClose={onClose}
      onSubmit={() => text !== '' && onPaste(text)}
      foot={
        <SendFoot onClose={onClose} disabled={text === ''}>
          {t('remote.screen_paste_send')}
        </SendFoot>
      }
    >
      <TextAreaField
        label={t('remote.screen_paste_text')}
        hint={t('remote.screen_paste_hint')}
        rows={6}
        maxLength={maxPaste}
        value={text}
        onChange={setText}
      />
    </Dialog>
  );
}
