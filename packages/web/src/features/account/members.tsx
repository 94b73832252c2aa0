import { Suspense, useMemo, useState } from 'react';
import { viewAs } from '../../app/acting.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { WaitingDecisions } from '../../app/lazy-parts.ts';
import { queryClient } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { networksText } from '../../ui/networks-field.tsx';
import { permissionName, roleName } from '../../ui/refusal.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberDialog } from './member-dialog.tsx';
import type { Member } from './member-row.ts';

const again = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => /\/(account\/member|billing\/decision)\/list$/.test(`${queryKey[0]}`),
  });

export function Members() {
  const may = useMay('account.write');
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<Member | null>(null);
  const columns = useMemo(memberColumns, []);
  const invite = may && (
    <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
      {t('invitation.invite')}
    </Button>
  );
  const mayDecide = useMay('billing.read');
  return (
    <div className="stack">
      {mayDecide && (
        <Suspense>
          <WaitingDecisions changesOnly />
        </Suspense>
      )}
      <DataTable
        path="/api/v3/account/member/list"
        name="members"
        title={t('account.tab_members')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('member.search')}
        {...(may ? { actions: (row: Member) => <MemberActions member={row} edit={() => setEditing(row)} /> } : {})}
        never={<Empty icon="users" title={t('member.never')} actions={invite} />}
        toolbar={invite}
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {editing && <MemberDialog member={editing} onClose={() => setEditing(null)} onSaved={again} />}
    </div>
  );
}

function MemberActions({ member, edit }: { member: Member; edit: () => void }) {
  const { role, permissions } = useUser();
  const name = member.name || member.login;
  const more = member.permissions.find((permission) => !permissions.includes(permission));
  const why =
    member.role === 'owner' && role !== 'owner'
      ? t('forbidden.owner')
      : more && t('forbidden.permission', { permission: permissionName(more) });
  const remove = () =>
    ask({
      title: t('member.remove_title', { name }),
      body: t('member.remove_body'),
      losses: [t('member.remove_pages'), t('member.remove_tokens')],
      confirm: t('member.remove'),
      danger: true,
      act: async () => {
        const { waiting } = await call('/api/v3/account/member/remove', { id: member.id });
        await again();
        notify('ok', waiting ? t('member.change_waits') : t('member.removed', { name }));
      },
    });
  return (
    <div>
      <Menu
        label={t('member.acts', { name })}
        target={(trigger) => <IconButton icon="more" label={t('member.acts', { name })} {...trigger} />}
        items={[
          { label: t('member.edit'), icon: 'edit', why, act: edit },
          ...(member.self
            ? []
            : [
                {
                  label: t('member.view_as'),
                  icon: 'eye' as const,
                  why: more && t('forbidden.permission', { permission: permissionName(more) }),
                  act: () => void viewAs({ as: `member:${member.id}`, name }),
                },
              ]),
          { label: t('member.remove'), icon: 'trash', danger: true, why, act: remove },
        ]}
      />
    </div>
  );
}

function memberColumns(): Column<Member>[] {
  return [
    {
      key: 'name',
      title: t('member.person'),
      lead: true,
      cell: (row) => (
        <span>
          <strong>{row.name || row.login}</strong> {row.self && <span className="label">{t('member.self')}</span>}
          {row.name && <div className="small dim">{row.login}</div>}
        </span>
      ),
      text: (row) => row.name || row.login,
    },
    {
      key: 'role',
      title: t('member.role'),
      cell: (row) => <Tag tone={row.role === 'owner' ? 'brand' : 'none'}>{roleName(row)}</Tag>,
      text: roleName,
    },
    {
      key: 'networks',
      title: t('pick.networks'),
      cell: (row) => networksText(row.gwids),
      text: (row) => networksText(row.gwids),
    },
    {
      key: 'factor',
      title: t('member.second_factor'),
      cell: (row) =>
        row.second_factor ? (
          <Tag tone="ok" shape="check">
            {t('member.factor_on')}
          </Tag>
        ) : (
          <Tag tone="warn" shape="triangle">
            {t('member.factor_off')}
          </Tag>
        ),
      text: (row) => t(row.second_factor ? 'member.factor_on' : 'member.factor_off'),
    },
    {
      key: 'active',
      title: t('member.last_active'),
      cell: (row) =>
        row.last_active_at ? (
          <RelativeTime at={row.last_active_at} />
        ) : (
          <span className="dim">{t('member.not_yet')}</span>
        ),
      text: (row) => row.last_active_at,
    },
    {
      key: 'joined',
      title: t('member.joined'),
      extra: true,
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
  ];
}
