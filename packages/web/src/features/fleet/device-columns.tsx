import { t } from '../../app/i18n.ts';
import { mac, percent } from '../../ui/format.ts';
import type { Column } from '../../ui/table/columns.ts';
import { configState } from './config-state.ts';
import { type DeviceRow, renameDevice } from './device-acts.ts';
import { DeviceChip } from './device-chip.tsx';
import { sharedColumns } from './shared-columns.tsx';

/** Columns of the devices of a network. */
export function deviceColumns(mayWrite: boolean, hasSettings: boolean): Column<DeviceRow>[] {
  const shared = sharedColumns();
  return [
    { ...shared.status, sort: 'status' },
    {
      key: 'remark',
      title: t('device.name'),
      sort: 'remark',
      cell: (row) => (
        <span className="name-cell two-lines">
          <strong className="ellipsis">{row.remark || mac(row.serial)}</strong>
          <span className="mono dim">{row.mac}</span>
        </span>
      ),
      text: (row) => row.remark || row.serial,
      edit: { value: (row) => row.remark, rule: 'nameText', save: renameDevice, allowed: mayWrite },
    },
    shared.model,
    shared.ip,
    { ...shared.users, title: t('device.users'), sort: 'online_user' },
    shared.cpu,
    {
      key: 'config',
      title: t('networks.config'),
      cell: (row) => <DeviceChip device={row} hasSettings={hasSettings} />,
      text: (row) => {
        const state = configState(row, hasSettings);
        return state && t(`sync.${state}`);
      },
    },
    shared.lastSeen,
    { ...shared.memory, extra: true },
    { ...shared.connections, extra: true },
    { ...shared.version, sort: 'version' },
    shared.running,
    {
      key: 'sanity',
      title: t('device.sanity'),
      right: true,
      extra: true,
      cell: (row) => (row.sanity === null ? <span className="dim">—</span> : percent(row.sanity)),
      text: (row) => row.sanity,
    },
    { ...shared.bound, extra: true },
  ];
}
