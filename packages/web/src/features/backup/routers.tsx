import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { bytes, exactTime } from '../../ui/format.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { StatusTag } from '../../ui/status.tsx';
import type { BatchAct, Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { backUp } from './actions.ts';
import { Age, planText, type RouterRow } from './labels.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { UploadDialog } from './upload-dialog.tsx';

export function Routers() {
  const mayWrite = useMay('config.write');
  const [, change] = useSearch();
  const columns = useMemo(routerColumns, []);
  const [planning, setPlanning] = useState<{ rows: RouterRow[]; done: () => void } | null>(null);
  const mayBind = useMay('network.bind');
  const [replacing, setReplacing] = useState<RouterRow | null>(null);
  const [uploading, setUploading] = useState<RouterRow | null>(null);
  const open = (row: RouterRow) =>
    change({ tab: 'backups', gwid: row.gwid, page: undefined, keyword: undefined }, true);
  const batch: BatchAct<RouterRow>[] = mayWrite
    ? [
        {
          label: t('backup.now'),
          act: (selection, done) =>
            void selection
              .rows()
              .then((rows) =>
                backUp(
                  rows.map(({ gwid }) => gwid),
                  done,
                ),
              )
              .catch(notifyError),
        },
        {
          label: t('backup.plan'),
          act: (selection, done) =>
            void selection
              .rows()
              .then((rows) => setPlanning({ rows, done }))
              .catch(notifyError),
        },
      ]
    : [];
  const items = (row: RouterRow): MenuItem[] => [
    { label: t('backup.show'), icon: 'list', act: () => open(row) },
    ...(mayWrite
      ? ([
          { label: t('backup.now'), icon: 'archive', act: () => void backUp([row.gwid]) },
          { label: t('backup.plan'), icon: 'clock', act: () => setPlanning({ rows: [row], done: () => {} }) },
          { label: t('backup.upload'), icon: 'inbox', act: () => setUploading(row) },
        ] satisfies MenuItem[])
      : []),
    ...(mayWrite && mayBind
      ? ([{ label: t('backup.replace'), icon: 'refresh', act: () => setReplacing(row) }] satisfies MenuItem[])
      : []),
  ];
  return (
    <>
      <DataTable
        path="/api/v3/cloud_backup/router/list"
        name="backup-routers"
        title={t('backup.tab_routers')}
        columns={columns}
        rowKey={(row) => row.gwid}
        searchHint={t('networks.search')}
        batch={batch}
        onOpen={open}
        actions={(row) => (
          <Menu
            label={t('action.more')}
            target={(trigger) => <IconButton icon="more" label={t('action.more')} {...trigger} />}
            items={items(row)}
          />
        )}
        never={
          <Empty icon="archive" title={t('backup.none_routers')}>
            {t('backup.none_routers_body')}
          </Empty>
        }
      />
      {planning && <PlanDialog {...planning} onClose={() => setPlanning(null)} />}
      {replacing && <ReplaceDialog row={replacing} onClose={() => setReplacing(null)} />}
      {uploading && <UploadDialog row={uploading} onClose={() => setUploading(null)} />}
    </>
  );
}

function routerColumns(): Column<RouterRow>[] {
  return [
    {
      key: 'remark',
      title: t('backup.network'),
      sort: 'remark',
      cell: (row) => <strong>{row.remark}</strong>,
      text: (row) => row.remark,
    },
    {
      key: 'status',
      title: t('backup.status'),
      sort: 'status',
      cell: (row) => <StatusTag status={row.status} />,
      text: (row) => t(`status.${row.status}`),
    },
    {
      key: 'model',
      title: t('backup.model'),
      cell: (row) => row.model ?? <span className="dim">—</span>,
      text: (row) => row.model,
    },
    {
      key: 'version',
      title: t('backup.version'),
      cell: (row) => <span className="small">{row.version ?? '—'}</span>,
      text: (row) => row.version,
    },
    {
      key: 'last',
      title: t('backup.last'),
      cell: (row) => <Age at={row.last_backup_at} />,
      text: (row) => row.last_backup_at && exactTime(new Date(row.last_backup_at)),
    },
    { key: 'plan', title: t('backup.plan'), cell: (row) => planText(row.plan), text: (row) => planText(row.plan) },
    {
      key: 'count',
      title: t('backup.count'),
      sort: 'count',
      right: true,
      cell: (row) => row.count,
      text: (row) => row.count,
    },
    {
      key: 'size',
      title: t('backup.size'),
      sort: 'size',
      right: true,
      cell: (row) => bytes(row.size),
      text: (row) => row.size,
    },
  ];
}
