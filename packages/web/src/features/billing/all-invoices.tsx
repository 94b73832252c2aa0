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
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { invoiceColumns, invoiceFilter, isRed } from './invoice-columns.tsx';
import { InvoiceDetail } from './invoice-detail.tsx';

const path = '/api/v3/install/invoice/list';
type AnyInvoice = Row<typeof path>;
type Act = 'issue' | 'refuse' | 'detail';

export function AllInvoices() {
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(invoiceFilter, []);
  const [open, setOpen] = useState<{ act: Act; row: AnyInvoice } | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <p className="quiet">{t('invoice.install_about')}</p>
      <DataTable
        path={path}
        name="all-invoices"
        title={t('install.tab_invoices')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        onOpen={(row) => setOpen({ act: 'detail', row })}
        actions={(row) => <Actions row={row} onOpen={(act) => setOpen({ act, row })} />}
        never={<Empty icon="file" title={t('invoice.install_never')} />}
      />
      {open?.act === 'issue' && <IssueDialog row={open.row} onClose={close} />}
      {open?.act === 'refuse' && <RefuseDialog row={open.row} onClose={close} />}
      {open?.act === 'detail' && <InvoiceDetail row={open.row} pdf="/api/v3/install/invoice/pdf" onClose={close} />}
    </>
  );
}

function columnsOf(): Column<AnyInvoice>[] {
  return [
    { key: 'account', title: t('invoice.account'), cell: (row) => row.account, text: (row) => row.account },
    ...invoiceColumns<AnyInvoice>(),
  ];
}

function Actions({ row, onOpen }: { row: AnyInvoice; onOpen: (act: Act) => void }) {
  if (row.state !== 'requested') return null;
  const label = t('invoice.acts', { account: row.account });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('invoice.issue'), icon: 'check', act: () => onOpen('issue') },
        ...(isRed(row)
          ? []
          : [{ label: t('invoice.refuse'), icon: 'close' as const, danger: true, act: () => onOpen('refuse') }]),
      ]}
    />
  );
}

interface Props {
  row: AnyInvoice;
  onClose: () => void;
}

async function decided(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [path] });
  notify('ok', t('invoice.done'));
}

function IssueDialog({ row, onClose }: Props) {
  const [number, setNumber] = useState('');
  const [issuedOn, setIssuedOn] = useState('');
  const { wrong, busy, fields, send } = useForm<'number' | 'issued_on'>({ 4104: 'number' });
  const submit = () =>
    send({ number: fieldError('required', number), issued_on: fieldError('required', issuedOn) }, async () => {
      await call('/api/v3/install/invoice/issue', { id: row.id, number, issued_on: issuedOn });
      await decided();
      onClose();
    });
  return (
    <Dialog
      title={t('invoice.issue')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('invoice.issue')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p>
          <strong>
            {row.title.name} {money(Number(row.amount))}
          </strong>
        </p>
        <p className="quiet">
          {isRed(row) ? t('invoice.issue_red_body', { number: row.original ?? '' }) : t('invoice.issue_body')}
        </p>
        <TextField
          label={t('invoice.number')}
          maxLength={40}
          value={number}
          onChange={(value) => setNumber(value.trim())}
          error={wrong.number}
        />
        <TextField
          label={t('invoice.issued_on')}
          placeholder="2026-11-20"
          maxLength={10}
          value={issuedOn}
          onChange={(value) => setIssuedOn(value.trim())}
          error={wrong.issued_on}
        />
      </div>
    </Dialog>
  );
}

function RefuseDialog({ row, onClose }: Props) {
  const act = async (reason: string) => {
    await call('/api/v3/install/invoice/refuse', { id: row.id, reason });
    await decided();
  };
  return <ReasonDialog title={t('invoice.refuse')} label={t('invoice.reason')} act={act} onClose={onClose} />;
}
