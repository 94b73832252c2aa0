import type { FapiaoState } from '@yunxun/contract';
import { useMemo, useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { money } from '../../../ui/format.ts';
import { Menu } from '../../../ui/menu.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { Tag } from '../../../ui/status.tsx';
import type { Column, Filter } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { OrderDrawer } from '../order-drawer.tsx';
import { changed, type Fapiao, path } from './fapiao-list.ts';
import { FapiaoSettings } from './fapiao-settings.tsx';
import { IssueFapiao } from './issue-fapiao.tsx';

const looks: Record<FapiaoState, 'ok' | 'warn' | 'bad' | 'none'> = {
  asked: 'warn',
  issued: 'ok',
  failed: 'bad',
  cancelled: 'none',
  red_asked: 'warn',
  red: 'none',
};
const states = ['asked', 'issued', 'failed', 'cancelled', 'red_asked', 'red'] as const;

type Opened = { act: 'settings' } | { act: 'issue' | 'fail' | 'order'; row: Fapiao };

export function GuestInvoices() {
  const may = useMay('billing.write');
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(
    (): Filter[] => [
      {
        name: 'state',
        label: t('fapiao.state'),
        options: states.map((value) => ({ value, label: t(`fapiao.state_${value}`) })),
      },
    ],
    [],
  );
  const [open, setOpen] = useState<Opened | null>(null);
  const close = () => setOpen(null);
  const settings = (
    <Button icon="sliders" onClick={() => setOpen({ act: 'settings' })}>
      {t('fapiao.settings')}
    </Button>
  );
  return (
    <>
      <DataTable
        path={path}
        name="guest-invoices"
        title={t('fapiao.tab')}
        columns={columns}
        filters={filters}
        searchHint={t('fapiao.search')}
        rowKey={(row) => row.id}
        onOpen={(row) => setOpen({ act: 'order', row })}
        actions={(row) => (may ? <Actions row={row} onOpen={(act) => setOpen({ act, row })} /> : null)}
        never={
          <Empty icon="file" title={t('fapiao.never')} actions={settings}>
            {t('fapiao.never_body')}
          </Empty>
        }
        toolbar={settings}
      />
      {open?.act === 'settings' && <FapiaoSettings onClose={close} />}
      {open?.act === 'issue' && <IssueFapiao row={open.row} onClose={close} />}
      {open?.act === 'fail' && <FailDialog row={open.row} onClose={close} />}
      {open?.act === 'order' && <OrderDrawer orderNo={open.row.order_no} onClose={close} />}
    </>
  );
}

function Actions({ row, onOpen }: { row: Fapiao; onOpen: (act: 'issue' | 'fail') => void }) {
  const { id, state, sent } = row;
  const label = t('fapiao.acts', { order: row.order_no });
  const items = [
    ...(!sent && (state === 'asked' || state === 'red_asked')
      ? [
          {
            label: t(state === 'asked' ? 'fapiao.issue' : 'fapiao.issue_red'),
            icon: 'check' as const,
            act: () => onOpen('issue'),
          },
        ]
      : []),
    ...(!sent && state === 'asked'
      ? [{ label: t('fapiao.fail'), icon: 'close' as const, danger: true, act: () => onOpen('fail') }]
      : []),
    ...(state === 'failed' ? [{ label: t('fapiao.retry'), icon: 'refresh' as const, act: () => void retry(id) }] : []),
  ];
  if (items.length === 0) return null;
  return (
    <Menu label={label} target={(trigger) => <IconButton icon="more" label={label} {...trigger} />} items={items} />
  );
}

async function retry(id: string): Promise<void> {
  try {
    await call('/api/v3/billing/fapiao/retry', { id });
    await changed();
  } catch (error) {
    notifyError(error);
  }
}

function FailDialog({ row, onClose }: { row: Fapiao; onClose: () => void }) {
  const act = async (reason: string) => {
    await call('/api/v3/billing/fapiao/fail', { id: row.id, reason });
    await changed();
  };
  return <ReasonDialog title={t('fapiao.fail')} label={t('fapiao.fail_reason')} act={act} onClose={onClose} />;
}

function columnsOf(): Column<Fapiao>[] {
  const plain = (
    key: 'name' | 'tax_no' | 'email' | 'number' | 'issued_on' | 'original' | 'reason',
  ): Column<Fapiao> => ({
    key,
    title: t(`fapiao.${key}`),
    cell: (row) => row[key] || '—',
    text: (row) => row[key],
  });
  const amount = (key: 'amount' | 'tax'): Column<Fapiao> => ({
    key,
    title: t(`fapiao.${key}`),
    sort: key,
    right: true,
    cell: (row) => money(Number(row[key])),
    text: (row) => Number(row[key]),
  });
  return [
    {
      key: 'asked_at',
      title: t('fapiao.asked_at'),
      sort: 'asked_at',
      cell: (row) => <ShortTime at={row.asked_at} />,
      text: (row) => row.asked_at,
    },
    {
      key: 'order_no',
      title: t('fapiao.order_no'),
      cell: (row) => <span className="mono">{row.order_no}</span>,
      text: (row) => row.order_no,
    },
    {
      key: 'state',
      title: t('fapiao.state'),
      cell: (row) => (
        <span className="row">
          <Tag tone={looks[row.state]}>{t(`fapiao.state_${row.state}`)}</Tag>
          {row.sent && <Tag tone="info">{t('fapiao.sent')}</Tag>}
          {row.issuer === 'sandbox' && <Tag tone="info">{t('fapiao.sandbox')}</Tag>}
        </span>
      ),
      text: (row) => t(`fapiao.state_${row.state}`),
    },
    plain('name'),
    plain('tax_no'),
    amount('amount'),
    amount('tax'),
    plain('email'),
    plain('number'),
    plain('issued_on'),
    { ...plain('original'), extra: true },
    plain('reason'),
  ];
}
