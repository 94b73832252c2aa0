import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime, mac } from '../../ui/format.ts';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { SerialDialog } from './serial-dialog.tsx';
import { serialsPath } from './serials-path.ts';

type Transfer = Row<typeof serialsPath>;

export function Serials() {
  const columns = useMemo(columnsOf, []);
  const [moving, setMoving] = useState(false);
  const [withdrawing, setWithdrawing] = useState<Transfer | null>(null);
  const begin = (
    <Button kind="primary" onClick={() => setMoving(true)}>
      {t('serials.move')}
    </Button>
  );
  return (
    <>
      <p className="quiet">{t('serials.about')}</p>
      <DataTable
        path={serialsPath}
        name="serial-transfers"
        title={t('install.tab_serials')}
        columns={columns}
        rowKey={(row) => row.id}
        actions={(row) =>
          row.state === 'waiting' && (
            <Button kind="link" onClick={() => setWithdrawing(row)}>
              {t('serials.withdraw')}
            </Button>
          )
        }
        toolbar={begin}
        never={<Empty icon="server" title={t('serials.never')} actions={begin} />}
      />
      {moving && <SerialDialog onClose={() => setMoving(false)} />}
      {withdrawing && (
        <ReasonDialog
          title={t('serials.withdraw_title', { serial: mac(withdrawing.serial) })}
          label={t('serials.withdraw_reason')}
          act={(reason) => withdraw(withdrawing, reason)}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </>
  );
}

async function withdraw({ id }: Transfer, reason: string): Promise<void> {
  await call('/api/v3/install/serial/withdraw', { id, reason });
  await queryClient.invalidateQueries({ queryKey: [serialsPath] });
  notify('ok', t('serials.withdrawn'));
}

const tones = { waiting: 'warn', moved: 'ok', objected: 'bad', withdrawn: 'none' } as const;
const shapes = { waiting: 'dot', moved: 'check', objected: 'cross', withdrawn: 'cross' } as const;

function columnsOf(): Column<Transfer>[] {
  const to = (row: Transfer) => row.to ?? t('serials.released');
  const note = (row: Transfer) => row.objection ?? row.reason;
  return [
    {
      key: 'serial',
      title: t('serials.serial'),
      cell: (row) => <span className="mono">{mac(row.serial)}</span>,
      text: (row) => row.serial,
    },
    { key: 'from', title: t('serials.from'), cell: (row) => row.from, text: (row) => row.from },
    { key: 'to', title: t('serials.to'), cell: to, text: to },
    {
      key: 'state',
      title: t('serials.state'),
      cell: (row) => (
        <Tag tone={tones[row.state]} shape={shapes[row.state]}>
          {t(`serials.state_${row.state}`)}
        </Tag>
      ),
      text: (row) => t(`serials.state_${row.state}`),
    },
    {
      key: 'when',
      title: t('serials.when'),
      cell: (row) => <ShortTime at={row.decided_at ?? row.due_at} />,
      text: (row) => exactTime(new Date(row.decided_at ?? row.due_at)),
    },
    { key: 'reason', title: t('serials.reason'), cell: note, text: note },
    { key: 'asked_by', title: t('serials.asked_by'), cell: (row) => row.asked_by, text: (row) => row.asked_by },
  ];
}
