import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { GuestInvoices } from './fapiao/guest-invoices.tsx';
import { type Invoice, invoiceColumns, invoiceFilter, isRed } from './invoice-columns.tsx';
import { InvoiceDetail } from './invoice-detail.tsx';
import { InvoiceOrders } from './invoice-orders.tsx';
import { InvoiceTitles } from './invoice-titles.tsx';

const tabs = ['invoices', 'orders', 'titles', 'guests'] as const;

export function InvoicesScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'invoices';
  const show = (value: (typeof tabs)[number]) =>
    change({
      tab: value === 'invoices' ? undefined : value,
      page: undefined,
      limit: undefined,
      keyword: undefined,
      state: undefined,
    });
  return (
    <Page title={t('personal.billing_invoices')}>
      <Tabs
        label={t('personal.billing_invoices')}
        tabs={tabs.map((value) => ({ value, label: value === 'guests' ? t('fapiao.tab') : t(`invoice.tab_${value}`) }))}
        value={tab}
        onChange={show}
      >
        {tab === 'invoices' && <Invoices onRequest={() => show('orders')} />}
        {tab === 'orders' && <InvoiceOrders onTitles={() => show('titles')} onDone={() => show('invoices')} />}
        {tab === 'titles' && <InvoiceTitles />}
        {tab === 'guests' && <GuestInvoices />}
      </Tabs>
    </Page>
  );
}

function Invoices({ onRequest }: { onRequest: () => void }) {
  const may = useMay('billing.write');
  const columns = useMemo(invoiceColumns<Invoice>, []);
  const filters = useMemo(invoiceFilter, []);
  const [opened, setOpened] = useState<Invoice | null>(null);
  const request = may && (
    <Button kind="primary" icon="plus" onClick={onRequest}>
      {t('invoice.request')}
    </Button>
  );
  return (
    <>
      <DataTable
        path="/api/v3/billing/invoice/list"
        name="invoices"
        title={t('personal.billing_invoices')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        onOpen={setOpened}
        actions={(row) =>
          may && row.state === 'requested' && !isRed(row) ? (
            <Button kind="link" onClick={() => cancel(row)}>
              {t('invoice.cancel')}
            </Button>
          ) : null
        }
        never={
          <Empty icon="file" title={t('invoice.never')} actions={request}>
            {t('invoice.never_body')}
          </Empty>
        }
        toolbar={request}
      />
      {opened && <InvoiceDetail row={opened} pdf="/api/v3/billing/invoice/pdf" onClose={() => setOpened(null)} />}
    </>
  );
}

function cancel({ id }: Invoice) {
  ask({
    title: t('invoice.cancel_title'),
    body: t('invoice.cancel_body'),
    confirm: t('invoice.cancel'),
    act: async () => {
      await call('/api/v3/billing/invoice/cancel', { id });
      for (const path of ['list', 'order/list'])
        await queryClient.invalidateQueries({ queryKey: [`/api/v3/billing/invoice/${path}`] });
    },
  });
}
