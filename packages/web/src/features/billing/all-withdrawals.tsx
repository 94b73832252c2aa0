import { lazy, Suspense, useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime, money } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { type AnyWithdrawal, anyList, settled } from './any-withdrawal.ts';
import { loadSecondPersons } from './load-second-persons.ts';
import { stateFilter, withdrawalColumns } from './withdrawal-columns.tsx';
import { PayDialog, RefuseDialog } from './withdrawal-decision.tsx';
import { WithdrawalRule } from './withdrawal-rule.tsx';

const SecondPersons = lazy(loadSecondPersons);

type Act = 'pay' | 'refuse';

export function AllWithdrawals() {
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(stateFilter, []);
  const [open, setOpen] = useState<{ act: Act; row: AnyWithdrawal } | null>(null);
  const [ruling, setRuling] = useState(false);
  const close = () => setOpen(null);
  const rule = <Button onClick={() => setRuling(true)}>{t('withdraw.settings')}</Button>;
  return (
    <>
      <p className="quiet">{t('withdraw.install_about')}</p>
      <Suspense>
        <SecondPersons />
      </Suspense>
      <DataTable
        path={anyList}
        name="all-withdrawals"
        title={t('install.tab_withdrawals')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        actions={(row) => <Actions row={row} onOpen={(act) => setOpen({ act, row })} />}
        never={<Empty icon="wallet" title={t('withdraw.install_never')} actions={rule} />}
        toolbar={rule}
      />
      {open?.act === 'pay' && <PayDialog row={open.row} onClose={close} />}
      {open?.act === 'refuse' && <RefuseDialog row={open.row} onClose={close} />}
      {ruling && <WithdrawalRule onClose={() => setRuling(false)} />}
    </>
  );
}

function Actions({ row, onOpen }: { row: AnyWithdrawal; onOpen: (act: Act) => void }) {
  const { id, state, account } = row;
  if (state === 'paid' || state === 'refused') return null;
  const label = t('withdraw.acts', { amount: money(Number(row.amount)), account });
  const approve = () =>
    ask({
      title: t('withdraw.approve'),
      body: t('withdraw.approve_body'),
      confirm: t('withdraw.approve'),
      act: async () => {
        await call('/api/v3/install/withdrawal/approve', { id });
        await settled();
      },
    });
  return (
    <Menu
      label={label}
      width={280}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        state === 'requested'
          ? { label: t('withdraw.approve'), icon: 'check' as const, act: approve }
          : { label: t('withdraw.pay'), icon: 'wallet' as const, why: payRefusal(row), act: () => onOpen('pay') },
        { label: t('withdraw.refuse'), icon: 'close', danger: true, act: () => onOpen('refuse') },
      ]}
    />
  );
}

function payRefusal({ may_pay, two_persons_above, stand_in_at: at }: AnyWithdrawal): string | undefined {
  if (may_pay || two_persons_above === null) return undefined;
  const limit = money(Number(two_persons_above));
  return at === null
    ? t('withdraw.pay_second', { limit })
    : t('withdraw.pay_alone', { limit, time: exactTime(new Date(at)) });
}

function columnsOf(): Column<AnyWithdrawal>[] {
  return [
    { key: 'account', title: t('withdraw.account'), cell: (row) => row.account, text: (row) => row.account },
    ...withdrawalColumns<AnyWithdrawal>(),
  ];
}
