import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import './firmware.css';

const UpgradeLog = lazy(async () => ({ default: (await import('./log.tsx')).UpgradeLog }));
const Images = lazy(async () => ({ default: (await import('./images.tsx')).Images }));

export function FirmwareScreen() {
  const [search, change] = useSearch();
  const mayLog = useMay('log.read');
  const tabs = mayLog ? (['log', 'images'] as const) : (['images'] as const);
  const tab = oneOf(search.tab, tabs) ?? tabs[0];
  const some = useUser().gwids !== null;
  return (
    <Page title={t('messages.log_upgrade')}>
      <Tabs
        label={t('messages.log_upgrade')}
        tabs={tabs.map((value) => ({ value, label: t(`firmware.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === tabs[0] ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
            action: undefined,
            trigger: undefined,
            result: undefined,
          })
        }
      >
        <p className="small dim firmware-note">
          {t(tab === 'images' && some ? 'firmware.note_some' : `firmware.note_${tab}`)}
        </p>
        <Suspense fallback={<Loading until={false}>{null}</Loading>}>
          {tab === 'log' && <UpgradeLog />}
          {tab === 'images' && <Images />}
        </Suspense>
      </Tabs>
    </Page>
  );
}
