import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Empty } from '../../ui/empty.tsx';
import { networksText } from '../../ui/networks-field.tsx';
import { roleName } from '../../ui/refusal.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { InviteDialog, type Offer } from './invite-dialog.tsx';

type Invitation = Row<'/api/v3/account/invitation/list'>;

export function Invitations() {
  const may = useMay('account.write');
  const [inviting, setInviting] = useState<Offer | true | null>(null);
  const columns = useMemo(invitationColumns, []);
  const invite = may && (
    <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
      {t('invitation.invite')}
    </Button>
  );
  return (
    <>
      <DataTable
        path="/api/v3/account/invitation/list"
        name="invitations"
        title={t('account.tab_invitations')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('invitation.search')}
        {...(may
          ? { actions: (row: Invitation) => <InvitationActions invitation={row} again={() => setInviting(row)} /> }
          : {})}
        never={
          <Empty icon="mail" title={t('invitation.never')} actions={invite}>
            {t('invitation.never_body')}
          </Empty>
        }
        toolbar={invite}
      />
      {inviting && (
        <InviteDialog {...(inviting === true ? {} : { offer: inviting })} onClose={() => setInviting(null)} />
      )}
    </>
  );
}

function InvitationActions({ invitation, again }: { invitation: Invitation; again: () => void }) {
  const { login } = invitation;
  const revoke = async () => {
    await call('/api/v3/account/invitation/revoke', { id: invitation.id });
    await queryClient.invalidateQueries({ queryKey: ['/api/v3/account/invitation/list'] });
    notify('ok', t('invitation.revoked', { login }));
  };
  return (
    <span className="row">
      <Button kind="quiet" aria-label={t('invitation.again_named', { login })} onClick={again}>
        {t('invitation.again')}
      </Button>
      <ConfirmPopover question={t('invitation.revoke_ask', { login })} confirm={t('invitation.revoke')} act={revoke}>
        {(trigger) => (
          <Button kind="quiet" className="btn-bad" aria-label={t('invitation.revoke_named', { login })} {...trigger}>
            {t('invitation.revoke')}
          </Button>
        )}
      </ConfirmPopover>
    </span>
  );
}

function invitationColumns(): Column<Invitation>[] {
  return [
    { key: 'login', title: t('invitation.to'), cell: (row) => <strong>{row.login}</strong>, text: (row) => row.login },
    {
      key: 'role',
      title: t('member.role'),
      cell: (row) => <Tag tone="none">{roleName(row)}</Tag>,
      text: roleName,
    },
    {
      key: 'networks',
      title: t('pick.networks'),
      cell: (row) => networksText(row.gwids),
      text: (row) => networksText(row.gwids),
    },
    {
      key: 'sent',
      title: t('invitation.at'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    {
      key: 'expires',
      title: t('invitation.until'),
      cell: (row) =>
        row.expired ? (
          <Tag tone="warn" shape="triangle">
            {t('invitation.expired')}
          </Tag>
        ) : (
          <ShortTime at={row.expires_at} />
        ),
      text: (row) => row.expires_at,
    },
  ];
}
