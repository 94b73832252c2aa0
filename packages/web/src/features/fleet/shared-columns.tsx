import { t } from '../../app/i18n.ts';
import { bitRate, count, duration, exactTime } from '../../ui/format.ts';
import { StatusTag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { partHead } from '../../ui/table/file-columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import type { DeviceRow } from './devices/device-actions.ts';
import { NewerMark } from './devices/newer.tsx';
import { Load, memoryShare } from './load.tsx';

type Of<K extends keyof DeviceRow> = Column<Pick<DeviceRow, K>>;

export const away = (row: Pick<DeviceRow, 'status'>): boolean => row.status !== 'online';

export function sharedColumns() {
  const status: Of<'status'> = {
    key: 'status',
    title: t('networks.status'),
    cell: (row) => <StatusTag status={row.status} />,
    text: (row) => t(`status.${row.status}`),
  };
  const model: Of<'model'> = {
    key: 'model',
    title: t('networks.model'),
    sort: 'model',
    cell: (row) => <Text value={row.model} />,
    text: (row) => row.model,
  };
  const ip: Of<'ip'> = {
    key: 'ip',
    title: t('networks.wan_ip'),
    cell: (row) => <Text value={row.ip} mono />,
    text: (row) => row.ip,
  };
  const users: Of<'online_user' | 'status'> = {
    key: 'users',
    sort: 'online_user',
    title: t('networks.users'),
    right: true,
    cell: (row) => <Known value={row.online_user} old={away(row)} />,
    text: (row) => row.online_user,
  };
  const cpu: Of<'cpu' | 'status'> = {
    key: 'cpu',
    sort: 'cpu',
    title: t('networks.cpu'),
    right: true,
    cell: (row) => <Load value={row.cpu} old={away(row)} />,
    unit: '%',
    text: (row) => row.cpu,
  };
  const memory: Of<'mem_used' | 'mem_total' | 'status'> = {
    key: 'memory',
    sort: 'memory',
    title: t('networks.memory'),
    right: true,
    cell: (row) => <Load value={memoryShare(row)} old={away(row)} />,
    unit: '%',
    text: (row) => {
      const share = memoryShare(row);
      return share === null ? null : Math.round(share);
    },
  };
  const connections: Of<'connections' | 'connections_max' | 'status'> = {
    key: 'connections',
    sort: 'connections',
    title: t('networks.connections'),
    right: true,
    cell: (row) => (
      <Known
        value={row.connections}
        old={away(row)}
        title={
          row.connections_max === null ? undefined : t('networks.connections_of', { n: count(row.connections_max) })
        }
      />
    ),
    text: (row) => row.connections,
  };
  const lastSeen: Of<'last_seen'> = {
    key: 'last_seen',
    title: t('networks.last_seen'),
    sort: 'last_seen',
    cell: (row) => <RelativeTime at={row.last_seen} />,
    text: (row) => row.last_seen && exactTime(new Date(row.last_seen)),
  };
  const version: Column<Pick<DeviceRow, 'version'> & Partial<Pick<DeviceRow, 'newer_version'>>> = {
    key: 'version',
    title: t('networks.version'),
    extra: true,
    cell: (row) => (
      <span className="nowrap">
        <Text value={row.version} /> <NewerMark row={row} />
      </span>
    ),
    text: (row) => row.version,
  };
  const running: Of<'running_time' | 'status'> = {
    key: 'running',
    sort: 'running_time',
    title: t('networks.running'),
    right: true,
    extra: true,
    cell: (row) =>
      row.running_time === null || away(row) ? <span className="dim">—</span> : duration(row.running_time),
    unit: t('networks.seconds'),
    text: (row) => row.running_time,
  };
  const bound: Of<'bind_time'> = {
    key: 'bind_time',
    title: t('networks.bound'),
    sort: 'bind_time',
    cell: (row) => <ShortTime at={row.bind_time} />,
    text: (row) => exactTime(new Date(row.bind_time)),
  };
  return { status, model, ip, users, cpu, memory, connections, lastSeen, version, running, bound };
}

type Rates = { down_bps: number | null; up_bps: number | null };

export const rateCells = (title: string): Pick<Column<Rates>, 'cell' | 'files'> => ({
  cell: (row) =>
    row.down_bps === null || row.up_bps === null ? (
      <span className="dim">—</span>
    ) : (
      <span className="radios">
        <span className="nowrap" title={t('aps.rate_down')}>
          ↓ {bitRate(row.down_bps)}
        </span>
        <span className="nowrap" title={t('aps.rate_up')}>
          ↑ {bitRate(row.up_bps)}
        </span>
      </span>
    ),
  files: (['down', 'up'] as const).map((way) => ({
    title: partHead(title, t(`aps.rate_${way}`), 'bit/s'),
    text: (row: Rates) => {
      const rate = row[`${way}_bps`];
      return rate === null ? null : Math.round(rate);
    },
  })),
});

export function Known({ value, old, title }: { value: number | null; old: boolean; title?: string | undefined }) {
  if (value === null) return <span className="dim">—</span>;
  return (
    <span className={old ? 'stale' : undefined} title={title}>
      {count(value)}
    </span>
  );
}

export function Text({ value, mono }: { value: string | null; mono?: boolean }) {
  if (!value) return <span className="dim">—</span>;
  return <span className={mono ? 'mono nowrap' : 'nowrap'}>{value}</span>;
}
