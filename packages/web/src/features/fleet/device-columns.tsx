import { t } from '../../app/i18n.ts';
import { duration, exactTime, mac, percent } from '../../ui/format.ts';
import { StatusTag, SyncChip } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { configState } from './config-state.ts';
import { type DeviceRow, renameDevice } from './device-acts.ts';
import { Load, memoryShare } from './load.tsx';
import { Known, Text } from './network-columns.tsx';

const away = (row: DeviceRow): boolean => row.status !== 'online';

/** Columns of the devices of a network. */
export function deviceColumns(mayWrite: boolean, hasSettings: boolean): Column<DeviceRow>[] {
  return [
    {
      key: 'status',
      title: t('networks.status'),
      sort: 'status',
      cell: (row) => <StatusTag status={row.status} />,
      text: (row) => t(`status.${row.status}`),
    },
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
    {
      key: 'model',
      title: t('networks.model'),
      sort: 'model',
      cell: (row) => <Text value={row.model} />,
      text: (row) => row.model,
    },
    { key: 'ip', title: t('networks.wan_ip'), cell: (row) => <Text value={row.ip} mono />, text: (row) => row.ip },
    {
      key: 'users',
      title: t('device.users'),
      sort: 'online_user',
      right: true,
      cell: (row) => <Known value={row.online_user} old={away(row)} />,
      text: (row) => row.online_user,
    },
    {
      key: 'cpu',
      title: t('networks.cpu'),
      right: true,
      cell: (row) => <Load value={row.cpu} old={away(row)} />,
      text: (row) => row.cpu,
    },
    {
      key: 'config',
      title: t('networks.config'),
      cell: (row) => <SyncChip state={configState(row, hasSettings)} />,
      text: (row) => {
        const state = configState(row, hasSettings);
        return state && t(`sync.${state}`);
      },
    },
    {
      key: 'last_seen',
      title: t('networks.last_seen'),
      sort: 'last_seen',
      cell: (row) => <RelativeTime at={row.last_seen} />,
      text: (row) => row.last_seen && exactTime(new Date(row.last_seen)),
    },
    {
      key: 'memory',
      title: t('networks.memory'),
      right: true,
      extra: true,
      cell: (row) => <Load value={memoryShare(row)} old={away(row)} />,
      text: (row) => memoryShare(row)?.toFixed(0) ?? null,
    },
    {
      key: 'version',
      title: t('networks.version'),
      sort: 'version',
      extra: true,
      cell: (row) => <Text value={row.version} />,
      text: (row) => row.version,
    },
    {
      key: 'running',
      title: t('networks.running'),
      right: true,
      extra: true,
      cell: (row) =>
        row.running_time === null || away(row) ? <span className="dim">—</span> : duration(row.running_time),
      text: (row) => row.running_time,
    },
    {
      key: 'sanity',
      title: t('device.sanity'),
      right: true,
      extra: true,
      cell: (row) => (row.sanity === null ? <span className="dim">—</span> : percent(row.sanity)),
      text: (row) => row.sanity,
    },
    {
      key: 'bind_time',
      title: t('networks.bound'),
      sort: 'bind_time',
      extra: true,
      cell: (row) => <ShortTime at={row.bind_time} />,
      text: (row) => exactTime(new Date(row.bind_time)),
    },
  ];
}
