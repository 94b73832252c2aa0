import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { bytes, exactTime } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import type { BatchAct, Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { backUp, deleteBackups, pin } from './actions.ts';
import { BackupDrawer } from './backup-drawer.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { DownloadDialog } from './download-dialog.tsx';
import { type BackupRow, causeText, madeBy, types } from './labels.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

type Doing = { what: 'restore' | 'download' | 'note'; row: BackupRow } | { what: 'compare'; rows: BackupRow[] };

const isId = (text: string | undefined) => text !== undefined && /^[0-9a-f-]{36}$/.test(text);

export function Backups() {
  const mayWrite = useMay('config.write');
  const [search, change] = useSearch();
  const gwid = isId(search.gwid) ? search.gwid : undefined;
  const columns = useMemo(() => backupColumns(gwid !== undefined), [gwid]);
  const filters = useMemo(backupFilters, []);
  const fixed = useMemo(() => (gwid ? { gwid } : {}), [gwid]);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const open = (row: BackupRow) => change({ backup: row.id }, true);
  const batch: BatchAct<BackupRow>[] = [
    {
      label: t('backup.compare'),
      act: (selection) =>
        void selection
          .rows()
          .then((rows) =>
            rows.length === 2 ? setDoing({ what: 'compare', rows }) : notify('info', t('backup.compare_two')),
          )
          .catch(notifyError),
    },
    ...(mayWrite
      ? [
          {
            label: t('action.delete'),
            danger: true,
            act: ((selection, done) =>
              void selection
                .rows()
                .then((rows) => deleteBackups(rows, done))
                .catch(notifyError)) satisfies BatchAct<BackupRow>['act'],
          },
        ]
      : []),
  ];
  const items = (row: BackupRow): MenuItem[] => [
    { label: t('backup.compare_now'), icon: 'columns', act: () => setDoing({ what: 'compare', rows: [row] }) },
    ...(mayWrite
      ? ([
          { label: t('backup.restore'), icon: 'undo', act: () => setDoing({ what: 'restore', row }) },
          { label: row.pinned ? t('backup.unpin') : t('backup.pin'), icon: 'lock', act: () => void pin(row) },
          { label: t('backup.note_title'), icon: 'edit', act: () => setDoing({ what: 'note', row }) },
          { label: t('backup.download'), icon: 'download', act: () => setDoing({ what: 'download', row }) },
          {
            label: t('action.delete'),
            icon: 'trash',
            danger: true,
            why: row.pinned ? t('backup.delete_pinned') : undefined,
            act: () => deleteBackups([row]),
          },
        ] satisfies MenuItem[])
      : []),
  ];
  return (
    <>
      {gwid && <Narrowed gwid={gwid} clear={() => change({ gwid: undefined, page: undefined })} />}
      <DataTable
        path="/api/v3/cloud_backup/list"
        fixed={fixed}
        name="backups"
        title={t('backup.tab_backups')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        {...(gwid === undefined && { searchHint: t('networks.search') })}
        order={{ sort: 'created_at', order: 'desc' }}
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
          <Empty
            icon="archive"
            title={t('backup.none')}
            actions={
              mayWrite && gwid ? (
                <Button kind="primary" onClick={() => void backUp([gwid])}>
                  {t('backup.now')}
                </Button>
              ) : undefined
            }
          >
            {t('backup.none_body')}
          </Empty>
        }
      />
      {isId(search.backup) && (
        <BackupDrawer
          id={search.backup!}
          onClose={() => change({ backup: undefined })}
          restore={mayWrite ? (row) => setDoing({ what: 'restore', row }) : undefined}
        />
      )}
      {doing?.what === 'restore' && <RestoreDialog row={doing.row} onClose={close} />}
      {doing?.what === 'download' && <DownloadDialog row={doing.row} onClose={close} />}
      {doing?.what === 'note' && <NoteDialog row={doing.row} onClose={close} />}
      {doing?.what === 'compare' && <CompareDialog rows={doing.rows} onClose={close} />}
    </>
  );
}

function Narrowed({ gwid, clear }: { gwid: string; clear: () => void }) {
  const { data } = useRead('/api/v3/network/detail', { gwid });
  return (
    <p className="backup-narrowed">
      <span>{t('backup.only', { name: data?.remark ?? '…' })}</span>
      <Button kind="quiet" onClick={clear}>
        {t('backup.all')}
      </Button>
    </p>
  );
}

function backupFilters(): Filter[] {
  return [
    {
      name: 'type',
      label: t('backup.type'),
      options: types.map((value) => ({ value, label: t(`backup.type_${value}`) })),
    },
    {
      name: 'pinned',
      label: t('backup.pinned'),
      options: [{ value: 'true', label: t('backup.pinned_only') }],
      input: (value) => ({ pinned: value === 'true' }),
    },
  ];
}

function backupColumns(oneNetwork: boolean): Column<BackupRow>[] {
  const network: Column<BackupRow> = {
    key: 'network',
    title: t('backup.network'),
    cell: (row) => (
      <strong className="ellipsis place-cell" title={row.network}>
        {row.network}
      </strong>
    ),
    text: (row) => row.network,
  };
  return [
    {
      key: 'created',
      title: t('backup.at'),
      sort: 'created_at',
      cell: (row) => (
        <span className="backup-time">
          <ShortTime at={row.created_at} />
          {row.pinned && (
            <span title={t('backup.pinned')}>
              <Icon name="lock" size={13} />
              <span className="sr">{t('backup.pinned')}</span>
            </span>
          )}
        </span>
      ),
      text: (row) => exactTime(new Date(row.created_at)),
    },
    ...(oneNetwork ? [] : [network]),
    { key: 'type', title: t('backup.type'), cell: causeText, text: causeText },
    {
      key: 'note',
      title: t('backup.note'),
      cell: (row) => row.note || <span className="dim">—</span>,
      text: (row) => row.note,
    },
    { key: 'by', title: t('backup.by'), cell: madeBy, text: madeBy },
    {
      key: 'version',
      title: t('backup.version'),
      cell: (row) => <span className="small">{row.version ?? '—'}</span>,
      text: (row) => row.version,
    },
    {
      key: 'size',
      title: t('backup.size'),
      sort: 'size',
      right: true,
      cell: (row) => bytes(row.size),
      text: (row) => row.size,
    },
    {
      key: 'sha256',
      title: t('backup.sha256'),
      extra: true,
      cell: (row) => <span className="mono small">{row.sha256.slice(0, 12)}</span>,
      text: (row) => row.sha256,
    },
  ];
}
