import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { backupsChanged } from './actions.ts';
import type { BackupRow } from './labels.tsx';

export function NoteDialog({ row, onClose }: { row: BackupRow; onClose: () => void }) {
  const [note, setNote] = useState(row.note);
  const form = useForm<'note'>({}, 'note');
  const send = () =>
    form.send({}, async () => {
      await call('/api/v3/cloud_backup/note', { id: row.id, note: note.trim() });
      onClose();
      await backupsChanged();
    });
  return (
    <Dialog
      title={t('backup.note_title')}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <TextField label={t('backup.note')} maxLength={200} value={note} onChange={setNote} error={form.wrong.note} />
      </div>
    </Dialog>
  );
}
