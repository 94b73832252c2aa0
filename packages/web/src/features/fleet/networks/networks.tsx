import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useSearch } from '../../../app/search.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import type { BatchAct, Selection } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { backUpChosenNetworks, deleteChosenNetworks, rebootChosenNetworks } from '../batch-actions.ts';
import {
  backupFilter,
  hostingFilter,
  modelFilter,
  statusFilter,
  syncFilter,
  tagFilter,
  versionFilter,
} from '../filters.ts';
import { SavedViews, useTags } from '../saved-views.tsx';
import { loadWaitingGuide } from '../waiting/load-waiting-guide.ts';
import { CreateNetwork } from './create-network.tsx';
import { loadSetUpNetworks } from './load-set-up.ts';
import { upgradeNetworks } from './network-actions.tsx';
import { NetworkCard } from './network-card.tsx';
import { type NetworkRow, networkColumns } from './network-columns.tsx';
import { NetworkMenu } from './network-menu.tsx';
import { maxNamed, useSetUpActs } from './set-up-acts.ts';
import '../fleet.css';

const WaitingGuide = lazy(loadWaitingGuide);
const SetUpNetworks = lazy(loadSetUpNetworks);

interface SettingUp {
  selection: Selection<NetworkRow>;
  gwids: readonly string[] | null;
  done: () => void;
}

export function NetworksScreen() {
  const navigate = useNavigate();
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const mayConfig = useMay('config.write');
  const columns = useMemo(() => networkColumns(mayWrite), [mayWrite]);
  const tags = useTags();
  const [search] = useSearch();
  const facets = useRead('/api/v3/device/facets', {}).data;
  const filters = useMemo(
    () => [
      statusFilter(),
      syncFilter(),
      tagFilter(tags, search.tag),
      modelFilter(facets?.models ?? [], search.model),
      versionFilter(facets?.versions ?? [], search.version),
      backupFilter(),
      hostingFilter(),
    ],
    [tags, facets, search.tag, search.model, search.version],
  );
  const [settingUp, setSettingUp] = useState<SettingUp | null>(null);
  const setUpActs = useSetUpActs();
  const setUp = async (selection: Selection<NetworkRow>, done: () => void) => {
    try {
      const gwids = selection.count > maxNamed ? null : (await selection.rows()).map(({ gwid }) => gwid);
      setSettingUp({ selection, gwids, done });
    } catch (error) {
      notifyError(error);
    }
  };
  const batch: BatchAct<NetworkRow>[] = [];
  if (setUpActs.length > 0)
    batch.push({ label: t('batch.set_up'), act: (selection, done) => void setUp(selection, done) });
  if (mayReboot) {
    batch.push({ label: t('networks.reboot'), act: (selection, done) => void rebootChosenNetworks(selection, done) });
    batch.push({
      label: t('device.upgrade'),
      act: async (selection, done) => upgradeNetworks(await selection.rows(), done),
    });
  }
  if (mayConfig) {
    batch.push({ label: t('networks.back_up'), act: (selection, done) => void backUpChosenNetworks(selection, done) });
  }
  if (mayBind) {
    batch.push({
      label: t('action.delete'),
      danger: true,
      act: (selection, done) => void deleteChosenNetworks(selection, done),
    });
  }
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={t('home.networks')}
      actions={
        mayBind && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            {t('networks.create')}
          </Button>
        )
      }
    >
      <DataTable
        path="/api/v3/network/list"
        name="networks"
        title={t('home.networks')}
        columns={columns}
        rowKey={(row) => row.gwid}
        filters={filters}
        searchHint={t('networks.search')}
        onOpen={(row) => void navigate({ to: `/network/${row.gwid}` })}
        batch={batch}
        actions={(row: NetworkRow) => <NetworkMenu row={row} />}
        never={
          <Suspense>
            <WaitingGuide />
          </Suspense>
        }
        toolbar={
          <>
            <SavedViews list="networks" />
            <Link
              to="/map"
              className="btn btn-quiet btn-icon"
              title={t('home.map')}
              search={{ tag: search.tag, keyword: search.keyword }}
            >
              <Icon name="map" size={16} />
              <span className="sr">{t('home.map')}</span>
            </Link>
          </>
        }
        card={(row) => <NetworkCard row={row} />}
      />
      {settingUp && (
        <Suspense>
          <SetUpNetworks {...settingUp} onClose={() => setSettingUp(null)} />
        </Suspense>
      )}
      {creating && <CreateNetwork onClose={() => setCreating(false)} />}
    </Page>
  );
}
