import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { operatorName } from '../../ui/operator.ts';
import { listed } from '../../ui/refusal.ts';
import { JobTag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import type { BackupRow, RestoreRow } from './labels.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

export function Restores() {
  const mayWrite = useMay('config.write');
  const [search, change] = useSearch();
  const columns = useMemo(restoreColumns, []);
  const [back, setBack] = useState<{ row: BackupRow; sections: RestoreRow['sections'] } | null>(null);
  const putBack = async ({ snapshot_id, sections }: RestoreRow) => {
    if (!snapshot_id) return;
    try {
      setBack({ row: await call('/api/v3/cloud_backup/detail', { id: snapshot_id }), sections });
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <>
      <DataTable
        path="/api/v3/cloud_backup/restore/list"
        fixed={useMemo(() => (search.gwid ? { gwid: search.gwid } : {}), [search.gwid])}
        name="restores"
        title={t('backup.tab_restores')}
        columns={columns}
        rowKey={(row) => row.id}
        onOpen={(row) => row.job_id && openJobs(row.job_id)}
        actions={(row) =>
          mayWrite && row.snapshot_id ? (
            <Button kind="quiet" icon="undo" onClick={() => void putBack(row)}>
              {t('backup.put_back')}
            </Button>
          ) : null
        }
        never={
          <Empty
            icon="undo"
            title={t('backup.none_restores')}
            actions={<Button onClick={() => change({ tab: 'backups' })}>{t('backup.show')}</Button>}
          >
            {t('backup.none_restores_body')}
          </Empty>
        }
      />
      {back && <RestoreDialog {...back} onClose={() => setBack(null)} />}
    </>
  );
}

function restoreColumns(): Column<RestoreRow>[] {
  const parts = (row: RestoreRow) => listed(row.sections.map((section) => t(`backup.section_${section}`)));
  return [
    {
      key: 'created',
      title: t('backup.restored_at'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => exactTime(new Date(row.created_at)),
    },
    {
      key: 'network',
      title: t('backup.network'),
      cell: (row) => (
        <strong className="ellipsis place-cell" title={row.network}>
          {row.network}
        </strong>
      ),
      text: (row) => row.network,
    },
    {
      key: 'backup',
      title: t('backup.of'),
      cell: (row) => <ShortTime at={row.backup_at} />,
      text: (row) => exactTime(new Date(row.backup_at)),
    },
    { key: 'sections', title: t('backup.parts'), cell: parts, text: parts },
    {
      key: 'status',
      title: t('backup.result'),
      cell: (row) =>
        row.status ? (
          <JobTag status={row.status} />
        ) : (
          <span className="dim">{row.job_id ? '—' : t('backup.no_devices')}</span>
        ),
      text: (row) => (row.status ? t(`job_status.${row.status}`) : row.job_id ? null : t('backup.no_devices')),
    },
    {
      key: 'by',
      title: t('backup.by'),
      cell: (row) => operatorName(row.created_by),
      text: (row) => operatorName(row.created_by),
    },
  ];
}
