import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { money, percent } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { PlainPager } from '../../ui/plain-pager.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { booksTimeColumn } from './books-time.ts';
import { FailedCard } from './failed-card.tsx';
import { ShareDialog } from './share-dialog.tsx';

type Settlement = Row<'/api/v3/billing/share/settlement/list'>;

const path = '/api/v3/billing/share/list';
const perPage = 20;
type Share = Row<typeof path>;

export function Shares() {
  const may = useMay('billing.write');
  const [isOpen, setOpen] = useState(false);
  const columns = useMemo(settlementColumns, []);
  const set = may && (
    <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
      {t('share.set')}
    </Button>
  );
  return (
    <div className="stack">
      <p className="quiet">{t('share.about')}</p>
      <Agreed />
      <DataTable
        path="/api/v3/billing/share/settlement/list"
        name="billing-share-settlements"
        title={t('share.settlements')}
        columns={columns}
        rowKey={(row) => row.id}
        never={
          <Empty icon="share" title={t('share.never')} actions={set}>
            {t('share.never_body')}
          </Empty>
        }
        toolbar={set}
      />
      {isOpen && <ShareDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Shares that this account pays. */
function Agreed() {
  const may = useMay('billing.write');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useRead(path, { page, limit: perPage }, { keepPrevious: true });
  if (error && !data) return <FailedCard title={t('share.tab')} error={error} retry={refetch} />;
  if (!data || data.total === 0) return null;
  return (
    <Card title={t('share.tab')}>
      <ul className="stack stack-s">
        {data.list.map(({ gwid, network, host, percent, hosted }) => (
          <li key={gwid} className="spread">
            {t(hosted ? 'share.line' : 'share.line_ended', { network, host, percent })}
            {may && <Button onClick={() => end({ gwid, network, host })}>{t('share.end')}</Button>}
          </li>
        ))}
      </ul>
      <PlainPager page={page} pages={Math.ceil(data.total / perPage)} onChange={setPage} />
    </Card>
  );
}

function end({ gwid, network, host }: Pick<Share, 'gwid' | 'network' | 'host'>): void {
  ask({
    title: t('share.end_title', { network, host }),
    body: t('share.end_body'),
    confirm: t('share.end'),
    danger: true,
    async act() {
      await call('/api/v3/billing/share/grant', { gwid, percent: 0 });
      await queryClient.invalidateQueries({ queryKey: [path] });
    },
  });
}

function settlementColumns(): Column<Settlement>[] {
  const side = (row: Settlement) => t(row.side === 'paid' ? 'share.paid' : 'share.received');
  return [
    { key: 'month', title: t('share.month'), sort: 'month', cell: (row) => row.month, text: (row) => row.month },
    { key: 'side', title: t('share.side'), cell: side, text: side },
    { key: 'other', title: t('share.other'), cell: (row) => row.other, text: (row) => row.other },
    { key: 'network', title: t('share.network'), cell: (row) => row.network, text: (row) => row.network },
    {
      key: 'income',
      title: t('share.income'),
      sort: 'income',
      right: true,
      cell: (row) => money(Number(row.income)),
      text: (row) => Number(row.income),
    },
    {
      key: 'percent',
      title: t('share.percent'),
      sort: 'percent',
      right: true,
      cell: (row) => percent(row.percent),
      text: (row) => row.percent,
    },
    {
      key: 'amount',
      title: t('share.amount'),
      sort: 'amount',
      right: true,
      cell: (row) => money(Number(row.amount)),
      text: (row) => Number(row.amount),
    },
    {
      key: 'at',
      title: t('share.at'),
      sort: 'at',
      cell: (row) => <ShortTime at={row.at} />,
      files: [booksTimeColumn(t('share.at'), (row) => row.at)],
    },
  ];
}
