import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t, textOf } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { operatorName } from '../../ui/operator.ts';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { ActionDetail } from './action-detail.tsx';

export type OperationRow = Row<'/api/v3/log/action/list'>;
const objects = ['network', 'device', 'account', 'person', 'job', 'installation'] as const;

/** What was done, in the page's language. */
export function actionName(action: string): string {
  return textOf(`log_action.${action}`) ?? action;
}

/** The operation log: who did what to which object, with the values before and after. */
export function ActionLogScreen() {
  const columns = useMemo(logColumns, []);
  const filters = useMemo<Filter[]>(
    () => [
      {
        name: 'object_type',
        label: t('log.type'),
        options: objects.map((value) => ({ value, label: t(`object.${value}`) })),
      },
    ],
    [],
  );
  const [open, setOpen] = useState<OperationRow | null>(null);
  const [verifying, setVerifying] = useState(false);
  const verify = async () => {
    setVerifying(true);
    try {
      const { rows, intact, broken_at } = await call('/api/v3/log/action/verify', {});
      if (intact) notify('ok', t('log.intact', { n: rows }));
      else notify('bad', t('log.broken', { n: broken_at ?? 0 }));
    } catch (error) {
      notifyError(error);
    }
    setVerifying(false);
  };
  return (
    <Page
      title={t('log.title')}
      acts={
        <Button icon="shield" busy={verifying} onClick={verify}>
          {t('log.verify')}
        </Button>
      }
    >
      <DataTable
        path="/api/v3/log/action/list"
        name="operation-log"
        title={t('log.title')}
        columns={columns}
        rowKey={(row) => String(row.seq)}
        filters={filters}
        searchHint={t('log.search')}
        onOpen={setOpen}
        never={
          <Empty icon="list" title={t('log.never')}>
            {t('log.never_body')}
          </Empty>
        }
      />
      {open && <ActionDetail row={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function logColumns(): Column<OperationRow>[] {
  return [
    {
      key: 'time',
      title: t('log.time'),
      sort: 'time',
      width: 170,
      cell: (row) => <span className="nowrap">{exactTime(new Date(row.time))}</span>,
      text: (row) => exactTime(new Date(row.time)),
    },
    {
      key: 'operator',
      title: t('log.operator'),
      cell: (row) => (
        <span className="row">
          {operatorName(row.operator)}
          {row.hosted && <span className="label">{t('log.hosted')}</span>}
        </span>
      ),
      text: (row) => operatorName(row.operator),
    },
    {
      key: 'action',
      title: t('log.action'),
      cell: (row) => <strong>{actionName(row.action)}</strong>,
      text: (row) => actionName(row.action),
    },
    {
      key: 'object',
      title: t('log.object'),
      cell: (row) => (
        <span>
          <span className="dim">{textOf(`object.${row.object.type}`) ?? row.object.type}</span> {row.object.name}
        </span>
      ),
      text: (row) => row.object.name,
    },
    {
      key: 'result',
      title: t('log.result'),
      cell: (row) => (
        <Tag tone={row.result === 'success' ? 'ok' : 'bad'} shape={row.result === 'success' ? 'check' : 'cross'}>
          {t(`log.${row.result}`)}
        </Tag>
      ),
      text: (row) => t(`log.${row.result}`),
    },
    {
      key: 'source',
      title: t('log.source'),
      cell: (row) => t(`log.source_${row.source}`),
      text: (row) => t(`log.source_${row.source}`),
    },
    {
      key: 'ip',
      title: t('log.ip'),
      cell: (row) => <span className="mono">{row.ip ?? '—'}</span>,
      text: (row) => row.ip,
    },
  ];
}
