import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import type { BatchAct } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { CreateNetwork } from './create-network.tsx';
import { statusFilter, syncFilter } from './filters.ts';
import { deleteNetworks, rebootNetworks, upgradeNetworks } from './network-acts.tsx';
import { type NetworkRow, networkColumns } from './network-columns.tsx';
import { NetworkMenu } from './network-menu.tsx';
import { WaitingGuide } from './waiting-guide.tsx';
import './fleet.css';

/** Find one of many networks; act on many. */
export function NetworksScreen() {
  const navigate = useNavigate();
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const columns = useMemo(() => networkColumns(mayWrite), [mayWrite]);
  const filters = useMemo(() => [statusFilter(), syncFilter()], []);
  const batch: BatchAct<NetworkRow>[] = [];
  if (mayReboot) {
    batch.push({
      label: t('networks.reboot'),
      act: async (selection, done) => rebootNetworks(await selection.rows(), done),
    });
    batch.push({
      label: t('device.upgrade'),
      act: async (selection, done) => upgradeNetworks(await selection.rows(), done),
    });
  }
  if (mayBind) {
    batch.push({
      label: t('action.delete'),
      danger: true,
      act: async (selection, done) => deleteNetworks(await selection.rows(), done),
    });
  }
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={t('home.networks')}
      acts={
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
        acts={(row: NetworkRow) => <NetworkMenu row={row} />}
        never={<WaitingGuide />}
      />
      {creating && <CreateNetwork onClose={() => setCreating(false)} />}
    </Page>
  );
}
