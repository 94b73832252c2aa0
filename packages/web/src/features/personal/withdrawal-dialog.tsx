import { confirmed } from '@yunxun/contract/rules';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { WithdrawalPasswordField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

export function WithdrawalDialog({ again: change, onClose }: { again: boolean; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const form = useForm<'password' | 'confirm_password'>();
  const save = () =>
    form.send(
      {
        password: fieldError('withdrawalPassword', password),
        confirm_password: fieldError('required', again) ?? fieldError(confirmed(password), again),
      },
      async () => {
        await call('/api/v3/security/withdrawal_password', { password, confirm_password: again });
        notify('ok', t('withdrawal.done'));
        onClose();
      },
    );
  return (
    <Dialog
      title={change ? t('withdrawal.change_title') : t('withdrawal.set_title')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('withdrawal.body')}</p>
      <div className="fields" ref={form.fields}>
        <WithdrawalPasswordField
          label={t('withdrawal.new')}
          hint={t('withdrawal.rule')}
          autoComplete="off"
          value={password}
          onChange={setPassword}
          error={form.wrong.password}
          autoFocus
        />
        <WithdrawalPasswordField
          label={t('withdrawal.again')}
          autoComplete="off"
          value={again}
          onChange={setAgain}
          error={form.wrong.confirm_password}
        />
      </div>
    </Dialog>
  );
}
