import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BuySmsDialog } from './buy-dialog.tsx';
import { SmsLimits } from './limits.tsx';
import { SmsLog } from './log.tsx';
import { SmsOrders } from './orders.tsx';

const tabs = ['log', 'orders', 'limits'] as const;

export function SmsScreen() {
  const gwid = useParam('gwid');
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'log';
  const may = useMay('billing.write');
  const [isBuying, setBuying] = useState(false);
  const { data, error, refetch } = useRead('/api/v3/sms/balance', {});
  return (
    <Page
      title={t('home.sms_pay_log')}
      crumb={<SiteCrumb gwid={gwid} />}
      actions={
        data?.sold && (
          <Button kind="primary" icon="plus" why={may ? undefined : t('sms.why')} onClick={() => setBuying(true)}>
            {t('sms.buy')}
          </Button>
        )
      }
    >
      {data?.provider === false && (
        <p className="notice notice-warn">
          <Icon name="alert" size={16} />
          <span>{t('sms.no_provider')}</span>
        </p>
      )}
      {error && !data ? <Failed error={error} retry={() => void refetch()} /> : <Figures balance={data} />}
      <Tabs
        label={t('home.sms_pay_log')}
        tabs={tabs.map((value) => ({ value, label: t(`sms.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'log' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            result: undefined,
            purpose: undefined,
            status: undefined,
          })
        }
      >
        {tab === 'log' && <SmsLog gwid={gwid} />}
        {tab === 'orders' && <SmsOrders />}
        {tab === 'limits' && (data ? <SmsLimits balance={data} /> : <Skeleton height={240} />)}
      </Tabs>
      {isBuying && data && <BuySmsDialog packs={data.packs} onClose={() => setBuying(false)} />}
    </Page>
  );
}

function Figures({ balance }: { balance: Data<'/api/v3/sms/balance'> | undefined }) {
  if (!balance) return <Skeleton height={110} />;
  const { sold, provider, left, success } = balance;
  const free = provider ? t('sms.left_free_why') : t('sms.left_outbox_why');
  const price = (balance.price_fen / 100).toFixed(2);
  const figures = [
    {
      title: t('sms.left'),
      value: left === null ? t('sms.left_free') : count(left),
      why: sold && provider ? t('sms.left_why', { price }) : free,
    },
    { title: t('sms.today'), value: count(balance.sent_today), why: t('sms.account_wide') },
    { title: t('sms.month'), value: count(balance.sent_30d), why: t('sms.account_wide') },
    { title: t('sms.success'), value: success === null ? t('sms.none') : `${success}%`, why: t('sms.success_why') },
  ];
  return (
    <div className="grid">
      {figures.map(({ title, value, why }) => (
        <div key={title} className="span-3">
          <Card title={title}>
            <p className="figure">{value}</p>
            <p className="small dim">{why}</p>
          </Card>
        </div>
      ))}
    </div>
  );
}
