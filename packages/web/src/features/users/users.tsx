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
import { Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import type { BatchAct } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { listFiles } from '../../ui/table/files.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { block, kick, unblock } from './actions.ts';
import { AddDialog } from './add-macs.tsx';
import { BlockingInForce } from './blocking-in-force.tsx';
import { type Tab, userColumns } from './columns.tsx';
import { isNetwork, userFilters } from './filters.ts';
import type { UserRow } from './labels.ts';
import { useFreshUsers } from './use-fresh.ts';
import { UserDrawer } from './user-drawer.tsx';
import { UserMenu } from './user-menu.tsx';
import './users.css';

const tabs = ['online', 'today', 'history', 'blocked', 'allowed'] as const;

export function UsersScreen() {
  const gwid = useOptionalParam('gwid');
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'online';
  const [paused, setPaused] = useState(false);
  useFreshUsers(paused, gwid);
  return (
    <Page
      title={t('home.online_users')}
      crumb={gwid && <SiteCrumb gwid={gwid} />}
      actions={
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

const maxOffered = 200;

/** Server's default order; MAC lists are in order of addition. */
const orders = {
  online: { sort: 'login_at', order: 'desc' },
  today: { sort: 'last_seen', order: 'desc' },
  history: { sort: 'last_seen', order: 'desc' },
} as const;

const cleared = {
  page: undefined,
  sort: undefined,
  order: undefined,
  serial: undefined,
  ssid: undefined,
  band: undefined,
  rssi_below: undefined,
  auth: undefined,
  flow_above: undefined,
  seen: undefined,
  known: undefined,
};

const searchHints = {
  online: 'users.search',
  today: 'users.search_past',
  history: 'users.search_past',
  blocked: 'users.search_list',
  allowed: 'users.search_list',
} as const satisfies Record<Tab, string>;

function UserList({ tab, gwid }: { tab: Tab; gwid: string | undefined }) {
  const [search, change] = useSearch();
  const mayWrite = useMay('user.write');
  const mayRead = useMay('network.read');
  const chosen = gwid ?? (isNetwork(search.gwid) ? search.gwid : undefined);
  const { data: networks } = useRead(
    '/api/v3/network/list',
    { page: 1, limit: maxOffered },
    { enabled: mayRead && gwid === undefined },
  );
  const { data: devices } = useRead(
    '/api/v3/ap/list',
    { ...(chosen ? { gwid: chosen } : {}), page: 1, limit: maxOffered },
    { enabled: mayRead && tab === 'online' },
  );
  const { data: ssids } = useRead('/api/v3/user_online/ssids', chosen ? { gwid: chosen } : {}, {
    enabled: tab === 'online',
  });
  const columns = useMemo(() => userColumns(tab, gwid === undefined), [tab, gwid]);
  const filters = useMemo(
    () =>
      userFilters(tab, search, {
        networks: gwid ? null : (networks?.list ?? []).map(({ gwid: value, remark }) => ({ value, label: remark })),
        ssids: ssids?.list ?? [],
        // an incomplete list would look complete
        devices: (devices && (chosen || devices.total <= maxOffered) ? devices.list : []).map(
          ({ serial, remark, network }) => {
            const name = remark || mac(serial);
            return { value: serial, label: chosen || !network ? name : t('users.ap_in', { name, network }) };
          },
        ),
      }),
    [tab, search, gwid, chosen, networks, ssids, devices],
  );
  const fixed = useMemo(() => ({ tab, ...(gwid ? { gwid } : {}) }), [tab, gwid]);
  const open = (row: UserRow) => change({ user: row.mac }, true);
  const [adding, setAdding] = useState(false);
  const list = mayWrite && (tab === 'blocked' || tab === 'allowed') ? tab : null;
  // shared by table and empty card, so that the dialog stays open
  const add = list && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('users.add')}
    </Button>
  );
  return (
    <>
      {tab === 'blocked' ? (
        <BlockingInForce />
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
        actions={(row: UserRow) => <UserMenu row={row} open={() => open(row)} />}
        toolbar={add}
        never={<Never tab={tab} actions={add} />}
        noHits={tab === 'online' && search.keyword ? <JustLeft keyword={search.keyword} /> : undefined}
      />
      {list && adding && <AddDialog list={list} onClose={() => setAdding(false)} />}
    </>
  );
}

/** Masked accounts; downloads are logged. */
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

/** The history has clients that just left. */
function JustLeft({ keyword }: { keyword: string }) {
  const [, change] = useSearch();
  return (
    <>
      <p>{t('users.just_left')}</p>
      <Button onClick={() => change({ ...cleared, tab: 'history', keyword }, true)}>
        {t('users.look_in_history', { keyword })}
      </Button>
    </>
  );
}

function Never({ tab, actions }: { tab: Tab; actions: ReactNode }) {
  const body =
    tab === 'online'
      ? t('users.none_online_body')
      : tab === 'blocked'
        ? t('users.none_blocked_body')
        : tab === 'allowed'
          ? t('users.none_allowed_body')
          : null;
  return (
    <Empty icon={tab === 'blocked' ? 'shield' : 'users'} title={t(`users.none_${tab}`)} actions={actions || undefined}>
      {body}
    </Empty>
  );
}
