import { type Ref, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { backupsChanged } from './actions.ts';

/** Maximum size of a backup file, in bytes (contract: `backupLimits.fileLength`). */
const maxBytes = 1_500_000;
/** First bytes of every version of the file format (server: `backup/file.ts`). */
const head = 'YUNXUN-BACKUP-';

/** Checked here: binary files cannot be sent as text. */
const mayBeOurs = async (file: File) =>
  file.size <= maxBytes &&
  (await file
    .slice(0, head.length)
    .text()
    .catch(() => '')) === head;

export function UploadDialog({ row, onClose }: { row: { gwid: string; remark: string }; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('');
  const [note, setNote] = useState('');
  const form = useForm<'file' | 'password' | 'note'>({}, 'file');
  const send = async () =>
    form.send(
      {
        file: !file ? t('validation.required') : (await mayBeOurs(file)) ? null : t('validation.backupFile'),
        password: password ? null : t('validation.required'),
      },
      async () => {
        const text = await file!.text();
        await call('/api/v3/cloud_backup/upload', { gwid: row.gwid, file: text, password, ...(note && { note }) });
        notify('ok', t('backup.uploaded'));
        onClose();
        await backupsChanged();
      },
    );
  return (
    <Dialog
      title={t('backup.upload_title', { name: row.remark })}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('backup.upload')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields as Ref<HTMLDivElement>}>
        <FileField
          label={t('backup.file')}
          error={form.wrong.file}
          hint={t('backup.file_hint')}
          accept=".yunxun"
          onChoose={(chosen) => setFile(chosen ?? null)}
        />
        <PasswordField
          label={t('backup.file_password')}
          hint={t('backup.upload_password_hint')}
          maxLength={64}
          value={password}
          onChange={setPassword}
          error={form.wrong.password}
        />
        <TextField label={t('backup.note')} maxLength={200} value={note} onChange={setNote} error={form.wrong.note} />
        <p className="small dim">{t('backup.upload_note')}</p>
      </div>
    </Dialog>
  );
}
