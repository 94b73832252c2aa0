import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Routers } from './routers.tsx';
import './backup.css';

const tabs = ['routers', 'backups', 'restores'] as const;
const Backups = lazy(async () => ({ default: (await import('./backups.tsx')).Backups }));
const Restores = lazy(async () => ({ default: (await import('./restores.tsx')).Restores }));

export function BackupScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'routers';
  return (
    <Page title={t('config.router_cloud_backup')}>
      <Tabs
        label={t('config.router_cloud_backup')}
        tabs={tabs.map((value) => ({ value, label: t(`backup.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'routers' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            type: undefined,
            pinned: undefined,
            gwid: undefined,
            backup: undefined,
          })
        }
      >
        <p className="small dim backup-note">{t(`backup.note_${tab}`)}</p>
        <Suspense fallback={<Loading until={false}>{null}</Loading>}>
          {tab === 'routers' && <Routers />}
          {tab === 'backups' && <Backups />}
          {tab === 'restores' && <Restores />}
        </Suspense>
      </Tabs>
    </Page>
  );
}
