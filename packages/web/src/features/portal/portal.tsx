import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Check } from './check.tsx';
import { Funnel } from './funnel.tsx';
import { Guests } from './guests.tsx';
import { Members } from './members.tsx';
import { Sessions } from './sessions.tsx';
import { ShopCard } from './shop-card.tsx';
import { SiteCard } from './site-card.tsx';
import { Vouchers } from './vouchers.tsx';
import './portal.css';

const tabs = ['settings', 'check', 'guests', 'sessions', 'vouchers', 'members'] as const;

export function PortalScreen() {
  const gwid = useParam('gwid');
  const [search, change] = useSearch();
  const maySee = useMay('user.read');
  const mayConfigure = useMay('config.read');
  const mayVouchers = useMay('voucher.read');
  const open = {
    settings: true,
    check: useMay('network.read'),
    vouchers: mayVouchers,
    guests: maySee,
    sessions: maySee,
    members: maySee,
  };
  const shown = tabs.filter((one) => open[one]);
  const tab = oneOf(search.tab, shown) ?? 'settings';
  const site = useRead('/api/v3/portal/site', { gwid });
  return (
    <Page title={t('home.auth_index')} crumb={<SiteCrumb gwid={gwid} />}>
      <Tabs
        label={t('home.auth_index')}
        tabs={shown.map((value) => ({ value, label: t(`site_portal.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'settings' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
          })
        }
      >
        {tab === 'settings' && site.isPending && <Skeleton height={240} />}
        {tab === 'settings' && site.error && <Failed error={site.error} retry={() => void site.refetch()} />}
        {tab === 'settings' && site.data && (
          <div className="stack">
            <SiteCard key={JSON.stringify(site.data.site)} gwid={gwid} {...site.data} />
            {mayConfigure && site.data.site.url !== null && <ShopCard gwid={gwid} />}
            {maySee && site.data.site.url !== null && <Funnel gwid={gwid} />}
          </div>
        )}
        {tab === 'check' && <Check gwid={gwid} />}
        {tab === 'guests' && <Guests gwid={gwid} />}
        {tab === 'sessions' && <Sessions gwid={gwid} />}
        {tab === 'vouchers' && <Vouchers gwid={gwid} ready={site.data?.site.url != null} />}
        {tab === 'members' && <Members gwid={gwid} ready={site.data?.site.url != null} />}
      </Tabs>
    </Page>
  );
}
