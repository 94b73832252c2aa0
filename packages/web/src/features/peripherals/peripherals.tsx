import { type ComponentProps, lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { CredentialDialog, FindPowerDialog, RemoteDialog } from '../../app/lazy-parts.ts';
import { useMay, useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import type { BatchAct } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { listFiles } from '../../ui/table/files.ts';
import { notifyError } from '../../ui/toast.tsx';
import { peripheralColumns } from './columns.tsx';
import { type Peripheral, peripheralFilters, refreshPeripherals } from './peripheral.ts';
import { PeripheralDialog } from './peripheral-dialog.tsx';
import { type Opens, RowActions, removeAll } from './row-actions.tsx';

const PeripheralImport = lazy(async () => ({ default: (await import('./import-dialog.tsx')).PeripheralImport }));
const GroupDialog = lazy(async () => ({ default: (await import('./group-dialog.tsx')).GroupDialog }));
const PowerRuleDialog = lazy(async () => ({ default: (await import('./power-rule-dialog.tsx')).PowerRuleDialog }));
const PictureDialog = lazy(async () => ({ default: (await import('./picture-dialog.tsx')).PictureDialog }));
const ScanDialog = lazy(async () => ({ default: (await import('./scan-dialog.tsx')).ScanDialog }));

/** Milliseconds between reads of what gateways found. */
const refreshEvery = 10_000;
/** Limit of one call. */
const maxAtOnce = 100;

export function PeripheralsScreen() {
  const gwid = useOptionalParam('gwid');
  const may = useMay('network.write');
  const mayReach = useMay('remote.use');
  const [chosen, setChosen] = useState<{ what: Opens; row: Peripheral } | null>(null);
  const [opened, setOpened] = useState<'new' | 'import' | 'power' | 'scan' | null>(null);
  const [grouped, setGrouped] = useState<{ rows: Peripheral[]; done: () => void } | null>(null);
  const { data: network } = useRead('/api/v3/network/detail', { gwid: gwid ?? '' }, { enabled: gwid !== undefined });
  const columns = useMemo(peripheralColumns, []);
  const { data: groups } = useRead('/api/v3/peripheral/group/list', gwid ? { gwid } : {});
  const filters = useMemo(() => peripheralFilters((groups?.list ?? []).map(({ name }) => name)), [groups]);
  const fixed = useMemo(() => (gwid ? { gwid } : {}), [gwid]);
  useEffect(() => {
    const timer = setInterval(() => void refreshPeripherals(), refreshEvery);
    return () => clearInterval(timer);
  }, []);
  const create = may && (
    <>
      <Button icon="search" onClick={() => setOpened('scan')}>
        {t('peripherals.scan')}
      </Button>
      <Button icon="file" onClick={() => setOpened('import')}>
        {t('peripherals.import')}
      </Button>
      <Button icon="bolt" onClick={() => setOpened('power')}>
        {t('peripherals.power')}
      </Button>
      <Button kind="primary" icon="plus" onClick={() => setOpened('new')}>
        {t('peripherals.create')}
      </Button>
    </>
  );
  const here = gwid && network ? { gwid, remark: network.remark } : null;
  const batch: BatchAct<Peripheral>[] = [
    {
      label: t('peripherals.group_set'),
      act: (selection, done) =>
        void selection
          .rows()
          .then((rows) => setGrouped({ rows: rows.slice(0, maxAtOnce), done }))
          .catch(notifyError),
    },
    {
      label: t('peripherals.delete'),
      danger: true,
      act: (selection, done) =>
        void selection
          .rows()
          .then((rows) => removeAll(rows.slice(0, maxAtOnce), done))
          .catch(notifyError),
    },
  ];
  return (
    <Page title={t('home.device_index')} crumb={gwid && <SiteCrumb gwid={gwid} />}>
      <DataTable
        key={gwid ?? 'all'}
        path="/api/v3/peripheral/list"
        fixed={fixed}
        name="peripherals"
        title={t('home.device_index')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        searchHint={t('peripherals.search')}
        {...(may ? { batch, files } : {})}
        {...(may || mayReach
          ? {
              actions: (row: Peripheral) => <RowActions row={row} open={(what) => setChosen({ what, row })} />,
            }
          : {})}
        never={
          <Empty icon="printer" title={t('peripherals.never')} actions={create}>
            {t('peripherals.never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {opened === 'new' && <PeripheralDialog peripheral={null} network={here} onClose={() => setOpened(null)} />}
      <Suspense>
        {grouped && <GroupDialog {...grouped} onClose={() => setGrouped(null)} />}
        {opened === 'import' && <PeripheralImport gwid={gwid} onClose={() => setOpened(null)} />}
        {opened === 'power' && <PowerRuleDialog network={here} onClose={() => setOpened(null)} />}
        {opened === 'scan' && <ScanDialog network={here} onClose={() => setOpened(null)} />}
        {chosen && <RowDialog {...chosen} network={here} onClose={() => setChosen(null)} />}
      </Suspense>
    </Page>
  );
}

interface RowDialogProps {
  what: Opens;
  row: Peripheral;
  network: ComponentProps<typeof PeripheralDialog>['network'];
  onClose: () => void;
}

function RowDialog({ what, row, network, onClose }: RowDialogProps) {
  const { id, gwid, mac, name } = row;
  switch (what) {
    case 'edit':
      return <PeripheralDialog peripheral={row} network={network} onClose={onClose} />;
    case 'picture':
      return <PictureDialog peripheral={row} onClose={onClose} />;
    case 'remote':
      return <RemoteDialog target={{ peripheral_id: id }} name={name} onClose={onClose} />;
    case 'sign_in':
      return <CredentialDialog id={id} name={name} onClose={onClose} />;
    case 'power':
      return mac && <FindPowerDialog gwid={gwid} mac={mac} name={name} onClose={onClose} />;
  }
}

const files = listFiles((input) => call('/api/v3/peripheral/export', input as Input<'/api/v3/peripheral/export'>));
