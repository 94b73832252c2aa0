import { useMemo } from 'react';
import { t } from '../../app/i18n.ts';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { AccountMenu } from './account-menu.tsx';
import type { Account } from './account-row.ts';

/** Gives no access to the accounts' data. */
export function Accounts() {
  const columns = useMemo(accountColumns, []);
  const filters = useMemo(lockFilter, []);
  return (
    <>
      <p className="quiet">{t('install.accounts_about')}</p>
      <DataTable
        path="/api/v3/install/account/list"
        name="accounts"
        title={t('install.tab_accounts')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.account_id}
        searchHint={t('install.accounts_search')}
        actions={(row) => <AccountMenu account={row} />}
        never={<Empty icon="users" title={t('install.accounts_never')} />}
      />
    </>
  );
}

function lockFilter(): Filter[] {
  return [
    {
      name: 'locked',
      label: t('install.lock_state'),
      options: [
        { value: 'true', label: t('install.locked') },
        { value: 'false', label: t('install.not_locked') },
      ],
      input: (value) => ({ locked: value === 'true' }),
    },
  ];
}

function accountColumns(): Column<Account>[] {
  return [
    {
      key: 'name',
      title: t('install.account_name'),
      cell: (row) => (
        <span className="row">
          <strong className="ellipsis">{row.name}</strong>
          {row.locked && (
            <Tag tone="bad" shape="cross">
              {t('install.locked')}
            </Tag>
          )}
        </span>
      ),
      text: (row) => row.name,
    },
    { key: 'owner', title: t('install.owner'), cell: (row) => row.owner || '—', text: (row) => row.owner },
    {
      key: 'members',
      title: t('install.members'),
      sort: 'members',
      right: true,
      cell: (row) => row.members,
      text: (row) => row.members,
    },
    {
      key: 'sdwan',
      title: 'SD-WAN',
      cell: (row) => (
        <Tag tone={row.sdwan_status ? 'ok' : 'none'} shape={row.sdwan_status ? 'check' : 'cross'}>
          {row.sdwan_status ? t('install.on') : t('install.off')}
        </Tag>
      ),
      text: (row) => (row.sdwan_status ? t('install.on') : t('install.off')),
    },
    {
      key: 'created_at',
      title: t('install.created'),
      sort: 'created_at',
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => exactTime(new Date(row.created_at)),
    },
    {
      key: 'last_active_at',
      title: t('install.last_active'),
      cell: (row) => <RelativeTime at={row.last_active_at} />,
      text: (row) => row.last_active_at && exactTime(new Date(row.last_active_at)),
    },
  ];
}
