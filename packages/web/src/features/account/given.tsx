import { useMemo, useState } from 'react';
import { viewAs } from '../../app/acting.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import type { Given as GivenRow } from './given-row.ts';
import { hostedNetworks, hostingColumns } from './hosting-columns.tsx';
import { HostingDialog } from './hosting-dialog.tsx';
import { permissionsText } from './labels.ts';

export function Given() {
  const may = useMay('account.write');
  const [editing, setEditing] = useState<GivenRow | true | null>(null);
  const columns = useMemo(hostingColumns, []);
  const delegation = may && (
    <Button kind="primary" icon="plus" onClick={() => setEditing(true)}>
      {t('hosting.grant')}
    </Button>
  );
  return (
    <>
      <DataTable
        path="/api/v3/hosting/list"
        name="hosting-given"
        title={t('account.tab_given')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('hosting.search')}
        {...(may
          ? { actions: (row: GivenRow) => <DelegationActions delegation={row} edit={() => setEditing(row)} /> }
          : {})}
        never={
          <Empty icon="share" title={t('hosting.never')} actions={delegation}>
            {t('hosting.never_body')}
          </Empty>
        }
        toolbar={delegation}
      />
      {editing && (
        <HostingDialog {...(editing === true ? {} : { delegation: editing })} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function DelegationActions({ delegation, edit }: { delegation: GivenRow; edit: () => void }) {
  const name = delegation.account_name;
  const revoke = () =>
    ask({
      title: t('hosting.revoke_title', { name }),
      body: t('hosting.revoke_body', { name }),
      losses: [
        t('hosting.revoke_networks', { networks: hostedNetworks(delegation) }),
        t('hosting.revoke_permissions', { permissions: permissionsText(delegation.permissions) }),
        t('member.remove_pages'),
      ],
      confirm: t('hosting.revoke'),
      danger: true,
      act: async () => {
        await call('/api/v3/hosting/revoke', { id: delegation.id });
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/hosting/list'] });
        notify('ok', t('hosting.revoked', { name }));
      },
    });
  return (
    <div>
      <Menu
        label={t('hosting.acts', { name })}
        target={(trigger) => <IconButton icon="more" label={t('hosting.acts', { name })} {...trigger} />}
        items={[
          { label: t('hosting.edit'), icon: 'edit', act: edit },
          { label: t('member.view_as'), icon: 'eye', act: () => void viewAs({ as: `grant:${delegation.id}`, name }) },
          { label: t('hosting.revoke'), icon: 'trash', danger: true, act: revoke },
        ]}
      />
    </div>
  );
}
