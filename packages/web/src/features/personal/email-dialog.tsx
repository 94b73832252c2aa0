import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { refreshUser } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { complaint } from '../../ui/field.tsx';
import { CodeField, EmailField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { CodeButton } from '../identity/code-button.tsx';
import { useCode } from '../identity/use-code.ts';
import { maskEmail } from './mask.ts';

/** Binds an e-mail, or another one, with a code sent to it. */
export function EmailDialog({ bound, onClose }: { bound: string | null; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const sent = useCode();
  const form = useForm<'email' | 'email_code'>({ 4007: 'email_code', 4010: 'email' });
  const save = () =>
    form.send(
      { email: complaint('email', email), email_code: /^\d{6}$/.test(code) ? null : t('code.required') },
      async () => {
        await call('/api/v3/profile/email', { email, email_code: code });
        await refreshUser();
        notify('ok', t('email_change.done', { email: maskEmail(email) }));
        onClose();
      },
    );
  return (
    <Dialog
      title={bound === null ? t('email_change.bind') : t('email_change.title')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            {t('email_change.submit')}
          </Button>
        </>
      }
    >
      {bound !== null && <p className="quiet">{t('email_change.now', { email: maskEmail(bound) })}</p>}
      <div className="fields" ref={form.fields}>
        <EmailField
          label={t('email_change.new')}
          value={email}
          onChange={setEmail}
          error={form.wrong.email}
          autoFocus
        />
        <CodeField
          label={t('register.email_code')}
          value={code}
          onChange={setCode}
          error={form.wrong.email_code}
          hint={sent.note}
          after={
            <CodeButton
              purpose="change_email"
              disabled={complaint('email', email) !== null}
              send={() => sent.send(() => call('/api/v3/profile/email_code', { email }))}
            />
          }
        />
      </div>
    </Dialog>
  );
}
