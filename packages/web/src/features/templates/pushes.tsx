import { useMemo } from 'react';
import { useFollowJobs } from '../../app/follow-jobs.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { Empty } from '../../ui/empty.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { ChangeTag, changeState, sumsText } from './change-state.tsx';
import type { Template } from './draft.ts';
import { PushDrawer } from './push-drawer.tsx';
import type { ChangeRow } from './template-change.ts';

export function Pushes({ template }: { template: Template }) {
  const [search, change] = useSearch();
  const columns = useMemo(columnsOf, []);
  useFollowJobs('/api/v3/wireless_template/change/list');
  return (
    <>
      <DataTable
        path="/api/v3/wireless_template/change/list"
        fixed={{ id: template.id }}
        name="template-pushes"
        title={t('template.tab_pushes')}
        columns={columns}
        rowKey={(row) => row.id}
        onOpen={(row) => change({ push: row.id }, true)}
        never={
          <Empty icon="share" title={t('change.never')}>
            {t('change.never_body')}
          </Empty>
        }
      />
      {search.push && <PushDrawer id={search.push} onClose={() => change({ push: undefined })} />}
    </>
  );
}

function columnsOf(): Column<ChangeRow>[] {
  return [
    {
      key: 'created',
      title: t('change.created'),
      sort: 'created_at',
      cell: (row) => (
        <span>
          <RelativeTime at={row.created_at} />
          <div className="small dim ellipsis">{row.created_by}</div>
        </span>
      ),
      text: (row) => row.created_at,
    },
    {
      key: 'version',
      title: t('template.version'),
      cell: (row) => (row.takes_off ? t('change.takes_off') : t('template.version_n', { n: row.version })),
      text: (row) => (row.takes_off ? t('change.takes_off') : row.version),
    },
    {
      key: 'state',
      title: t('change.state'),
      cell: (row) => <ChangeTag row={row} />,
      text: (row) => t(`change.${changeState(row).word}`),
    },
    { key: 'sums', title: t('change.devices'), cell: sumsText, text: sumsText },
    {
      key: 'start',
      title: t('push.start'),
      extra: true,
      cell: (row) => (row.start_at ? <ShortTime at={row.start_at} /> : <span className="dim">—</span>),
      text: (row) => row.start_at,
    },
  ];
}
