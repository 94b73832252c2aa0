import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import { type Group, GroupDialog } from './group-dialog.tsx';
import { bandText } from './labels.tsx';
import { refreshSdwan } from './refresh.ts';

export function SdwanGroupScreen() {
  const may = useMay('network.write');
  const [edited, setEdited] = useState<Group | 'new' | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('sdwan.group_create')}
    </Button>
  );
  return (
    <Page title={t('home.sdwan_group')}>
      <p className="quiet">{t('sdwan.group_about')}</p>
      <DataTable
        path="/api/v3/sdwan/group/list"
        name="sdwan-groups"
        title={t('home.sdwan_group')}
        columns={columns}
        rowKey={(row) => row.id}
        {...(may ? { actions: (row: Group) => <Actions group={row} onEdit={setEdited} /> } : {})}
        never={
          <Empty icon="layers" title={t('sdwan.group_never')} actions={create}>
            {t('sdwan.group_never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {edited && <GroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function Actions({ group, onEdit }: { group: Group; onEdit: (group: Group) => void }) {
  const { id, name } = group;
  const remove = () =>
    ask({
      title: t('sdwan.delete_title', { name }),
      body: t('sdwan.group_delete_body'),
      confirm: t('sdwan.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/sdwan/group/delete', { id });
        notify('ok', t('sdwan.deleted', { name }));
        await refreshSdwan();
      },
    });
  const label = t('sdwan.acts_of', { name });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('sdwan.edit'), icon: 'edit', act: () => onEdit(group) },
        {
          label: t('sdwan.delete'),
          icon: 'trash',
          danger: true,
          why: group.is_used ? t('sdwan.group_used') : undefined,
          act: remove,
        },
      ]}
    />
  );
}

function columnsOf(): Column<Group>[] {
  return [
    { key: 'name', title: t('sdwan.name'), sort: 'name', cell: (row) => row.name, text: (row) => row.name },
    { key: 'network', title: t('sdwan.network'), cell: (row) => row.network, text: (row) => row.network },
    {
      key: 'nodes',
      title: t('sdwan.nodes'),
      sort: 'nodes',
      right: true,
      cell: (row) => row.node_keys.length,
      text: (row) => row.node_keys.length,
    },
    ...(['widthband', 'foreign_widthband'] as const).map(
      (key): Column<Group> => ({
        key,
        title: t(`sdwan.${key}`),
        sort: key,
        right: true,
        cell: (row) => bandText(row[key]),
        text: (row) => row[key],
      }),
    ),
  ];
}
