import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { refreshUser } from '../../app/session.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { EmailField } from '../../ui/rule-fields.tsx';
import { SentCode } from '../../ui/sent-code.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { maskEmail } from './mask.ts';

export function EmailDialog({ bound, onClose }: { bound: string | null; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const form = useForm<'email' | 'email_code'>({ 4007: 'email_code', 4010: 'email' });
  const save = () =>
    form.send(
      { email: fieldError('email', email), email_code: /^\d{6}$/.test(code) ? null : t('code.required') },
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
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('email_change.submit')}
        </SendFoot>
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
        <SentCode
          way="email"
          to={email}
          onRefused={(why) => form.setWrong({ email: why })}
          ask={() => call('/api/v3/profile/email_code', { email })}
          value={code}
          onChange={setCode}
          error={form.wrong.email_code}
        />
      </div>
    </Dialog>
  );
}
