import type { CardState } from '@yunxun/contract';
import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { CardRefund } from './card-refund.tsx';
import type { RechargeCard } from './goods-rows.ts';
import { refreshCards } from './refresh-cards.ts';

const path = '/api/v3/recharge_card/list';

const tones: Readonly<Record<CardState, Tone>> = {
  unused: 'ok',
  used: 'none',
  void: 'bad',
  expired: 'warn',
  refunded: 'warn',
};
const states = Object.keys(tones) as CardState[];

export function CardTable({ log }: { log: boolean }) {
  const may = useMay('billing.write');
  const [refunding, setRefunding] = useState<RechargeCard | null>(null);
  const columns = useMemo(columnsOf, []);
  const fixed = useMemo(() => (log ? { state: 'used' as const } : {}), [log]);
  const filters = useMemo(
    () =>
      log
        ? []
        : [
            {
              name: 'state',
              label: t('goods.state'),
              options: states.map((value) => ({ value, label: t(`goods.${value}`) })),
            },
          ],
    [log],
  );
  const voidCard = ({ id, batch_id, code }: RechargeCard) =>
    ask({
      title: t('goods.void_card_title', { code }),
      body: t('goods.void_body'),
      confirm: t('goods.void_card'),
      danger: true,
      act: async () => {
        const { voided } = await call('/api/v3/recharge_card/void', { batch_id, id });
        notify('ok', t('goods.voided_n', { n: voided }));
        await refreshCards();
      },
    });
  const actions = (row: RechargeCard) => {
    if (row.state === 'used' || (row.sold_at && row.state !== 'refunded'))
      return <IconButton icon="undo" label={t('goods.refund')} onClick={() => setRefunding(row)} />;
    return row.state === 'unused' ? (
      <IconButton icon="trash" label={t('goods.void_card')} onClick={() => voidCard(row)} />
    ) : null;
  };
  return (
    <>
      <DataTable
        path={path}
        fixed={fixed}
        name={log ? 'card-log' : 'cards'}
        title={t(log ? 'goods.tab_log' : 'goods.tab_cards')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        searchHint={t('goods.cards_search')}
        {...(may ? { actions } : {})}
        never={<Empty icon="card" title={t(log ? 'goods.log_empty' : 'goods.batches_empty')} />}
      />
      {refunding && <CardRefund card={refunding} onClose={() => setRefunding(null)} />}
    </>
  );
}

function columnsOf(): Column<RechargeCard>[] {
  return [
    {
      key: 'code',
      title: t('goods.code'),
      cell: (row) => <span className="mono">{row.code}</span>,
      text: (row) => row.code,
    },
    { key: 'batch', title: t('goods.batch'), cell: (row) => row.batch, text: (row) => row.batch },
    {
      key: 'face',
      title: t('goods.face'),
      sort: 'face',
      right: true,
      cell: (row) => row.face,
      text: (row) => Number(row.face),
    },
    {
      key: 'state',
      title: t('goods.state'),
      cell: (row) => <Tag tone={tones[row.state]}>{t(`goods.${row.state}`)}</Tag>,
      text: (row) => t(`goods.${row.state}`),
    },
    {
      key: 'sold_at',
      title: t('goods.sold_at'),
      cell: (row) => row.sold_at && <ShortTime at={row.sold_at} />,
      text: (row) => row.sold_at,
    },
    {
      key: 'used_at',
      title: t('goods.used_at'),
      cell: (row) => row.used_at && <ShortTime at={row.used_at} />,
      text: (row) => row.used_at,
    },
    {
      key: 'network',
      title: t('goods.network'),
      cell: (row) => row.network?.name,
      text: (row) => row.network?.name ?? null,
    },
  ];
}
