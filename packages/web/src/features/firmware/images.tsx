import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { bytes, exactTime } from '../../ui/format.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { confirmDelete } from '../../ui/table/confirm-delete.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { ImageDialog } from './image-dialog.tsx';
import type { ImageRow } from './image-row.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';

export function Images() {
  // images apply to devices of all networks, so limited members cannot change them
  const all = useUser().gwids === null;
  const mayWrite = useMay('network.reboot') && all;
  const columns = useMemo(imageColumns, []);
  const [adding, setAdding] = useState(false);
  const [upgrading, setUpgrading] = useState<ImageRow | null>(null);
  const add = mayWrite && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('firmware.add')}
    </Button>
  );
  const items = (row: ImageRow): MenuItem[] => [
    {
      label: t('firmware.upgrade'),
      icon: 'refresh',
      why: row.ready ? (row.other === 0 ? t('firmware.nobody_left') : undefined) : t('firmware.not_ready'),
      act: () => setUpgrading(row),
    },
    {
      label: t('action.delete'),
      icon: 'trash',
      danger: true,
      act: () =>
        confirmDelete(1, [row.version], async () => {
          await call('/api/v3/firmware/image/delete', { ids: [row.id] });
          await queryClient.invalidateQueries({ queryKey: ['/api/v3/firmware/image/list'] });
        }),
    },
  ];
  return (
    <>
      <DataTable
        path="/api/v3/firmware/image/list"
        name="firmware-images"
        title={t('firmware.tab_images')}
        columns={columns}
        rowKey={(row) => row.id}
        order={{ sort: 'created_at', order: 'desc' }}
        toolbar={add}
        actions={(row) =>
          mayWrite ? (
            <Menu
              label={t('action.more')}
              target={(trigger) => <IconButton icon="more" label={t('action.more')} {...trigger} />}
              items={items(row)}
            />
          ) : null
        }
        never={
          <Empty icon="box" title={t('firmware.none_images')} actions={add || undefined}>
            {t(all ? 'firmware.none_images_body' : 'firmware.none_images_some')}
          </Empty>
        }
      />
      {adding && <ImageDialog onClose={() => setAdding(false)} />}
      {upgrading && <UpgradeDialog image={upgrading} onClose={() => setUpgrading(null)} />}
    </>
  );
}

function imageColumns(): Column<ImageRow>[] {
  return [
    {
      key: 'version',
      title: t('firmware.version'),
      cell: (row) => <strong>{row.version}</strong>,
      text: (row) => row.version,
    },
    {
      key: 'models',
      title: t('firmware.models'),
      cell: (row) => row.models.join(t('list.between')),
      text: (row) => row.models.join(t('list.between')),
    },
    {
      key: 'devices',
      title: t('firmware.to_upgrade'),
      cell: (row) => t('firmware.of', { n: row.other, all: row.devices }),
      text: (row) => row.other,
    },
    {
      key: 'source',
      title: t('firmware.source'),
      cell: (row) => (
        <span className="small" title={row.uri ?? row.name}>
          {row.source === 'url' ? t('firmware.source_url') : t('firmware.source_upload')}
          {row.size !== null && ` · ${bytes(row.size)}`}
        </span>
      ),
      text: (row) => row.uri ?? row.name,
    },
    {
      key: 'ready',
      title: t('firmware.state'),
      cell: (row) => (
        <Tag tone={row.ready ? 'ok' : 'warn'}>{row.ready ? t('firmware.ready') : t('firmware.not_ready')}</Tag>
      ),
      text: (row) => (row.ready ? t('firmware.ready') : t('firmware.not_ready')),
    },
    {
      key: 'sha256',
      title: t('firmware.sha256'),
      extra: true,
      cell: (row) => <span className="mono small">{row.sha256.slice(0, 12)}</span>,
      text: (row) => row.sha256,
    },
    {
      key: 'created',
      title: t('firmware.added'),
      sort: 'created_at',
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => exactTime(new Date(row.created_at)),
    },
  ];
}
