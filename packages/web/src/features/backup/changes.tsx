import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { ChangeTable, leavesOf } from '../configuration/change-table.tsx';
import '../configuration/configuration.css';

/** Differences, or the word that there are none. */
export function Changes({ diff, same }: { diff: Data<'/api/v3/cloud_backup/diff'>; same: string }) {
  const lines = diff.changes.flatMap(leavesOf);
  if (lines.length === 0) return <p className="quiet">{same}</p>;
  return (
    <>
      <ChangeTable lines={lines} />
      {diff.more > 0 && <p className="small dim">{t('backup.more_changes', { n: diff.more })}</p>}
    </>
  );
}
