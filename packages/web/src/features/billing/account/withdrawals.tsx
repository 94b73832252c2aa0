import { useMemo, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { money } from '../../../ui/format.ts';
import { Page } from '../../../ui/page.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { stateFilter, type Withdrawal, withdrawalColumns } from '../withdrawal-columns.tsx';
import { WithdrawalDetail } from './withdrawal-detail.tsx';
import { WithdrawalDialog } from './withdrawal-dialog.tsx';

export function WithdrawalsScreen() {
  const may = useMay('billing.write');
  const [open, setOpen] = useState(false);
  const [shown, setShown] = useState<Withdrawal | null>(null);
  const { data } = useRead('/api/v3/billing/withdrawal/terms', {});
  const columns = useMemo(withdrawalColumns, []);
  const filters = useMemo(stateFilter, []);
  const request = may && data && (
    <Button kind="primary" onClick={() => setOpen(true)}>
      {t('withdraw.request')}
    </Button>
  );
  return (
    <Page title={t('personal.billing_withdrawals')}>
      {data && (
        <p className="quiet">
          {t('withdraw.available', {
            balance: money(Number(data.balance)),
            frozen: money(Number(data.frozen)),
            recharged: money(Number(data.recharged)),
          })}
        </p>
      )}
      <DataTable
        path="/api/v3/billing/withdrawal/list"
        name="withdrawals"
        title={t('personal.billing_withdrawals')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        onOpen={setShown}
        never={
          <Empty icon="wallet" title={t('withdraw.never')} actions={request}>
            {t('withdraw.never_body')}
          </Empty>
        }
        toolbar={request}
      />
      {shown && <WithdrawalDetail row={shown} onClose={() => setShown(null)} />}
      {open && data && <WithdrawalDialog terms={data} onClose={() => setOpen(false)} />}
    </Page>
  );
}
