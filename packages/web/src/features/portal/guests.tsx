import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { deviceColumns, trafficColumns } from './guest-columns.tsx';
import { GuestActs } from './reception-acts.tsx';
import { askToSignOut } from './reception-guest.ts';

const path = '/api/v3/portal/guest/list';
type Guest = Row<typeof path>;

export function Guests({ gwid }: { gwid: string }) {
  const may = useMay('user.write');
  const mayHelp = useMay('guest.reception');
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const columns = useMemo(() => guestColumns(), []);
  const kick = (guest: Guest) => askToSignOut(guest, () => call('/api/v3/portal/guest/kick', { gwid, id: guest.id }));
  return (
    <DataTable
      path={path}
      fixed={fixed}
      name="portal-guests"
      title={t('site_portal.tab_guests')}
      columns={columns}
      rowKey={(row) => row.id}
      searchHint={t('site_portal.guests_search')}
      {...(mayHelp && { actions: (row: Guest) => <GuestActs gwid={gwid} guest={row} /> })}
      {...(may && !mayHelp
        ? {
            actions: (row: Guest) => (
              <Button
                kind="link"
                className="btn-bad"
                why={row.signs_out ? undefined : t('site_portal.kick_unsupported')}
                onClick={() => kick(row)}
              >
                {t('site_portal.kick')}
              </Button>
            ),
          }
        : {})}
      never={<Empty icon="users" title={t('site_portal.guests_empty')} />}
    />
  );
}

function guestColumns(): Column<Guest>[] {
  return [
    ...deviceColumns(),
    {
      key: 'identity',
      title: t('site_portal.guest_identity'),
      cell: (row) => row.identity,
      text: (row) => row.identity,
    },
    {
      key: 'ip',
      title: t('site_portal.guest_ip'),
      cell: (row) => <span className="mono">{row.ip}</span>,
      text: (row) => row.ip,
    },
    {
      key: 'granted_at',
      title: t('site_portal.guest_since'),
      cell: (row) => <ShortTime at={row.granted_at} />,
      text: (row) => row.granted_at,
    },
    {
      key: 'expires_at',
      title: t('site_portal.guest_until'),
      cell: (row) => (row.expires_at === null ? t('site_portal.guest_unlimited') : <ShortTime at={row.expires_at} />),
      text: (row) => row.expires_at,
    },
    ...trafficColumns(),
  ];
}
