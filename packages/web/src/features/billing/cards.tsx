import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { count, money } from '../../ui/format.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CardBatches } from './card-batches.tsx';
import { CardTable } from './card-table.tsx';
import { FailedCard } from './failed-card.tsx';

const tabs = ['batches', 'cards', 'log'] as const;
const states = ['unused', 'used', 'voided', 'expired', 'refunded'] as const;

export function CardsScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'batches';
  return (
    <Page title={t('personal.billing_cards')}>
      <Statistics />
      <Tabs
        label={t('personal.billing_cards')}
        tabs={tabs.map((value) => ({ value, label: t(`goods.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'batches' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            state: undefined,
          })
        }
      >
        {tab === 'batches' && <CardBatches />}
        {tab === 'cards' && <CardTable key="cards" log={false} />}
        {tab === 'log' && <CardTable key="log" log />}
      </Tabs>
    </Page>
  );
}

function Statistics() {
  const { data, error, refetch } = useRead('/api/v3/recharge_card/stat', {});
  if (error && !data) return <FailedCard title={t('goods.stat')} error={error} retry={refetch} />;
  if (!data) return null;
  return (
    <Card title={t('goods.stat')}>
      <div className="row">
        {states.map((state) => (
          <span key={state}>
            <span className="dim">{t(state === 'voided' ? 'goods.void' : `goods.${state}`)}</span> {count(data[state])}
          </span>
        ))}
        <span>
          <span className="dim">{t('goods.income')}</span> {money(Number(data.income))}
        </span>
      </div>
    </Card>
  );
}
