import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import {
  AccountCoupons,
  AllInvoices,
  AllTransfers,
  AllWithdrawals,
  Clearing,
  PaymentProviders,
  PluginPublishers,
} from '../../app/lazy-parts.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { GeneralTab } from './general-tab.tsx';

const tabs = [
  'general',
  'delivery',
  'accounts',
  'payments',
  'transfers',
  'coupons',
  'clearing',
  'invoices',
  'withdrawals',
  'serials',
  'plugins',
] as const;
const DeliveryTab = lazy(async () => ({ default: (await import('./delivery-tab.tsx')).DeliveryTab }));
const Serials = lazy(async () => ({ default: (await import('./serials.tsx')).Serials }));
const Accounts = lazy(async () => ({ default: (await import('./accounts.tsx')).Accounts }));

export function Settings() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'general';
  const { data, error, refetch } = useRead('/api/v3/install/detail', {});
  return (
    <Page title={t('personal.install')}>
      <Tabs
        label={t('personal.install')}
        tabs={tabs.map((value) => ({ value, label: t(`install.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'general' ? undefined : value,
            page: undefined,
            limit: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            locked: undefined,
            state: undefined,
            view: undefined,
            provider: undefined,
            settled: undefined,
            result: undefined,
          })
        }
      >
        <div className="stack install-tab">
          {data ? (
            <Suspense fallback={<Loading until={false}>{null}</Loading>}>
              {tab === 'general' && <GeneralTab installation={data} />}
              {tab === 'delivery' && <DeliveryTab installation={data} />}
              {tab === 'accounts' && <Accounts />}
              {tab === 'payments' && <PaymentProviders />}
              {tab === 'transfers' && <AllTransfers />}
              {tab === 'coupons' && <AccountCoupons />}
              {tab === 'clearing' && <Clearing />}
              {tab === 'invoices' && <AllInvoices />}
              {tab === 'withdrawals' && <AllWithdrawals />}
              {tab === 'serials' && <Serials />}
              {tab === 'plugins' && <PluginPublishers />}
            </Suspense>
          ) : (
            <Card>{error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={320} />}</Card>
          )}
        </div>
      </Tabs>
    </Page>
  );
}
