import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, type Search, useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { booksZone } from '../../ui/format.ts';
import { Card, Page } from '../../ui/page.tsx';
import type { Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { OwnDays, timeFilter } from '../../ui/table/time-range.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { RechargeDialog } from './account/recharge-dialog.tsx';
import { Books } from './books.tsx';
import { DeferredIncome } from './deferred/deferred.tsx';
import { IncomeTable } from './income.tsx';
import { OrderDrawer } from './order-drawer.tsx';
import { Exceptions } from './refunds/exceptions.tsx';
import { Refunds } from './refunds/refunds.tsx';
import { Shares } from './shares.tsx';
import { transactionColumns } from './transaction-columns.tsx';
import { WaitingDecisions } from './waiting-decisions.tsx';

const types = ['income', 'expense', 'recharge', 'refund', 'withdrawal', 'other'] as const;
const states = ['incomplete', 'completed', 'expired', 'refunded', 'refused'] as const;

const tabs = ['transactions', 'refunds', 'exceptions', 'income', 'books', 'deferred', 'shares'] as const;
const tabTexts = {
  transactions: 'income.transactions',
  refunds: 'billing.refunds',
  exceptions: 'billing.exceptions',
  income: 'income.tab',
  books: 'books.tab',
  deferred: 'deferred.tab',
  shares: 'share.tab',
} as const;

export function TransactionsScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'transactions';
  return (
    <Page title={t('personal.billing_transactions')}>
      <Tabs
        label={t('personal.billing_transactions')}
        tabs={tabs.map((value) => ({ value, label: t(tabTexts[value]) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'transactions' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            state: undefined,
            type: undefined,
            group: undefined,
            days: undefined,
            month: undefined,
            ledger: undefined,
            range: undefined,
            first: undefined,
            last: undefined,
          })
        }
      >
        {
          {
            transactions: <Transactions />,
            refunds: <Refunds />,
            exceptions: <Exceptions />,
            income: <IncomeTable />,
            books: <Books />,
            deferred: <DeferredIncome />,
            shares: <Shares />,
          }[tab]
        }
      </Tabs>
    </Page>
  );
}

function Transactions() {
  const may = useMay('billing.write');
  const [isRecharging, setRecharging] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const columns = useMemo(transactionColumns, []);
  const [search] = useSearch();
  const filters = useMemo(() => filtersOf(search), [search]);
  const recharge = may && (
    <Button kind="primary" icon="plus" onClick={() => setRecharging(true)}>
      {t('billing.recharge')}
    </Button>
  );
  return (
    <div className="stack">
      <Differences />
      <WaitingDecisions />
      <DataTable
        path="/api/v3/billing/transaction/list"
        name="transactions"
        title={t('personal.billing_transactions')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        extra={<OwnDays />}
        searchHint={t('billing.search')}
        onOpen={(row) => row.order_no !== null && setOpened(row.order_no)}
        never={
          <Empty icon="list" title={t('billing.never')} actions={recharge}>
            {t('billing.never_body')}
          </Empty>
        }
        toolbar={recharge}
      />
      {isRecharging && <RechargeDialog onClose={() => setRecharging(false)} />}
      {opened !== null && <OrderDrawer orderNo={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function Differences() {
  const { data, error, refetch } = useRead('/api/v3/billing/difference/list', {});
  if (error && !data)
    return (
      <Card title={t('billing.differences')}>
        <Failed small error={error} retry={() => void refetch()} />
      </Card>
    );
  if (!data || data.list.length === 0) return null;
  return (
    <Card title={t('billing.differences')}>
      <ul>
        {data.list.map(({ provider, day, order_no: no, ours, theirs, currency }) => (
          <li key={`${provider} ${day} ${no}`}>
            {t(currency === 'XTS' ? 'billing.difference_play' : 'billing.difference', { day, no, ours, theirs })}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function filtersOf(search: Search): Filter[] {
  return [
    timeFilter(search, booksZone()),
    {
      name: 'type',
      label: t('billing.type'),
      options: types.map((value) => ({ value, label: t(`billing.type_${value}`) })),
    },
    {
      name: 'state',
      label: t('billing.state'),
      options: states.map((value) => ({ value, label: t(`billing.state_${value}`) })),
    },
  ];
}
