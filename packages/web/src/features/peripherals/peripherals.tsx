import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { CredentialDialog, FindPowerDialog, RemoteDialog } from '../../app/lazy-parts.ts';
import { useMay, useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import type { BatchAct } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { listFiles } from '../../ui/table/files.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import { peripheralColumns } from './columns.tsx';
import { type Peripheral, peripheralFilters, refreshPeripherals } from './peripheral.ts';
import { PeripheralDialog } from './peripheral-dialog.tsx';

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
  const [reached, setReached] = useState<Peripheral | null>(null);
  const [powered, setPowered] = useState<Peripheral | null>(null);
  const [opened, setOpened] = useState<'import' | 'power' | 'scan' | null>(null);
  const [grouped, setGrouped] = useState<{ rows: Peripheral[]; done: () => void } | null>(null);
  const [viewed, setViewed] = useState<Peripheral | null>(null);
  const [signsIn, setSignsIn] = useState<Peripheral | null>(null);
  const [edited, setEdited] = useState<Peripheral | 'new' | null>(null);
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
      <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
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
              actions: (row: Peripheral) => (
                <span className="row nowrap">
                  {mayReach && <Terminal row={row} onOpen={setReached} />}
                  {mayReach && may && <SignIn row={row} onOpen={setSignsIn} />}
                  {may && <Actions row={row} onEdit={setEdited} onView={setViewed} onPower={setPowered} />}
                </span>
              ),
            }
          : {})}
        never={
          <Empty icon="printer" title={t('peripherals.never')} actions={create}>
            {t('peripherals.never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {edited && (
        <PeripheralDialog
          peripheral={edited === 'new' ? null : edited}
          network={here}
          onClose={() => setEdited(null)}
        />
      )}
      <Suspense>
        {viewed && <PictureDialog peripheral={viewed} onClose={() => setViewed(null)} />}
        {grouped && <GroupDialog {...grouped} onClose={() => setGrouped(null)} />}
        {opened === 'import' && <PeripheralImport gwid={gwid} onClose={() => setOpened(null)} />}
        {reached && (
          <RemoteDialog target={{ peripheral_id: reached.id }} name={reached.name} onClose={() => setReached(null)} />
        )}
        {powered?.mac && (
          <FindPowerDialog gwid={powered.gwid} mac={powered.mac} name={powered.name} onClose={() => setPowered(null)} />
        )}
        {opened === 'power' && <PowerRuleDialog network={here} onClose={() => setOpened(null)} />}
        {signsIn && <CredentialDialog id={signsIn.id} name={signsIn.name} onClose={() => setSignsIn(null)} />}
        {opened === 'scan' && <ScanDialog network={here} onClose={() => setOpened(null)} />}
      </Suspense>
    </Page>
  );
}

function Terminal({ row, onOpen }: { row: Peripheral; onOpen: (row: Peripheral) => void }) {
  return (
    <IconButton
      icon="monitor"
      label={t('peripherals.terminal', { name: row.name })}
      why={
        [row.web_port, row.shell_port, row.screen_port].every((port) => port === null)
          ? t('peripherals.no_remote_port')
          : undefined
      }
      onClick={() => onOpen(row)}
    />
  );
}

function SignIn({ row, onOpen }: { row: Peripheral; onOpen: (row: Peripheral) => void }) {
  return (
    <IconButton
      icon="key"
      label={t('peripherals.sign_in', { name: row.name })}
      why={row.shell_port === null ? t('peripherals.no_shell_port') : undefined}
      onClick={() => onOpen(row)}
    />
  );
}

type Act = (row: Peripheral) => void;

function Actions({ row, onEdit, onView, onPower }: { row: Peripheral } & Record<'onEdit' | 'onView' | 'onPower', Act>) {
  const maySee = useMay('config.read');
  return (
    <span className="row nowrap">
      {row.type === 'camera' && (
        <IconButton
          icon="eye"
          label={t('peripherals.picture', { name: row.name })}
          why={row.web_port === null ? t('peripherals.no_web_port') : undefined}
          onClick={() => onView(row)}
        />
      )}
      <IconButton icon="edit" label={t('peripherals.edit', { name: row.name })} onClick={() => onEdit(row)} />
      {maySee && (
        <IconButton
          icon="bolt"
          label={t('peripherals.restart_power', { name: row.name })}
          why={row.mac === null ? t('peripherals.no_mac') : undefined}
          onClick={() => onPower(row)}
        />
      )}
      {row.mac && (
        <IconButton
          icon="power"
          label={t('peripherals.wake', { name: row.name })}
          onClick={() => void wake(row).catch(notifyError)}
        />
      )}
      <IconButton
        icon="trash"
        label={t('peripherals.delete_one', { name: row.name })}
        onClick={() => removeAll([row], () => {})}
      />
    </span>
  );
}

async function wake({ id }: Peripheral): Promise<void> {
  const { job_id } = await call('/api/v3/peripheral/wake', { id });
  openJobs(job_id);
}

function removeAll(rows: readonly Peripheral[], done: () => void): void {
  ask({
    title: t('peripherals.delete_title', { n: rows.length }),
    body: t('peripherals.delete_body'),
    confirm: t('peripherals.delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/peripheral/delete', { ids: rows.map(({ id }) => id) });
      await refreshPeripherals();
      notify('ok', t('peripherals.deleted', { n: rows.length }));
      done();
    },
  });
}

const files = listFiles((input) => call('/api/v3/peripheral/export', input as Input<'/api/v3/peripheral/export'>));
