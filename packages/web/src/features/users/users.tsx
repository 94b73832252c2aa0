import { type ReactNode, useMemo, useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import type { BatchAct } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { listFiles } from '../../ui/table/files.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { block, kick, unblock } from './acts.ts';
import { AddDialog } from './add-macs.tsx';
import { type Tab, userColumns } from './columns.tsx';
import { isNetwork, userFilters } from './filters.ts';
import { useFreshUsers } from './use-fresh.ts';
import { UserDrawer } from './user-drawer.tsx';
import { UserMenu } from './user-menu.tsx';
import type { UserRow } from './words.ts';
import './users.css';

const tabs = ['online', 'today', 'history', 'blocked', 'allowed'] as const;

/** The terminals of all networks or of one: who is there, who was, and who is on a list. */
export function UsersScreen() {
  const gwid = useOptionalParam('gwid');
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'online';
  const [paused, setPaused] = useState(false);
  useFreshUsers(paused);
  return (
    <Page
      title={t('home.online_users')}
      {...(gwid ? { beside: <NetworkCrumb gwid={gwid} /> } : {})}
      acts={
        <IconButton
          icon={paused ? 'play' : 'pause'}
          label={paused ? t('users.resume') : t('users.pause')}
          onClick={() => setPaused(!paused)}
        />
      }
    >
      <Tabs
        label={t('home.online_users')}
        value={tab}
        onChange={(next) => change({ ...cleared, tab: next === 'online' ? undefined : next }, true)}
        tabs={tabs.map((value) => ({ value, label: t(`users.tab_${value}`) }))}
      >
        <UserList key={tab} tab={tab} gwid={gwid} />
      </Tabs>
      {search.user && <UserDrawer key={search.user} mac={search.user} onClose={() => change({ user: undefined })} />}
    </Page>
  );
}

/** How many networks or access points a filter offers. */
const mostOffered = 200;

/** How the server orders what nobody ordered; lists of MACs come as they were put there. */
const orders = {
  online: { sort: 'login_at', order: 'desc' },
  today: { sort: 'last_seen', order: 'desc' },
  history: { sort: 'last_seen', order: 'desc' },
} as const;

/** What of the address belongs to one tab only; a filter that the next one does not know is not kept in silence. */
const cleared = {
  ...{ page: undefined, sort: undefined, order: undefined },
  ...{ serial: undefined, ssid: undefined, band: undefined, rssi_below: undefined },
  ...{ auth: undefined, flow_above: undefined, seen: undefined, known: undefined },
};

const searchHints = {
  online: 'users.search',
  today: 'users.search_past',
  history: 'users.search_past',
  blocked: 'users.search_list',
  allowed: 'users.search_list',
} as const satisfies Record<Tab, string>;

function NetworkCrumb({ gwid }: { gwid: string }) {
  const { data } = useRead('/api/v3/network/detail', { gwid });
  return (
    <Link to={`/network/${gwid}`} className="crumb">
      {data?.remark}
    </Link>
  );
}

function UserList({ tab, gwid }: { tab: Tab; gwid: string | undefined }) {
  const [search, change] = useSearch();
  const mayWrite = useMay('user.write');
  const mayRead = useMay('network.read');
  const chosen = gwid ?? (isNetwork(search.gwid) ? search.gwid : undefined);
  const { data: networks } = useRead(
    '/api/v3/network/list',
    { page: 1, limit: mostOffered },
    { enabled: mayRead && gwid === undefined },
  );
  const { data: devices } = useRead(
    '/api/v3/ap/list',
    { ...(chosen ? { gwid: chosen } : {}), page: 1, limit: mostOffered },
    { enabled: mayRead && tab === 'online' },
  );
  const { data: ssids } = useRead('/api/v3/user_online/ssids', chosen ? { gwid: chosen } : {}, {
    enabled: tab === 'online',
  });
  const columns = useMemo(() => userColumns(tab), [tab]);
  const filters = useMemo(
    () =>
      userFilters(tab, search, {
        networks: gwid ? null : (networks?.list ?? []).map(({ gwid: value, remark }) => ({ value, label: remark })),
        ssids: ssids?.list ?? [],
        // half of them would look like all
        devices: (devices && (chosen || devices.total <= mostOffered) ? devices.list : []).map(
          ({ serial, remark }) => ({ value: serial, label: remark || mac(serial) }),
        ),
      }),
    [tab, search, gwid, chosen, networks, ssids, devices],
  );
  const fixed = useMemo(() => ({ tab, ...(gwid ? { gwid } : {}) }), [tab, gwid]);
  const open = (row: UserRow) => change({ user: row.mac }, true);
  const [adding, setAdding] = useState(false);
  const list = mayWrite && (tab === 'blocked' || tab === 'allowed') ? tab : null;
  // the button goes from the table to the empty card and back; the dialog stays
  const add = list && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('users.add')}
    </Button>
  );
  return (
    <>
      {tab === 'blocked' ? (
        <Applied />
      ) : (
        <p className="small dim users-note">{tab === 'allowed' ? t('users.allow_hint') : t('users.definition')}</p>
      )}
      <DataTable
        path="/api/v3/user_online/list"
        fixed={fixed}
        name={`users-${tab}`}
        title={t(`users.tab_${tab}`)}
        columns={columns}
        rowKey={(row) => row.mac}
        filters={filters}
        files={files}
        searchHint={t(searchHints[tab])}
        onOpen={open}
        {...(tab in orders ? { order: orders[tab as keyof typeof orders] } : {})}
        batch={mayWrite ? batchOf(tab) : []}
        acts={(row: UserRow) => <UserMenu row={row} open={() => open(row)} />}
        toolbar={add}
        never={<Never tab={tab} acts={add} />}
      />
      {list && adding && <AddDialog list={list} onClose={() => setAdding(false)} />}
    </>
  );
}

/** The list as a file that the server writes, with masked accounts; who fetched it is logged. */
const files = listFiles((input) => call('/api/v3/user_online/export', input as Input<'/api/v3/user_online/export'>));

const act =
  (work: (rows: UserRow[], done: () => void) => unknown): BatchAct<UserRow>['act'] =>
  (selection, done) =>
    void selection
      .rows()
      .then((rows) => work(rows, done))
      .catch(notifyError);

function batchOf(tab: Tab): BatchAct<UserRow>[] {
  if (tab === 'blocked' || tab === 'allowed') {
    return [{ label: t('users.unblock'), act: act((rows, done) => unblock(rows, done)) }];
  }
  return [
    ...(tab === 'online' ? [{ label: t('users.kick'), act: act((rows, done) => kick(rows, done)) }] : []),
    { label: t('users.block'), danger: true, act: act((rows, done) => block(rows, done)) },
  ];
}

/** On how many access points the list of blocked terminals is in force, by their own word. */
function Applied() {
  const { data } = useRead('/api/v3/user_online/applied', {});
  if (!data || data.blocked === 0) return null;
  return (
    <p className={data.in_force === data.managed ? 'small dim users-note' : 'notice users-note'}>
      {data.managed > 0 && t('users.applied', { done: data.in_force, all: data.managed })}{' '}
      {data.unmanaged > 0 && t('users.applied_rest', { n: data.unmanaged })}
    </p>
  );
}

function Never({ tab, acts }: { tab: Tab; acts: ReactNode }) {
  const body =
    tab === 'online'
      ? t('users.none_online_body')
      : tab === 'blocked'
        ? t('users.none_blocked_body')
        : tab === 'allowed'
          ? t('users.none_allowed_body')
          : null;
  return (
    <Empty icon={tab === 'blocked' ? 'shield' : 'users'} title={t(`users.none_${tab}`)} acts={acts || undefined}>
      {body}
    </Empty>
  );
}
