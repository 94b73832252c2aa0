import { confirmed } from '@yunxun/contract/rules';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, PasswordField } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Changes the password; ends other sessions unless deselected. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [keep, setKeep] = useState(false);
  const form = useForm<'old_password' | 'password' | 'confirm_password'>({
    4006: 'old_password',
    4009: 'old_password',
  });
  const save = () =>
    form.send(
      {
        old_password: fieldError('required', old),
        password: fieldError('password', password) ?? (password === old ? t('validation.samePassword') : null),
        confirm_password: fieldError('required', again) ?? fieldError(confirmed(password), again),
      },
      async () => {
        await call('/api/v3/security/password', {
          old_password: old,
          password,
          confirm_password: again,
          keep_others: keep,
        });
        notify('ok', keep ? t('password_change.done') : t('password_change.done_ended'));
        onClose();
      },
    );
  return (
    <Dialog
      title={t('security.change_password')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <PasswordField
          label={t('password_change.old')}
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={form.wrong.old_password}
          autoFocus
        />
        <NewPasswordField
          label={t('password_change.new')}
          value={password}
          onChange={setPassword}
          error={form.wrong.password}
        />
        <PasswordField
          label={t('set_password.again')}
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
          error={form.wrong.confirm_password}
        />
        <CheckField checked={keep} onChange={setKeep}>
          {t('password_change.keep')}
        </CheckField>
      </div>
    </Dialog>
  );
}
