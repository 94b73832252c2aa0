import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { SignInTab } from './sign-in-tab.tsx';
import './personal.css';

const tabs = ['sign_in', 'sessions', 'tokens'] as const;
// lazy: most visits do not open this tab
const Sessions = lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions }));
const Tokens = lazy(async () => ({ default: (await import('./tokens.tsx')).Tokens }));

export function SecurityScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'sign_in';
  return (
    <Page title={t('personal.security')}>
      <Tabs
        label={t('personal.security')}
        tabs={tabs.map((value) => ({ value, label: t(`security.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({ tab: value === 'sign_in' ? undefined : value, page: undefined, limit: undefined })
        }
      >
        <div className="stack">
          <Suspense fallback={<Loading until={false}>{null}</Loading>}>
            {tab === 'sign_in' && <SignInTab />}
            {tab === 'sessions' && <Sessions />}
            {tab === 'tokens' && <Tokens />}
          </Suspense>
        </div>
      </Tabs>
    </Page>
  );
}
