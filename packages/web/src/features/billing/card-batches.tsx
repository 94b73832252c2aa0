import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeSheet } from '../../ui/code-sheet.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { CardDialog, type MadeCards } from './card-dialog.tsx';
import { SellDialog } from './deferred/sell-dialog.tsx';
import { refreshCards } from './refresh-cards.ts';

const path = '/api/v3/recharge_card/batch/list';
type Batch = Row<typeof path>;

export function CardBatches() {
  const may = useMay('billing.write');
  const [making, setMaking] = useState(false);
  const [selling, setSelling] = useState<Batch | null>(null);
  const [made, setMade] = useState<MadeCards | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {t('goods.cards_make')}
    </Button>
  );
  const voidBatch = ({ id, name }: Batch) =>
    ask({
      title: t('goods.void_batch_title', { name }),
      body: t('goods.void_body'),
      confirm: t('goods.void_batch'),
      danger: true,
      act: async () => {
        const { voided } = await call('/api/v3/recharge_card/void', { batch_id: id });
        notify('ok', t('goods.voided_n', { n: voided }));
        await refreshCards();
      },
    });
  return (
    <>
      <DataTable
        path={path}
        name="card-batches"
        title={t('goods.tab_batches')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('goods.batch')}
        {...(may
          ? {
              actions: (row: Batch) => (
                <>
                  {row.unused > row.sold && (
                    <IconButton icon="check" label={t('goods.sell')} onClick={() => setSelling(row)} />
                  )}
                  <IconButton icon="trash" label={t('goods.void_batch')} onClick={() => voidBatch(row)} />
                </>
              ),
            }
          : {})}
        never={
          <Empty icon="card" title={t('goods.batches_empty')} actions={create}>
            {t('goods.batches_empty_body')}
          </Empty>
        }
        toolbar={create}
      />
      {selling && <SellDialog batch={selling} onClose={() => setSelling(null)} />}
      {making && (
        <CardDialog
          onClose={() => setMaking(false)}
          onMade={(batch) => {
            setMaking(false);
            setMade(batch);
            void refreshCards();
          }}
        />
      )}
      {made && (
        <CodeSheet
          title={t('goods.sheet_title', { name: made.name, n: made.codes.length })}
          name={made.name}
          codes={made.codes}
          terms={t('goods.sheet_terms', { package: made.package, face: made.face })}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}

function columnsOf(): Column<Batch>[] {
  const counted = (key: 'total' | 'unused' | 'sold' | 'used' | 'voided' | 'expired' | 'refunded', title: string) => ({
    key,
    title,
    sort: key,
    right: true,
    cell: (row: Batch) => row[key],
    text: (row: Batch) => row[key],
  });
  return [
    {
      key: 'name',
      title: t('goods.batch'),
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
    },
    { key: 'package', title: t('goods.package'), cell: (row) => row.package_name, text: (row) => row.package_name },
    {
      key: 'face',
      title: t('goods.face'),
      sort: 'face',
      right: true,
      cell: (row) => row.face,
      text: (row) => Number(row.face),
    },
    counted('total', t('goods.count')),
    counted('unused', t('goods.unused')),
    counted('sold', t('goods.sold_unused')),
    counted('used', t('goods.used')),
    counted('voided', t('goods.void')),
    counted('expired', t('goods.expired')),
    { ...counted('refunded', t('goods.refunded')), extra: true },
    {
      key: 'valid_until',
      title: t('goods.valid_until'),
      cell: (row) => <ShortTime at={row.valid_until} />,
      text: (row) => row.valid_until,
    },
    {
      key: 'created_at',
      title: t('goods.made'),
      cell: (row) => (
        <span>
          <ShortTime at={row.created_at} /> <span className="dim">{row.created_by}</span>
        </span>
      ),
      text: (row) => row.created_at,
    },
  ];
}
