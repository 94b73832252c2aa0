import { useMemo } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import type { Selection } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useHasSettings } from './config-state.ts';
import {
  blinkDevice,
  type DeviceRow,
  rebootDevices,
  refreshDevice,
  unbindDevice,
  upgradeAgents,
} from './device-acts.ts';
import { deviceColumns } from './device-columns.tsx';
import { DeviceDrawer } from './device-drawer.tsx';
import { statusFilter, syncFilter } from './filters.ts';
import './fleet.css';

type Kind = DeviceRow['kind'];

/** Devices of one kind in a network, or (null) in all of them; a click opens the device, whose serial stays in the address. */
export function DeviceTable({ gwid, kind }: { gwid: string | null; kind: Kind }) {
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const hasSettings = useHasSettings(gwid);
  const [search, change] = useSearch();
  const columns = useMemo(() => deviceColumns(mayWrite, hasSettings), [mayWrite, hasSettings]);
  const filters = useMemo(() => [statusFilter(), syncFilter()], []);
  const fixed = useMemo(() => (gwid ? { gwid, kind } : { kind }), [gwid, kind]);
  return (
    <>
      <DataTable
        path="/api/v3/ap/list"
        fixed={fixed}
        name={`devices-${kind}`}
        title={t(`kind.${kind}`)}
        columns={columns}
        rowKey={(row) => row.serial}
        filters={filters}
        searchHint={t('device.search')}
        onOpen={(row) => change({ device: row.serial }, true)}
        batch={
          mayReboot
            ? [
                {
                  label: t('device.reboot'),
                  act: async (selection, done) => rebootDevices(await selection.rows(), done),
                },
                ...(kind === 'gateway'
                  ? [
                      {
                        label: t('device.upgrade'),
                        act: async (selection: Selection<DeviceRow>, done: () => void) =>
                          upgradeAgents(await selection.rows(), done),
                      },
                    ]
                  : []),
              ]
            : []
        }
        acts={(row: DeviceRow) => <DeviceMenu row={row} />}
        never={
          <Empty
            icon={kind === 'ap' ? 'wifi' : 'server'}
            title={kind === 'ap' ? t('aps.none') : t('aps.none_kind', { kind: t(`kind.${kind}`) })}
          >
            {t('network.empty_body')}
          </Empty>
        }
      />
      {search.device && <DeviceDrawer serial={search.device} onClose={() => change({ device: undefined })} />}
    </>
  );
}

/** What can be done with one device; what cannot be done now says why. */
export function DeviceMenu({ row, leave }: { row: DeviceRow; leave?: () => void }) {
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const away = row.status === 'online' ? undefined : t('networks.offline_why');
  const items: MenuItem[] = [
    {
      label: t('device.refresh'),
      icon: 'refresh',
      why: away,
      act: () => void refreshDevice(row.serial).catch(notifyError),
    },
  ];
  if (mayWrite)
    items.push({
      label: t('device.blink'),
      icon: 'bulb',
      why: away,
      act: () => void blinkDevice(row.serial).catch(notifyError),
    });
  if (mayReboot) items.push({ label: t('device.reboot'), icon: 'power', why: away, act: () => rebootDevices([row]) });
  if (mayBind)
    items.push({ label: t('device.unbind'), icon: 'unlink', danger: true, act: () => unbindDevice(row, leave) });
  return (
    <div>
      <Menu
        label={t('action.more')}
        target={(trigger) => <IconButton icon="more" label={t('action.more')} {...trigger} />}
        items={items}
      />
    </div>
  );
}
