import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { joined } from '../../ui/table/file-columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import type { Kind } from './draft.ts';
import { GroupsMenu } from './groups-menu.tsx';
import './templates.css';

const PushDialog = lazy(async () => ({ default: (await import('./push-dialog.tsx')).PushDialog }));

export type TemplateRow = Row<'/api/v3/wireless_template/list'>;

export const WirelessTemplatesScreen = () => <Templates kind="wireless" />;
export const AcTemplatesScreen = () => <Templates kind="ac" />;

const base = '/config/template_wireless';

function Templates({ kind }: { kind: Kind }) {
  const may = useMay('config.write');
  const navigate = useNavigate();
  const [copying, setCopying] = useState<TemplateRow | null>(null);
  const [leaving, setLeaving] = useState<TemplateRow | null>(null);
  const columns = useMemo(() => columnsOf(kind), [kind]);
  const open = (id: string) => void navigate({ to: `${base}/${kind}_edit/$id`, params: { id } as never });
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => void navigate({ to: `${base}/${kind}_create` })}>
      {t(`config.wireless${kind === 'ac' ? '_ac' : ''}_create`)}
    </Button>
  );
  return (
    <Page title={t(kind === 'ac' ? 'config.wireless_ac' : 'config.wireless')}>
      <DataTable
        path="/api/v3/wireless_template/list"
        fixed={{ kind }}
        name={`templates-${kind}`}
        title={t(kind === 'ac' ? 'config.wireless_ac' : 'config.wireless')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('template.search')}
        onOpen={(row) => open(row.id)}
        {...(may
          ? {
              actions: (row: TemplateRow) => (
                <Actions row={row} copy={() => setCopying(row)} unassign={() => setLeaving(row)} />
              ),
            }
          : {})}
        never={
          <Empty icon={kind === 'ac' ? 'layers' : 'wifi'} title={t('template.never')} actions={create}>
            {t(kind === 'ac' ? 'template.never_ac' : 'template.never_wireless')}
          </Empty>
        }
        toolbar={
          <>
            {kind === 'wireless' && <GroupsMenu />}
            {create}
          </>
        }
      />
      {leaving && (
        <Suspense>
          <PushDialog template={leaving} version={null} onClose={() => setLeaving(null)} />
        </Suspense>
      )}
      {copying && (
        <CopyDialog
          template={copying}
          onClose={() => setCopying(null)}
          onCopied={(id) => {
            setCopying(null);
            open(id);
          }}
        />
      )}
    </Page>
  );
}

function Actions({ row, copy, unassign }: { row: TemplateRow; copy: () => void; unassign: () => void }) {
  const navigate = useNavigate();
  const { id, devices } = row;
  const used = devices + row.networks + row.groups > 0;
  const show = () => void navigate({ to: '/network/aps', search: { template_id: id } as never });
  const remove = () =>
    ask({
      title: t('template.delete_title', { name: row.name }),
      body: t('template.delete_body'),
      confirm: t('template.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/wireless_template/delete', { id: row.id });
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/wireless_template/list'] });
        notify('ok', t('template.deleted', { name: row.name }));
      },
    });
  return (
    <div>
      <Menu
        label={t('template.acts', { name: row.name })}
        width={280}
        target={(trigger) => <IconButton icon="more" label={t('template.acts', { name: row.name })} {...trigger} />}
        items={[
          { label: t('template.copy'), icon: 'copy', act: copy },
          ...(devices > 0
            ? [{ label: t('template.show_devices', { n: devices }), icon: 'list' as const, act: show }]
            : []),
          {
            label: t('take_off.menu'),
            icon: 'undo',
            why: used ? undefined : t('take_off.unused'),
            act: unassign,
          },
          {
            label: t('template.delete'),
            icon: 'trash',
            danger: true,
            why: used ? usedText(row) : undefined,
            act: remove,
          },
        ]}
      />
    </div>
  );
}

function usedText({ devices, networks, groups }: TemplateRow): string {
  return networks + groups === 0
    ? t('template.delete_used_devices', { n: devices })
    : t('template.delete_used', { devices, networks, groups });
}

/** Networks and groups get a template when the last wave of their push has ended. */
function placesText({ devices, networks, groups }: TemplateRow): string {
  return networks + groups === 0 && devices > 0
    ? t('template.places_devices')
    : t('template.places_count', { networks, groups });
}

function columnsOf(kind: Kind): Column<TemplateRow>[] {
  const ssids: Column<TemplateRow> = {
    key: 'ssids',
    title: t('template.ssids'),
    cell: (row) =>
      row.ssids.length === 0 ? (
        <span className="dim">—</span>
      ) : (
        <span className="tags">
          {row.ssids.map(({ name, vlan }) => (
            <span key={name} className="label">
              {vlan === null ? name : t('template.ssid_vlan', { name, vlan })}
            </span>
          ))}
        </span>
      ),
    text: (row) => joined(row.ssids.map(({ name }) => name)),
  };
  const country: Column<TemplateRow> = {
    key: 'country',
    title: t('wireless.country'),
    cell: (row) => row.country ?? <span className="dim">—</span>,
    text: (row) => row.country,
  };
  return [
    {
      key: 'name',
      title: t('template.name'),
      sort: 'name',
      cell: (row) => <Link to={`${base}/${row.kind}_edit/${row.id}`}>{row.name}</Link>,
      text: (row) => row.name,
    },
    kind === 'ac' ? country : ssids,
    {
      key: 'devices',
      title: t('template.devices'),
      sort: 'devices',
      right: true,
      cell: (row) =>
        row.devices === 0 ? (
          0
        ) : (
          <Link to="/network/aps" search={{ template_id: row.id }} title={t('template.which')}>
            {row.devices}
          </Link>
        ),
      text: (row) => row.devices,
    },
    {
      key: 'sync',
      title: t('template.in_sync'),
      cell: (row) =>
        row.devices === 0 ? (
          <span className="dim">—</span>
        ) : (
          t('template.in_sync_of', { n: row.in_sync, total: row.devices })
        ),
      text: (row) => `${row.in_sync}/${row.devices}`,
    },
    {
      key: 'places',
      title: t('template.places'),
      cell: placesText,
      text: (row) => row.networks + row.groups,
    },
    {
      key: 'version',
      title: t('template.version'),
      cell: (row) => (
        <span>
          {t('template.version_n', { n: row.version })}
          {row.devices > row.newest && (
            <div className="small dim">{t('template.behind', { n: row.devices - row.newest })}</div>
          )}
        </span>
      ),
      text: (row) => row.version,
    },
    {
      key: 'updated',
      title: t('template.updated'),
      sort: 'updated_at',
      cell: (row) => (
        <span>
          <RelativeTime at={row.updated_at} />
          <div className="small dim ellipsis">{row.updated_by}</div>
        </span>
      ),
      text: (row) => row.updated_at,
    },
  ];
}
