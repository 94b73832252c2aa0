import { t } from '../../app/i18n.ts';
import { mac, percent } from '../../ui/format.ts';
import type { Column } from '../../ui/table/columns.ts';
import { configState } from './config-state.ts';
import { type DeviceRow, renameDevice } from './device-acts.ts';
import { DeviceChip } from './device-chip.tsx';
import { Tags } from './network-card.tsx';
import { radioColumns, settingColumns } from './radio-columns.tsx';
import { sharedColumns } from './shared-columns.tsx';

/** Columns of the devices of a network; what radios tell is worth room where devices have some. */
export function deviceColumns(
  kind: DeviceRow['kind'],
  may: { write: boolean; readSettings: boolean },
  hasSettings: boolean,
): Column<DeviceRow>[] {
  const shared = sharedColumns();
  return [
    { ...shared.status, sort: 'status' },
    {
      key: 'remark',
      title: t('device.name'),
      sort: 'remark',
      cell: (row) => (
        <span className="name-cell two-lines device-name" title={row.remark}>
          <strong className="ellipsis">{row.remark || mac(row.serial)}</strong>
          <span className="mono dim">{row.mac}</span>
        </span>
      ),
      text: (row) => row.remark || row.serial,
      edit: { value: (row) => row.remark, rule: 'nameText', save: renameDevice, allowed: may.write },
    },
    { ...shared.model, extra: kind === 'ap' },
    {
      key: 'group',
      title: t('groups.group'),
      cell: (row) => row.group?.name ?? <span className="dim">—</span>,
      text: (row) => row.group?.name ?? null,
    },
    { ...shared.ip, extra: kind === 'ap' },
    { ...shared.users, title: t('device.users'), sort: 'online_user' },
    ...(kind === 'ap' ? radioColumns() : []),
    { ...shared.cpu, extra: kind === 'ap' },
    {
      key: 'config',
      title: t('networks.config'),
      cell: (row) => <DeviceChip device={row} hasSettings={hasSettings} />,
      text: (row) => {
        const state = configState(row, hasSettings);
        return state && t(`sync.${state}`);
      },
    },
    ...(kind === 'ap' && may.readSettings ? settingColumns() : []),
    { ...shared.lastSeen, extra: kind === 'ap' },
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
    {
      key: 'tags',
      title: t('networks.tags'),
      extra: true,
      cell: (row) => <Tags tags={row.tags} />,
      text: (row) => row.tags.join(' '),
    },
    { ...shared.bound, extra: true },
  ];
}
