import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Empty } from '../../ui/empty.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { CodeState } from './reception-code.tsx';
import { adviceText, failureText, systemText, wayText } from './reception-words.ts';

const path = '/api/v3/portal/reception/try/list';
type Try = Row<typeof path>;

export function Tries({ gwid }: { gwid: string }) {
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const columns = useMemo(tryColumns, []);
  return (
    <div className="stack">
      <CodeState gwid={gwid} />
      <DataTable
        path={path}
        fixed={fixed}
        name="reception-tries"
        title={t('reception.tab_tries')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('reception.tries_search')}
        never={
          <Empty icon="check" title={t('reception.tries_empty')}>
            {t('reception.tries_empty_body')}
          </Empty>
        }
      />
    </div>
  );
}

function nowText({ online, exempt }: Pick<Try, 'online' | 'exempt'>): string {
  if (exempt) return t('reception.exempt');
  return t(online ? 'site_portal.state_online' : 'reception.offline');
}

function tryColumns(): Column<Try>[] {
  return [
    {
      key: 'reason',
      title: t('reception.reason'),
      lead: true,
      cell: ({ reason }) => (
        <span className="reception-reason">
          <strong>{failureText(reason)}</strong>
          <span className="small">{adviceText(reason)}</span>
        </span>
      ),
      text: ({ reason }) => failureText(reason),
    },
    {
      key: 'at',
      title: t('reception.tried_at'),
      sort: 'at',
      early: true,
      cell: ({ at }) => <ShortTime at={at} />,
      text: ({ at }) => at,
    },
    {
      key: 'way',
      title: t('site_portal.guest_method'),
      cell: ({ way }) => wayText(way),
      text: ({ way }) => wayText(way),
    },
    {
      key: 'device',
      title: t('site_portal.guest_device'),
      cell: ({ mac, system, verified }) => (
        <span className="row">
          <span>{systemText(system)}</span>
          <span className="mono">{mac}</span>
          {!verified && <Tag tone="none">{t('site_portal.guest_claimed')}</Tag>}
        </span>
      ),
      text: ({ mac }) => mac,
    },
    {
      key: 'online',
      title: t('reception.now'),
      cell: (row) => <Tag tone={row.online || row.exempt ? 'ok' : 'none'}>{nowText(row)}</Tag>,
      text: nowText,
    },
  ];
}
