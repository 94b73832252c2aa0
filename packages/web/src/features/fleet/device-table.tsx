import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useHasSettings } from './config-state.ts';
import { blinkDevice, type DeviceRow, rebootDevices, refreshDevice, unbindDevice } from './device-acts.ts';
import { useDeviceBatch } from './device-batch.tsx';
import { deviceColumns } from './device-columns.tsx';
import { DeviceDrawer } from './device-drawer.tsx';
import {
  airFilter,
  groupFilter,
  modelFilter,
  radioFilter,
  statusFilter,
  syncFilter,
  tagFilter,
  templateFilter,
  versionFilter,
} from './filters.ts';
import { GroupManager } from './group-manager.tsx';
import { ReplaceDevice } from './replace-device.tsx';
import { SavedViews, useTags } from './saved-views.tsx';
import { UpgradeDevices, useMayUpgrade } from './upgrade-devices.tsx';
import './fleet.css';

type Kind = DeviceRow['kind'];

/** Devices of one kind in a network, or (null) in all of them; a click opens the device, whose serial stays in the address. */
export function DeviceTable({ gwid, kind }: { gwid: string | null; kind: Kind }) {
  const mayWrite = useMay('network.write');
  const hasSettings = useHasSettings(gwid);
  const [search, change] = useSearch();
  const mayReadSettings = useMay('config.read');
  const columns = useMemo(
    () => deviceColumns(kind, { write: mayWrite, readSettings: mayReadSettings }, hasSettings, gwid === null),
    [kind, mayWrite, mayReadSettings, hasSettings, gwid],
  );
  const tags = useTags();
  const groups = useRead('/api/v3/ap/group/list', {}).data?.list;
  const templates = useTemplates(kind === 'ap' && mayReadSettings);
  const facets = useRead('/api/v3/device/facets', gwid ? { gwid, kind } : { kind }).data;
  const filters = useMemo(
    () => [
      statusFilter(),
      syncFilter(),
      groupFilter(groups ?? [], search.group),
      ...(kind === 'ap' ? [airFilter(), radioFilter()] : []),
      ...(templates ? [templateFilter(templates, search.template_id)] : []),
      tagFilter(tags, search.tag),
      modelFilter(facets?.models ?? [], search.model),
      versionFilter(facets?.versions ?? [], search.version),
    ],
    [kind, groups, templates, tags, facets, search.group, search.template_id, search.tag, search.model, search.version],
  );
  const fixed = useMemo(() => (gwid ? { gwid, kind } : { kind }), [gwid, kind]);
  const acts = useDeviceBatch(gwid, kind);
  const open = (row: DeviceRow) => change({ device: row.serial }, true);
  return (
    <>
      <DataTable
        path="/api/v3/ap/list"
        fixed={fixed}
        name={gwid === null ? `all-devices-${kind}` : `devices-${kind}`}
        title={t(`kind.${kind}`)}
        columns={columns}
        rowKey={(row) => row.serial}
        filters={filters}
        searchHint={t('device.search')}
        onOpen={open}
        batch={acts.batch}
        toolbar={
          <>
            <SavedViews list="devices" />
            <GroupManager />
          </>
        }
        acts={(row: DeviceRow) => <DeviceMenu row={row} show={() => open(row)} />}
        never={
          <Empty
            icon={kind === 'ap' ? 'wifi' : 'server'}
            title={kind === 'ap' ? t('aps.none') : t('aps.none_kind', { kind: t(`kind.${kind}`) })}
          >
            {t('network.empty_body')}
          </Empty>
        }
      />
      {acts.dialog}
      {search.device && <DeviceDrawer serial={search.device} onClose={() => change({ device: undefined })} />}
    </>
  );
}

/** Templates of both kinds, for a filter; undefined where nobody asks. */
function useTemplates(asked: boolean): { id: string; name: string }[] | undefined {
  const page = { page: 1, limit: 200 };
  const ac = useRead('/api/v3/wireless_template/list', { kind: 'ac', ...page }, { enabled: asked }).data?.list;
  const wireless = useRead('/api/v3/wireless_template/list', { kind: 'wireless', ...page }, { enabled: asked }).data
    ?.list;
  return useMemo(() => (asked ? [...(wireless ?? []), ...(ac ?? [])] : undefined), [asked, ac, wireless]);
}

/** What can be done with one device; what cannot be done now says why. `show` opens it, for whoever has no mouse. */
export function DeviceMenu({ row, show, leave }: { row: DeviceRow; show?: () => void; leave?: () => void }) {
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const mayUpgrade = useMayUpgrade();
  const [open, setOpen] = useState<'replace' | 'upgrade' | null>(null);
  const close = () => setOpen(null);
  const away = row.status === 'online' ? undefined : t('networks.offline_why');
  const items: MenuItem[] = show ? [{ label: t('device.open'), icon: 'eye', act: show }] : [];
  items.push({
    label: t('device.refresh'),
    icon: 'refresh',
    why: away,
    act: () => void refreshDevice(row.serial).catch(notifyError),
  });
  if (mayWrite)
    items.push({
      label: t('device.blink'),
      icon: 'bulb',
      why: away,
      act: () => void blinkDevice(row.serial).catch(notifyError),
    });
  if (mayReboot) items.push({ label: t('device.reboot'), icon: 'power', why: away, act: () => rebootDevices([row]) });
  // whoever is away is upgraded when it is back; our own agent has its own upgrade
  if (mayUpgrade && row.kind !== 'gateway')
    items.push({ label: t('device.firmware'), icon: 'box', act: () => setOpen('upgrade') });
  if (mayBind && row.gwid) items.push({ label: t('replace.act'), icon: 'refresh', act: () => setOpen('replace') });
  if (mayBind)
    items.push({ label: t('device.unbind'), icon: 'unlink', danger: true, act: () => unbindDevice(row, leave) });
  return (
    <div>
      <Menu
        label={t('action.more')}
        target={(trigger) => <IconButton icon="more" label={t('action.more')} {...trigger} />}
        items={items}
      />
      {open === 'replace' && <ReplaceDevice row={row} onClose={close} done={leave ?? (() => {})} />}
      {open === 'upgrade' && <UpgradeDevices serials={[row.serial]} onClose={close} />}
    </div>
  );
}
