import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { duration } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { DynamicPassword } from './dynamic-password.tsx';
import { VoucherAgain } from './voucher-again.tsx';
import { type Made, VoucherDialog } from './voucher-dialog.tsx';
import { VoucherSheet } from './voucher-sheet.tsx';
import { VoucherVoid } from './voucher-void.tsx';

const path = '/api/v3/portal/voucher/list';
const countPath = '/api/v3/portal/voucher/count';
type Batch = Row<typeof path>;

export function Vouchers({ gwid, ready }: { gwid: string; ready: boolean }) {
  const may = useMay('voucher.write');
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [again, setAgain] = useState<Batch | null>(null);
  const [voiding, setVoiding] = useState<Batch | null>(null);
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const columns = useMemo(() => batchColumns(), []);
  const refresh = () => Promise.all([path, countPath].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)} disabled={!ready}>
      {t('site_portal.batch_create')}
    </Button>
  );
  const voidBatch = ({ id, name }: Batch) =>
    ask({
      title: t('site_portal.batch_void_title', { name }),
      body: t('site_portal.batch_void_body'),
      confirm: t('site_portal.batch_void'),
      danger: true,
      act: async () => {
        const { voided } = await call('/api/v3/portal/voucher/void', { gwid, id });
        notify('ok', t('site_portal.batch_voided_n', { n: voided }));
        await refresh();
      },
    });
  return (
    <div className="stack">
      {ready && <DynamicPassword gwid={gwid} />}
      <DataTable
        path={path}
        fixed={fixed}
        name="portal-vouchers"
        title={t('site_portal.tab_vouchers')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('site_portal.batch_search')}
        {...(may
          ? {
              actions: (row: Batch) => (
                <Menu
                  label={row.name}
                  target={(trigger) => <IconButton icon="more" label={row.name} {...trigger} />}
                  items={[
                    {
                      label: t('site_portal.print_again'),
                      icon: 'printer',
                      why: row.kept ? undefined : t('site_portal.codes_not_kept'),
                      act: () => setAgain(row),
                    },
                    { label: t('site_portal.voucher_void'), icon: 'close', act: () => setVoiding(row) },
                    { label: t('site_portal.batch_void'), icon: 'trash', danger: true, act: () => voidBatch(row) },
                  ]}
                />
              ),
            }
          : {})}
        never={
          <Empty icon="card" title={t('site_portal.vouchers_empty')} actions={create}>
            {t(ready ? 'site_portal.vouchers_empty_body' : 'site_portal.vouchers_first')}
          </Empty>
        }
        toolbar={create}
      />
      {making && (
        <VoucherDialog
          gwid={gwid}
          onClose={() => setMaking(false)}
          onMade={(batch) => {
            setMaking(false);
            setMade(batch);
            void refresh();
          }}
        />
      )}
      {again && <VoucherAgain gwid={gwid} batch={again} onClose={() => setAgain(null)} />}
      {made && <VoucherSheet gwid={gwid} batch={made} onClose={() => setMade(null)} />}
      {voiding && (
        <VoucherVoid
          gwid={gwid}
          id={voiding.id}
          onClose={() => setVoiding(null)}
          onDone={() => {
            setVoiding(null);
            void refresh();
          }}
        />
      )}
    </div>
  );
}

function batchColumns(): Column<Batch>[] {
  return [
    {
      key: 'name',
      title: t('site_portal.batch_name'),
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
    },
    {
      key: 'used',
      title: t('site_portal.batch_used'),
      sort: 'used',
      right: true,
      cell: (row) => t('site_portal.batch_used_of', { used: row.used, total: row.total }),
      text: (row) => row.used,
    },
    {
      key: 'voided',
      title: t('site_portal.batch_voided'),
      sort: 'voided',
      right: true,
      cell: (row) => row.voided,
      text: (row) => row.voided,
    },
    {
      key: 'minutes',
      title: t('site_portal.batch_time'),
      sort: 'minutes',
      right: true,
      cell: (row) => (row.minutes === 0 ? t('site_portal.guest_unlimited') : duration(row.minutes * 60)),
      text: (row) => row.minutes,
      unit: t('site_portal.minutes_unit'),
    },
    {
      key: 'devices',
      title: t('site_portal.batch_devices'),
      sort: 'devices',
      right: true,
      cell: (row) => row.devices,
      text: (row) => row.devices,
    },
    {
      key: 'valid_until',
      title: t('site_portal.batch_until'),
      cell: (row) => <ShortTime at={row.valid_until} />,
      text: (row) => row.valid_until,
    },
    {
      key: 'created_at',
      title: t('site_portal.batch_by'),
      cell: (row) => (
        <span>
          <ShortTime at={row.created_at} /> <span className="dim">{row.created_by}</span>
        </span>
      ),
      text: (row) => row.created_at,
    },
  ];
}
