import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Changes } from './changes.tsx';
import type { BackupRow } from './labels.tsx';

export function CompareDialog({ rows, onClose }: { rows: readonly BackupRow[]; onClose: () => void }) {
  const [older, newer] = rows.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const { data, error, refetch } = useRead('/api/v3/cloud_backup/diff', {
    id: older!.id,
    ...(newer && { with: newer.id }),
  });
  const at = (row: BackupRow) => exactTime(new Date(row.created_at));
  return (
    <Dialog
      wide
      title={
        newer
          ? t('backup.compare_title', { from: at(older!), to: at(newer) })
          : t('backup.compare_now_title', { from: at(older!) })
      }
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={4}>
          {data && <Changes diff={data} same={t(newer ? 'backup.same' : 'backup.same_now')} />}
        </Loading>
      )}
    </Dialog>
  );
}
