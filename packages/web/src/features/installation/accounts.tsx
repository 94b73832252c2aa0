import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ask, type Question } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';

type Account = Row<'/api/v3/install/account/list'>;

/** Every account: found by name, login or binding code, locked and helped. Nobody looks into one from here. */
export function Accounts() {
  const client = useQueryClient();
  const { home_account_id: own } = useUser();
  const columns = useMemo(accountColumns, []);
  const filters = useMemo(lockFilter, []);
  /** Asks, acts, reads the list again and says what came of it. */
  const askFor = (question: Omit<Question, 'act'>, act: () => Promise<string>) =>
    ask({
      ...question,
      act: async () => {
        const done = await act();
        await client.invalidateQueries({ queryKey: ['/api/v3/install/account/list'] });
        notify('ok', done);
      },
    });
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
        acts={(row) => (
          <Menu
            label={t('install.account_acts', { name: row.name })}
            width={240}
            target={(trigger) => (
              <IconButton icon="more" label={t('install.account_acts', { name: row.name })} {...trigger} />
            )}
            items={[
              {
                label: t('install.reset_password'),
                icon: 'mail',
                act: () => askFor(passwordQuestion(row), () => resetPassword(row)),
              },
              {
                label: t('install.reset_second_factor'),
                icon: 'shield',
                act: () => askFor(secondFactorQuestion(row), () => resetSecondFactor(row)),
              },
              {
                label: row.sdwan_status ? t('install.sdwan_off') : t('install.sdwan_on'),
                icon: 'link',
                act: () => askFor(sdwanQuestion(row), () => switchSdwan(row)),
              },
              {
                label: row.locked ? t('install.unlock') : t('install.lock'),
                icon: 'lock',
                danger: !row.locked,
                why: row.account_id === own ? t('install.lock_own') : undefined,
                act: () => askFor(lockQuestion(row), () => lock(row)),
              },
            ]}
          />
        )}
        never={<Empty icon="users" title={t('install.accounts_never')} />}
      />
    </>
  );
}

const lockQuestion = ({ name, locked }: Account): Omit<Question, 'act'> =>
  locked
    ? { title: t('install.unlock_title', { name }), body: t('install.unlock_body'), confirm: t('install.unlock') }
    : {
        title: t('install.lock_title', { name }),
        body: t('install.lock_body'),
        losses: [t('install.lock_people'), t('install.lock_others'), t('install.lock_devices')],
        confirm: t('install.lock'),
        danger: true,
      };

async function lock({ account_id, locked, name }: Account): Promise<string> {
  await call('/api/v3/install/account/lock', { account_id, locked: !locked });
  return locked ? t('install.unlocked', { name }) : t('install.locked_done', { name });
}

const passwordQuestion = ({ owner }: Account): Omit<Question, 'act'> => ({
  title: t('install.reset_password_title', { owner }),
  body: t('install.reset_password_body'),
  losses: [t('install.reset_sessions'), t('install.reset_old_password')],
  confirm: t('install.reset_password_confirm'),
});

async function resetPassword({ account_id, owner }: Account): Promise<string> {
  const { sent_to } = await call('/api/v3/install/account/reset', { account_id, what: 'password' });
  return t('install.reset_password_done', { to: sent_to ?? owner });
}

const secondFactorQuestion = ({ owner }: Account): Omit<Question, 'act'> => ({
  title: t('install.reset_second_factor_title', { owner }),
  body: t('install.reset_second_factor_body'),
  losses: [t('install.reset_sessions'), t('install.reset_codes')],
  confirm: t('install.reset_second_factor_confirm'),
  danger: true,
});

async function resetSecondFactor({ account_id, owner }: Account): Promise<string> {
  await call('/api/v3/install/account/reset', { account_id, what: 'second_factor' });
  return t('install.reset_second_factor_done', { owner });
}

const sdwanQuestion = ({ name, sdwan_status: on }: Account): Omit<Question, 'act'> => ({
  title: on ? t('install.sdwan_off_title', { name }) : t('install.sdwan_on_title', { name }),
  body: on ? t('install.sdwan_off_body') : t('install.sdwan_on_body'),
  confirm: on ? t('install.sdwan_off') : t('install.sdwan_on'),
});

async function switchSdwan({ account_id, sdwan_status: on, name }: Account): Promise<string> {
  await call('/api/v3/install/account/sdwan', { account_id, on: !on });
  return on ? t('install.sdwan_off_done', { name }) : t('install.sdwan_on_done', { name });
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
