import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useUser } from '../../app/shell/current.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Members } from './members.tsx';
import './account.css';

const tabs = ['members', 'roles', 'invitations', 'given', 'received', 'account'] as const;
const Roles = lazy(async () => ({ default: (await import('./roles.tsx')).Roles }));
const Invitations = lazy(async () => ({ default: (await import('./invitations.tsx')).Invitations }));
const Given = lazy(async () => ({ default: (await import('./given.tsx')).Given }));
const Received = lazy(async () => ({ default: (await import('./received.tsx')).Received }));
const AccountSettings = lazy(async () => ({ default: (await import('./settings.tsx')).AccountSettings }));

export function AccountScreen() {
  const [search, change] = useSearch();
  const { account_name } = useUser();
  const tab = oneOf(search.tab, tabs) ?? 'members';
  return (
    <Page title={t('personal.account')} extra={<span className="quiet ellipsis">{account_name}</span>}>
      <Tabs
        label={t('personal.account')}
        tabs={tabs.map((value) => ({ value, label: t(`account.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'members' ? undefined : value,
            page: undefined,
            limit: undefined,
            keyword: undefined,
          })
        }
      >
        <Suspense fallback={<Loading until={false}>{null}</Loading>}>
          {tab === 'members' && <Members />}
          {tab === 'roles' && <Roles />}
          {tab === 'invitations' && <Invitations />}
          {tab === 'given' && <Given />}
          {tab === 'received' && <Received />}
          {tab === 'account' && <AccountSettings />}
        </Suspense>
      </Tabs>
    </Page>
  );
}
