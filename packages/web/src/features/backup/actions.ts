import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { confirmDelete } from '../../ui/table/confirm-delete.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import type { BackupRow } from './labels.tsx';

export function backupsChanged(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/cloud_backup/'),
  });
}

const atOnce = 200;

export async function backUp(gwids: readonly string[], done: () => void = () => {}): Promise<void> {
  try {
    let [made, empty] = [0, 0];
    for (let from = 0; from < gwids.length; from += atOnce) {
      const answer = await call('/api/v3/cloud_backup/create', { gwids: gwids.slice(from, from + atOnce) });
      made += answer.made.length;
      empty += answer.empty;
    }
    if (made > 0) notify('ok', t('backup.made', { n: made }));
    if (empty > 0) notify('info', t('backup.empty_left', { n: empty }));
    done();
    await backupsChanged();
  } catch (error) {
    notifyError(error);
  }
}

export async function pin({ id, pinned }: BackupRow): Promise<void> {
  try {
    await call('/api/v3/cloud_backup/pin', { id, pinned: !pinned });
    await backupsChanged();
  } catch (error) {
    notifyError(error);
  }
}

export function deleteBackups(rows: readonly BackupRow[], done: () => void = () => {}): void {
  const loose = rows.filter(({ pinned }) => !pinned);
  const kept = rows.length - loose.length;
  if (loose.length === 0) {
    notify('info', t('backup.delete_pinned'));
    return;
  }
  confirmDelete(loose.length, kept > 0 ? [t('backup.delete_kept', { n: kept })] : [], async () => {
    await call('/api/v3/cloud_backup/delete', { ids: loose.map(({ id }) => id) });
    done();
    await backupsChanged();
  });
}
