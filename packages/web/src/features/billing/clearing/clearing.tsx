import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { oneOf, useSearch } from '../../../app/search.ts';
import { Button } from '../../../ui/button.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ArrivalDialog } from './arrival-dialog.tsx';
import type { Payout } from './clearing-data.ts';
import { Arrivals, Lines, Movements, Payouts } from './lists.tsx';
import { Overview } from './overview.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { StatementDialog } from './statement-dialog.tsx';

const views = ['payouts', 'arrivals', 'lines', 'movements'] as const;
type Open = { dialog: 'statement' | 'payout' } | { dialog: 'arrival'; payout: Payout | null };

export function Clearing() {
  const [search, change] = useSearch();
  const view = oneOf(search.view, views) ?? 'payouts';
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const arrive = (payout: Payout | null) => setOpen({ dialog: 'arrival', payout });
  return (
    <div className="stack">
      <p className="quiet">{t('clearing.about')}</p>
      <Overview />
      <div className="row">
        <Button kind="primary" icon="file" onClick={() => setOpen({ dialog: 'statement' })}>
          {t('clearing.import')}
        </Button>
        <Button onClick={() => setOpen({ dialog: 'payout' })}>{t('clearing.enter_payout')}</Button>
        <Button onClick={() => arrive(null)}>{t('clearing.enter_arrival')}</Button>
      </div>
      <Tabs
        label={t('clearing.lists')}
        tabs={views.map((value) => ({ value, label: t(`clearing.${value}`) }))}
        value={view}
        onChange={(value) =>
          change({
            view: value === 'payouts' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            provider: undefined,
            settled: undefined,
            result: undefined,
          })
        }
      >
        {view === 'payouts' && <Payouts onArrive={arrive} />}
        {view === 'arrivals' && <Arrivals />}
        {view === 'lines' && <Lines />}
        {view === 'movements' && <Movements />}
      </Tabs>
      {open?.dialog === 'statement' && <StatementDialog onClose={close} />}
      {open?.dialog === 'payout' && <PayoutDialog onClose={close} />}
      {open?.dialog === 'arrival' && <ArrivalDialog payout={open.payout} onClose={close} />}
    </div>
  );
}
