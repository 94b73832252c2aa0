import { useMemo, useState } from 'react';
import type { Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { Tag } from '../../../ui/status.tsx';
import type { Column, Filter } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { OrderDrawer } from '../order-drawer.tsx';
import { refreshMoney } from '../refresh-money.ts';
import { amountColumn, methodColumn, orderNoColumn, timeColumn } from './money-columns.tsx';

type ExceptionRow = Row<'/api/v3/billing/exception/list'>;

export function Exceptions() {
  const may = useMay('billing.write');
  const [opened, setOpened] = useState<string | null>(null);
  const [handled, setHandled] = useState<ExceptionRow | null>(null);
  const columns = useMemo(() => exceptionColumns(may ? setHandled : null), [may]);
  const filters = useMemo(
    (): Filter[] => [
      {
        name: 'open',
        label: t('billing.exception_handled'),
        options: [
          { value: 'yes', label: t('billing.exception_open') },
          { value: 'no', label: t('billing.exception_closed') },
        ],
        input: (value) => ({ open: value === 'yes' }),
      },
    ],
    [],
  );
  return (
    <>
      <DataTable
        path="/api/v3/billing/exception/list"
        name="payment-exceptions"
        title={t('billing.exceptions')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        searchHint={t('billing.search')}
        onOpen={(row) => setOpened(row.order_no)}
        never={
          <Empty icon="check" title={t('billing.exceptions_never')}>
            {t('billing.exceptions_never_body')}
          </Empty>
        }
      />
      {opened !== null && <OrderDrawer orderNo={opened} onClose={() => setOpened(null)} />}
      {handled && (
        <ReasonDialog
          title={t('billing.exception_handle')}
          label={t('billing.exception_remark')}
          act={async (remark) => {
            await call('/api/v3/billing/exception/handle', { id: handled.id, remark });
            await refreshMoney();
          }}
          onClose={() => setHandled(null)}
        />
      )}
    </>
  );
}

function exceptionColumns(handle: ((row: ExceptionRow) => void) | null): Column<ExceptionRow>[] {
  return [
    timeColumn(),
    {
      key: 'kind',
      title: t('billing.exception_kind'),
      cell: (row) => (
        <>
          <Tag tone={row.handled_at ? 'none' : 'bad'}>{t(`billing.exception_${row.kind}`)}</Tag>
          {row.ours && <span> {t('billing.exception_differs', { ours: row.ours, theirs: row.theirs })}</span>}
          {row.reason && <span className="dim"> {row.reason}</span>}
        </>
      ),
      text: (row) => t(`billing.exception_${row.kind}`),
    },
    orderNoColumn(),
    methodColumn('provider', t('billing.exception_provider')),
    amountColumn(),
    {
      key: 'handled',
      title: t('billing.exception_handled'),
      cell: (row) => {
        if (row.handled_at)
          return (
            <>
              <ShortTime at={row.handled_at} />{' '}
              {t('billing.exception_handled_line', { by: row.handled_by ?? '', remark: row.remark ?? '' })}
            </>
          );
        return handle ? (
          <Button kind="link" onClick={() => handle(row)}>
            {t('billing.exception_handle')}
          </Button>
        ) : (
          '—'
        );
      },
      text: (row) => row.remark,
    },
  ];
}
