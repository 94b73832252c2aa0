import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const AlarmTable = lazy(async () => ({ default: (await import('./alarm-table.tsx')).AlarmTable }));
const Rules = lazy(async () => ({ default: (await import('./rules.tsx')).Rules }));

const tabs = ['list', 'rules'] as const;

export function AlarmsScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'list';
  return (
    <Page
      title={t('messages.alarm')}
      actions={
        <Link className="btn btn-quiet" to="/alarm_subscribe" search={{ tab: 'browsers' }}>
          <Icon name="bell" size={16} />
          {t('alarm.in_browser')}
        </Link>
      }
    >
      <Tabs
        label={t('messages.alarm')}
        tabs={tabs.map((value) => ({ value, label: t(`alarm.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'list' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            alarm: undefined,
            level: undefined,
            state: undefined,
            kind: undefined,
            gwid: undefined,
            range: undefined,
            assignee: undefined,
            rule: undefined,
            from_alarm: undefined,
          })
        }
      >
        <Suspense fallback={<Loading until={false}>{null}</Loading>}>
          {tab === 'list' && <AlarmTable />}
          {tab === 'rules' && <Rules />}
        </Suspense>
      </Tabs>
    </Page>
  );
}
