import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { type Search, useSearch } from '../../app/search.ts';
import { browserLabels } from '../../ui/browser-labels.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { OwnDays, timeFilter } from '../../ui/table/time-range.tsx';
import { resultColumn, timeColumn } from './columns.tsx';
import { logFiles } from './files.ts';
import './logs.css';

type SignInRow = Row<'/api/v3/log/auth/list'>;
const actions = ['login', 'logout', 'confirm'] as const;
const methods = ['password', 'sms', 'register', 'qr', 'passkey', 'totp', 'recovery', 'reset', 'session'] as const;

export function AuthLogScreen() {
  const [search] = useSearch();
  const columns = useMemo(signInColumns, []);
  const filters = useMemo(() => filtersOf(search), [search]);
  const files = useMemo(() => logFiles('/api/v3/log/auth/export'), []);
  return (
    <Page title={t('messages.log_auth')}>
      <DataTable
        path="/api/v3/log/auth/list"
        name="sign-in-log"
        title={t('messages.log_auth')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        extra={<OwnDays />}
        files={files}
        searchHint={t('auth.search')}
        never={
          <Empty icon="login" title={t('auth.never')}>
            {t('auth.never_body')}
          </Empty>
        }
      />
    </Page>
  );
}

function filtersOf(search: Search): Filter[] {
  return [
    timeFilter(search),
    {
      name: 'action',
      label: t('auth.action'),
      options: actions.map((value) => ({ value, label: t(`auth_action.${value}`) })),
    },
    {
      name: 'method',
      label: t('auth.method'),
      options: methods.map((value) => ({ value, label: t(`auth_method.${value}`) })),
    },
    {
      name: 'result',
      label: t('log.result'),
      options: (['success', 'failed'] as const).map((value) => ({ value, label: t(`log.${value}`) })),
    },
    {
      name: 'place',
      label: t('auth.place'),
      options: (['new', 'known'] as const).map((value) => ({ value, label: t(`auth.place_${value}`) })),
      input: (value) => ({ new_place: value === 'new' }),
    },
  ];
}

function signInColumns(): Column<SignInRow>[] {
  return [
    timeColumn(),
    { key: 'login', title: t('auth.account'), cell: (row) => row.login, text: (row) => row.login },
    {
      key: 'action',
      title: t('auth.action'),
      cell: (row) => t(`auth_action.${row.action}`),
      text: (row) => t(`auth_action.${row.action}`),
    },
    {
      key: 'method',
      title: t('auth.method'),
      cell: (row) => t(`auth_method.${row.method}`),
      text: (row) => t(`auth_method.${row.method}`),
    },
    {
      key: 'ip',
      title: t('log.ip'),
      cell: (row) => (
        <span className="row">
          <span className="mono">{row.ip ?? '—'}</span>
          {row.new_place && (
            <span title={t('auth.new_place_hint')}>
              <Tag tone="warn" shape="triangle">
                {t('auth.new_place')}
              </Tag>
            </span>
          )}
        </span>
      ),
      text: (row) => row.ip,
    },
    {
      key: 'browser',
      title: t('auth.browser'),
      cell: (row) => (
        <span title={row.user_agent ?? undefined}>{row.user_agent ? browserLabels(row.user_agent) : '—'}</span>
      ),
      text: (row) => row.user_agent && browserLabels(row.user_agent),
    },
    resultColumn(),
    {
      key: 'reason',
      title: t('auth.reason'),
      cell: (row) => (row.reason === null ? <span className="dim">—</span> : reasonLabels(row.reason)),
      text: (row) => row.reason && reasonLabels(row.reason),
    },
  ];
}

function reasonLabels(reason: string): string {
  return textOf(`auth_reason.${reason}`) ?? reason;
}
