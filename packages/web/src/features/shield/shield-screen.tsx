import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const SettingsTab = lazy(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTab }));
const AllowTab = lazy(async () => ({ default: (await import('./allow-tab.tsx')).AllowTab }));
const BriefingTab = lazy(async () => ({ default: (await import('./briefing-tab.tsx')).BriefingTab }));

const tabs = ['settings', 'allowlist', 'briefing'] as const;

export function ShieldScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'settings';
  return (
    <Page title={t('config.cloud_security')}>
      <Tabs
        label={t('config.cloud_security')}
        tabs={tabs.map((value) => ({ value, label: t(`shield.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'settings' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            days: undefined,
          })
        }
      >
        <Suspense fallback={<Loading until={false}>{null}</Loading>}>
          {tab === 'settings' && <SettingsTab />}
          {tab === 'allowlist' && <AllowTab />}
          {tab === 'briefing' && <BriefingTab />}
        </Suspense>
      </Tabs>
    </Page>
  );
}
