import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { download } from '../../ui/table/csv.ts';
import { useForm } from '../../ui/use-form.ts';
import type { BackupRow } from './labels.tsx';

/** Minimum length of a file password (contract: `backupLimits.filePassword`). */
const shortest = 8;

/** Downloads a backup encrypted with a password that the server does not store. */
export function DownloadDialog({ row, onClose }: { row: BackupRow; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const form = useForm<'password' | 'again'>({}, 'password');
  const send = () =>
    form.send(
      {
        password: [...password].length < shortest ? t('validation.minLength', { min: shortest }) : null,
        again: again === password ? null : t('validation.confirmed'),
      },
      async () => {
        const { name, file } = await call('/api/v3/cloud_backup/download', { id: row.id, password });
        download(name, file, 'application/octet-stream');
        onClose();
      },
    );
  return (
    <Dialog
      title={t('backup.download_title', { name: row.network })}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('backup.download')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <PasswordField
          label={t('backup.file_password')}
          hint={t('backup.download_hint')}
          hintStays
          autoComplete="new-password"
          maxLength={64}
          value={password}
          onChange={setPassword}
          error={form.wrong.password}
        />
        <PasswordField
          label={t('backup.file_password_again')}
          autoComplete="new-password"
          maxLength={64}
          value={again}
          onChange={setAgain}
          error={form.wrong.again}
        />
      </div>
    </Dialog>
  );
}
