import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useUser } from '../../app/shell/current.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Browsers, NoticeTable, Subscriptions } from '../alarms/index.ts';
import { Reports } from './reports.tsx';

const tabs = ['list', 'sent', 'reports', 'browsers'] as const;
/** Subscriptions belong to the account; a browser belongs to its person. */
const tabsOfMember = ['browsers'] as const;

export function SubscriptionsScreen() {
  const [search, change] = useSearch();
  const shown = useUser().gwids ? tabsOfMember : tabs;
  const tab = oneOf(search.tab, shown) ?? shown[0];
  const title = t('messages.alarm_subscribe');
  return (
    <Page title={title}>
      <Tabs
        label={title}
        tabs={shown.map((value) => ({ value, label: t(`subscription.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({ tab: value === 'list' ? undefined : value, page: undefined, state: undefined, order: undefined })
        }
      >
        {tab === 'list' && <Subscriptions />}
        {tab === 'sent' && <NoticeTable />}
        {tab === 'reports' && <Reports />}
        {tab === 'browsers' && <Browsers />}
      </Tabs>
    </Page>
  );
}
