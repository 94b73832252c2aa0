import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { type Member, MemberDialog } from './member-dialog.tsx';
import { MemberImport } from './member-import.tsx';

const path = '/api/v3/portal/member/list';

export function Members({ gwid, ready }: { gwid: string; ready: boolean }) {
  const may = useMay('user.write');
  const [open, setOpen] = useState<Member | 'new' | null>(null);
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const columns = useMemo(() => memberColumns(), []);
  const again = () => queryClient.invalidateQueries({ queryKey: [path] });
  const [importing, setImporting] = useState(false);
  const create = may && (
    <>
      <Button icon="file" onClick={() => setImporting(true)} disabled={!ready}>
        {t('imports.open')}
      </Button>
      <Button kind="primary" icon="plus" onClick={() => setOpen('new')} disabled={!ready}>
        {t('site_portal.member_create')}
      </Button>
    </>
  );
  const remove = ({ id, name }: Member) =>
    ask({
      title: t('site_portal.member_delete_title', { name }),
      body: t('site_portal.member_delete_body'),
      confirm: t('site_portal.member_delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/portal/member/delete', { gwid, ids: [id] });
        await again();
      },
    });
  return (
    <>
      <DataTable
        path={path}
        fixed={fixed}
        name="portal-members"
        title={t('site_portal.tab_members')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('site_portal.member_search')}
        {...(may
          ? {
              actions: (row: Member) => (
                <span className="row nowrap">
                  <IconButton icon="edit" label={t('site_portal.member_edit')} onClick={() => setOpen(row)} />
                  <IconButton icon="trash" label={t('site_portal.member_delete')} onClick={() => remove(row)} />
                </span>
              ),
            }
          : {})}
        never={
          <Empty icon="users" title={t('site_portal.members_empty')} actions={create}>
            {ready ? null : t('site_portal.vouchers_first')}
          </Empty>
        }
        toolbar={create}
      />
      {importing && <MemberImport gwid={gwid} onClose={() => setImporting(false)} onDone={() => void again()} />}
      {open !== null && (
        <MemberDialog
          gwid={gwid}
          member={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            void again();
          }}
        />
      )}
    </>
  );
}

function memberColumns(): Column<Member>[] {
  return [
    {
      key: 'name',
      title: t('site_portal.member_name'),
      sort: 'name',
      cell: (row) => (
        <span>
          <strong>{row.name}</strong> {!row.enabled && <Tag tone="warn">{t('site_portal.member_disabled')}</Tag>}
        </span>
      ),
      text: (row) => row.name,
    },
    {
      key: 'until',
      title: t('site_portal.member_until'),
      cell: (row) => (row.until === null ? t('site_portal.guest_unlimited') : <ShortTime at={row.until} />),
      text: (row) => row.until,
    },
    {
      key: 'devices',
      title: t('site_portal.batch_devices'),
      sort: 'devices',
      right: true,
      cell: (row) => row.devices,
      text: (row) => row.devices,
    },
    {
      key: 'last_at',
      title: t('site_portal.member_last'),
      cell: (row) => (row.last_at === null ? t('site_portal.member_never') : <ShortTime at={row.last_at} />),
      text: (row) => row.last_at,
    },
  ];
}
