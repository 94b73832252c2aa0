import { type Role, rolePermissions, roles } from '@yunxun/contract/permissions';
import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { permissionName } from '../../ui/refusal.ts';
import { Setting, Settings } from '../../ui/setting.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { may, permissionsText } from './labels.ts';
import { RoleDialog } from './role-dialog.tsx';
import type { OwnRole } from './role-row.ts';

export function Roles() {
  const mayWrite = useMay('account.write');
  const [editing, setEditing] = useState<OwnRole | true | null>(null);
  const columns = useMemo(roleColumns, []);
  const create = mayWrite && (
    <Button kind="primary" icon="plus" onClick={() => setEditing(true)}>
      {t('role_own.create')}
    </Button>
  );
  return (
    <div className="stack">
      <p className="small dim">{t('role_own.about')}</p>
      <DataTable
        path="/api/v3/account/role/list"
        name="account-roles"
        title={t('account.tab_roles')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('role_own.name')}
        {...(mayWrite ? { actions: (row: OwnRole) => <RoleActions role={row} edit={() => setEditing(row)} /> } : {})}
        never={
          <Empty icon="shield" title={t('role_own.never')} actions={create}>
            {t('role_own.never_body')}
          </Empty>
        }
        toolbar={create}
      />
      <Card title={t('role_own.built_in')} flush>
        <Settings>
          {roles.map((role) => (
            <Setting key={role} title={t(`role.${role}`)} state={builtIn(role)} />
          ))}
        </Settings>
      </Card>
      {editing && <RoleDialog {...(editing === true ? {} : { role: editing })} onClose={() => setEditing(null)} />}
    </div>
  );
}

function builtIn(role: Role): string {
  if (role === 'owner' || role === 'admin') return t(`role_own.${role}_may`);
  return may(rolePermissions[role]);
}

function RoleActions({ role, edit }: { role: OwnRole; edit: () => void }) {
  const { permissions } = useUser();
  const { name } = role;
  const more = role.permissions.find((permission) => !permissions.includes(permission));
  if (more) return <span className="small dim">{t('role_own.more', { permission: permissionName(more) })}</span>;
  const remove = async () => {
    await call('/api/v3/account/role/delete', { id: role.id });
    await queryClient.invalidateQueries({ queryKey: ['/api/v3/account/role/list'] });
    notify('ok', t('role_own.deleted', { name }));
  };
  return (
    <span className="row">
      <Button kind="quiet" aria-label={t('role_own.edit_named', { name })} onClick={edit}>
        {t('hosting.edit')}
      </Button>
      <ConfirmPopover question={t('role_own.delete_ask', { name })} confirm={t('action.delete')} act={remove}>
        {(trigger) => (
          <Button kind="quiet" className="btn-bad" aria-label={t('role_own.delete_named', { name })} {...trigger}>
            {t('action.delete')}
          </Button>
        )}
      </ConfirmPopover>
    </span>
  );
}

function roleColumns(): Column<OwnRole>[] {
  return [
    { key: 'name', title: t('role_own.name'), cell: (row) => <strong>{row.name}</strong>, text: (row) => row.name },
    {
      key: 'permissions',
      title: t('hosting.permissions'),
      cell: (row) => <span className="hosted-networks">{permissionsText(row.permissions)}</span>,
      text: (row) => permissionsText(row.permissions),
    },
    {
      key: 'members',
      title: t('role_own.members'),
      sort: 'member_num',
      right: true,
      cell: (row) => row.member_num,
      text: (row) => row.member_num,
    },
    {
      key: 'invitations',
      title: t('role_own.invitations'),
      sort: 'invitation_num',
      right: true,
      cell: (row) => row.invitation_num,
      text: (row) => row.invitation_num,
    },
    {
      key: 'changed',
      title: t('role_own.changed'),
      cell: (row) => <ShortTime at={row.updated_at} />,
      text: (row) => row.updated_at,
    },
  ];
}
