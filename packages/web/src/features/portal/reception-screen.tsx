import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { deviceColumns } from './guest-columns.tsx';
import { PortalNetwork } from './portal-network.tsx';
import { GuestActs } from './reception-acts.tsx';
import { Tries } from './reception-tries.tsx';
import './portal.css';

const path = '/api/v3/portal/reception/guest/list';
type Guest = Row<typeof path>;

const tabs = ['guests', 'tries'] as const;

export function ReceptionScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'guests';
  return (
    <Page title={t('home.reception')}>
      <PortalNetwork path="/api/v3/portal/reception/network/list" empty={t('reception.networks_empty')}>
        {(gwid) => (
          <Tabs
            label={t('home.reception')}
            tabs={tabs.map((value) => ({ value, label: t(`reception.tab_${value}`) }))}
            value={tab}
            onChange={(value) =>
              change({
                tab: value === 'guests' ? undefined : value,
                page: undefined,
                keyword: undefined,
                sort: undefined,
                order: undefined,
              })
            }
          >
            {tab === 'guests' ? <Guests key={gwid} gwid={gwid} /> : <Tries key={gwid} gwid={gwid} />}
          </Tabs>
        )}
      </PortalNetwork>
    </Page>
  );
}

function Guests({ gwid }: { gwid: string }) {
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const columns = useMemo(guestColumns, []);
  return (
    <DataTable
      path={path}
      fixed={fixed}
      name="reception-guests"
      title={t('reception.tab_guests')}
      columns={columns}
      rowKey={(row) => row.id}
      searchHint={t('reception.guests_search')}
      actions={(row) => <GuestActs gwid={gwid} guest={row} />}
      never={
        <Empty icon="users" title={t('site_portal.guests_empty')}>
          {t('reception.guests_empty_body')}
        </Empty>
      }
    />
  );
}

function guestColumns(): Column<Guest>[] {
  const [device, method] = deviceColumns<Guest>();
  return [
    {
      key: 'identity',
      title: t('site_portal.guest_identity'),
      lead: true,
      cell: (row) => <strong>{row.identity ?? methodName(row.method)}</strong>,
      text: (row) => row.identity,
    },
    device!,
    method!,
    {
      key: 'expires_at',
      title: t('site_portal.guest_until'),
      sort: 'expires_at',
      cell: (row) => (row.expires_at === null ? t('site_portal.guest_unlimited') : <ShortTime at={row.expires_at} />),
      text: (row) => row.expires_at,
    },
    {
      key: 'granted_at',
      title: t('site_portal.guest_since'),
      sort: 'granted_at',
      wide: true,
      cell: (row) => <ShortTime at={row.granted_at} />,
      text: (row) => row.granted_at,
    },
    {
      key: 'ip',
      title: t('site_portal.guest_ip'),
      wide: true,
      cell: (row) => <span className="mono">{row.ip}</span>,
      text: (row) => row.ip,
    },
  ];
}
