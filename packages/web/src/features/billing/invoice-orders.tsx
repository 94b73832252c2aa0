import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { paymentName } from '../../app/payment-name.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { money } from '../../ui/format.ts';
import type { BatchAct, Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { fenOf } from './amount.ts';

type PaidOrder = Row<'/api/v3/billing/invoice/order/list'>;

/** Payments that no invoice was requested for. */
export function InvoiceOrders({ onTitles, onDone }: { onTitles: () => void; onDone: () => void }) {
  const may = useMay('billing.write');
  const columns = useMemo(columnsOf, []);
  const [chosen, setChosen] = useState<readonly PaidOrder[] | null>(null);
  const batch: readonly BatchAct<PaidOrder>[] = may
    ? [{ label: t('invoice.request'), act: (picked) => void picked.rows().then(setChosen, notifyError) }]
    : [];
  return (
    <>
      <DataTable
        path="/api/v3/billing/invoice/order/list"
        name="invoice-orders"
        title={t('invoice.tab_orders')}
        columns={columns}
        rowKey={(row) => row.order_no}
        batch={batch}
        never={
          <Empty icon="file" title={t('invoice.orders_never')}>
            {t('invoice.orders_body')}
          </Empty>
        }
      />
      {chosen && <RequestDialog orders={chosen} onTitles={onTitles} onClose={() => setChosen(null)} onDone={onDone} />}
    </>
  );
}

function RequestDialog({
  orders,
  onTitles,
  onClose,
  onDone,
}: {
  orders: readonly PaidOrder[];
  onTitles: () => void;
  onClose: () => void;
  onDone: () => void;
}) {
  const { data } = useRead('/api/v3/billing/invoice/title/list', {});
  const [picked, setPicked] = useState<string | null>(null);
  const [remark, setRemark] = useState('');
  const titleId = picked ?? data?.list[0]?.id;
  const { wrong, busy, fields, send } = useForm<'title_id' | 'remark'>({ 4104: 'title_id' });
  const fen = orders.reduce((sum, { amount }) => sum + fenOf(amount), 0);
  const amount = money(fen / 100);
  const submit = () =>
    send({ title_id: titleId ? null : t('invoice.no_title') }, async () => {
      const order_nos = orders.map(({ order_no: no }) => no);
      await call('/api/v3/billing/invoice/request', { order_nos, title_id: titleId!, remark });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/billing/invoice/order/list'] });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/billing/invoice/list'] });
      notify('ok', t('invoice.requested', { amount }));
      onDone();
    });
  return (
    <Dialog
      title={t('invoice.request')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={!data}>
          {t('invoice.request')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p>{t('invoice.sum', { n: orders.length, amount })}</p>
        {data && data.list.length === 0 ? (
          <p className="row">
            {t('invoice.no_title')}
            <Button onClick={onTitles}>{t('invoice.title_add')}</Button>
          </p>
        ) : (
          <SelectField
            label={t('invoice.name')}
            value={titleId ?? ''}
            options={(data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setPicked}
            error={wrong.title_id}
          />
        )}
        <TextField
          label={t('invoice.remark')}
          maxLength={200}
          value={remark}
          onChange={setRemark}
          error={wrong.remark}
        />
      </div>
    </Dialog>
  );
}

function columnsOf(): Column<PaidOrder>[] {
  const method = (row: PaidOrder) => paymentName(row.method);
  return [
    {
      key: 'order_no',
      title: t('invoice.order_no'),
      cell: (row) => <span className="mono">{row.order_no}</span>,
      text: (row) => row.order_no,
    },
    { key: 'title', title: t('invoice.order_title'), cell: (row) => row.title, text: (row) => row.title },
    {
      key: 'amount',
      title: t('invoice.amount'),
      sort: 'amount',
      right: true,
      cell: (row) => money(Number(row.amount)),
      text: (row) => Number(row.amount),
    },
    { key: 'method', title: t('invoice.method'), cell: method, text: method },
    {
      key: 'paid_at',
      title: t('invoice.paid_at'),
      cell: (row) => <ShortTime at={row.paid_at} />,
      text: (row) => row.paid_at,
    },
  ];
}
