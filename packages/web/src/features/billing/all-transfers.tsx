import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { money } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

const listPath = '/api/v3/install/transfer/list';
type Transfer = Row<typeof listPath>;
type Act = 'confirm' | 'refuse';

const states = ['incomplete', 'completed', 'refused', 'expired', 'refunded'] as const;
const tones: Readonly<Record<Transfer['state'], Tone>> = {
  incomplete: 'warn',
  completed: 'ok',
  refused: 'bad',
  expired: 'none',
  refunded: 'info',
};

export function AllTransfers() {
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(filtersOf, []);
  const [open, setOpen] = useState<{ act: Act; row: Transfer } | null>(null);
  return (
    <>
      <p className="quiet">{t('transfer.about')}</p>
      <DataTable
        path={listPath}
        name="all-transfers"
        title={t('install.tab_transfers')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.order_no}
        searchHint={t('transfer.search')}
        actions={(row) => <Actions row={row} onOpen={(act) => setOpen({ act, row })} />}
        never={<Empty icon="wallet" title={t('transfer.never')} />}
      />
      {open && <Decision {...open} onClose={() => setOpen(null)} />}
    </>
  );
}

function Actions({ row, onOpen }: { row: Transfer; onOpen: (act: Act) => void }) {
  if (row.state !== 'incomplete' && row.state !== 'expired') return null;
  const label = t('transfer.acts', { amount: money(Number(row.amount)), account: row.account });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('transfer.confirm'), icon: 'check', act: () => onOpen('confirm') },
        { label: t('transfer.refuse'), icon: 'close', danger: true, act: () => onOpen('refuse') },
      ]}
    />
  );
}

function Decision({ act, row, onClose }: { act: Act; row: Transfer; onClose: () => void }) {
  const [text, setText] = useState('');
  const field = act === 'confirm' ? 'receipt' : 'reason';
  const { wrong, busy, fields, send } = useForm<'receipt' | 'reason'>({ 4104: field });
  const submit = () =>
    send({ [field]: fieldError('required', text) }, async () => {
      const { order_no } = row;
      if (act === 'confirm') await call('/api/v3/install/transfer/confirm', { order_no, receipt: text });
      else await call('/api/v3/install/transfer/refuse', { order_no, reason: text });
      await queryClient.invalidateQueries({ queryKey: [listPath] });
      notify('ok', t('transfer.done'));
      onClose();
    });
  return (
    <Dialog
      title={t(`transfer.${act}`)}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(`transfer.${act}`)}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p>
          <strong>{t('transfer.of', { amount: money(Number(row.amount)), account: row.account })}</strong>
        </p>
        <p className="mono">{row.reference}</p>
        <p className="quiet">{t(`transfer.${act}_body`)}</p>
        <TextField
          label={t(`transfer.${field}`)}
          rule="required"
          maxLength={field === 'receipt' ? 100 : 200}
          value={text}
          onChange={setText}
          error={wrong[field]}
        />
      </div>
    </Dialog>
  );
}

function filtersOf(): Filter[] {
  const options = states.map((value) => ({ value, label: t(`transfer.state_${value}`) }));
  return [{ name: 'state', label: t('transfer.state'), options }];
}

function columnsOf(): Column<Transfer>[] {
  const plain = (key: 'account' | 'order_no' | 'title' | 'decided_by'): Column<Transfer> => ({
    key,
    title: t(`transfer.${key}`),
    cell: (row) => row[key] ?? '—',
    text: (row) => row[key],
  });
  const result = (row: Transfer) => row.receipt ?? row.reason;
  return [
    {
      key: 'created_at',
      title: t('transfer.created_at'),
      sort: 'created_at',
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    plain('account'),
    {
      key: 'reference',
      title: t('transfer.reference'),
      cell: (row) => <span className="mono">{row.reference}</span>,
      text: (row) => row.reference,
    },
    plain('order_no'),
    plain('title'),
    {
      key: 'amount',
      title: t('transfer.amount'),
      sort: 'amount',
      right: true,
      cell: (row) => <strong>{money(Number(row.amount))}</strong>,
      text: (row) => Number(row.amount),
    },
    {
      key: 'state',
      title: t('transfer.state'),
      cell: (row) => <Tag tone={tones[row.state]}>{t(`transfer.state_${row.state}`)}</Tag>,
      text: (row) => t(`transfer.state_${row.state}`),
    },
    plain('decided_by'),
    {
      key: 'decided_at',
      title: t('transfer.decided_at'),
      cell: (row) => <ShortTime at={row.decided_at} />,
      text: (row) => row.decided_at,
    },
    { key: 'result', title: t('transfer.result'), cell: (row) => result(row) ?? '—', text: result },
  ];
}
