import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { duration, exactTime, mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatusTag, SyncChip } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { Load, memoryShare } from './load.tsx';

export type NetworkRow = Row<'/api/v3/network/list'>;

/** Renames a network; the toast offers to take it back. */
export async function renameNetwork(row: Pick<NetworkRow, 'gwid' | 'remark'>, remark: string): Promise<void> {
  const write = async (name: string) => {
    await call('/api/v3/network/update', { gwid: row.gwid, remark: name });
    await queryClient.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/network/'),
    });
  };
  await write(remark);
  notify('ok', t('networks.renamed', { name: remark }), () => void write(row.remark));
}

const away = (row: NetworkRow): boolean => row.status !== 'online';

/** Columns of the networks list; status and name first, what is rarely wanted hidden until chosen. */
export function networkColumns(mayWrite: boolean): Column<NetworkRow>[] {
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
      title: t('networks.name'),
      sort: 'remark',
      cell: (row) => (
        <span className="name-cell">
          <Link to={`/network/${row.gwid}`} className="ellipsis" title={row.remark}>
            {row.remark}
          </Link>
        </span>
      ),
      text: (row) => row.remark,
      edit: { value: (row) => row.remark, rule: 'nameText', save: renameNetwork, allowed: mayWrite },
    },
    {
      key: 'model',
      title: t('networks.model'),
      sort: 'model',
      cell: (row) => row.model ?? <span className="dim">{row.has_gateway ? '—' : t('networks.no_gateway')}</span>,
      text: (row) => row.model,
    },
    {
      key: 'aps',
      title: t('networks.aps'),
      right: true,
      cell: (row) => t('networks.of_total', { online: row.ap_online_num, total: row.ap_num }),
      text: (row) => `${row.ap_online_num}/${row.ap_num}`,
    },
    {
      key: 'users',
      title: t('networks.users'),
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
      key: 'memory',
      title: t('networks.memory'),
      right: true,
      cell: (row) => <Load value={memoryShare(row)} old={away(row)} />,
      text: (row) => memoryShare(row)?.toFixed(0) ?? null,
    },
    {
      key: 'config',
      title: t('networks.config'),
      cell: (row) => <SyncChip state={row.sync_state} />,
      text: (row) => row.sync_state && t(`sync.${row.sync_state}`),
    },
    {
      key: 'last_seen',
      title: t('networks.last_seen'),
      sort: 'last_seen',
      cell: (row) => <RelativeTime at={row.last_seen} />,
      text: (row) => row.last_seen && exactTime(new Date(row.last_seen)),
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
      key: 'devices',
      title: t('networks.devices'),
      right: true,
      extra: true,
      cell: (row) => row.device_num,
      text: (row) => row.device_num,
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
      key: 'wan_ip',
      title: t('networks.wan_ip'),
      extra: true,
      cell: (row) => <Text value={row.wan_ip} mono />,
      text: (row) => row.wan_ip,
    },
    {
      key: 'sn',
      title: t('networks.sn'),
      extra: true,
      cell: (row) => <Text value={row.sn && mac(row.sn)} mono />,
      text: (row) => row.sn,
    },
    {
      key: 'tags',
      title: t('networks.tags'),
      extra: true,
      cell: (row) => (
        <span className="tags">
          {row.tags.map((tag) => (
            <span key={tag} className="label">
              {tag}
            </span>
          ))}
        </span>
      ),
      text: (row) => row.tags.join(' '),
    },
    {
      key: 'bind_time',
      title: t('networks.bound'),
      sort: 'bind_time',
      extra: true,
      cell: (row) => <ShortTime at={row.bind_time} />,
      text: (row) => exactTime(new Date(row.bind_time)),
    },
    {
      key: 'gwid',
      title: t('networks.gwid'),
      extra: true,
      cell: (row) => <Text value={row.gwid} mono />,
      text: (row) => row.gwid,
    },
  ];
}

/** A reported number; grey while the device is away, because it is the last known. */
export function Known({ value, old }: { value: number | null; old: boolean }) {
  if (value === null) return <span className="dim">—</span>;
  return <span className={old ? 'stale' : undefined}>{value}</span>;
}

/** Text, or a dash. */
export function Text({ value, mono }: { value: string | null; mono?: boolean }) {
  if (!value) return <span className="dim">—</span>;
  return <span className={mono ? 'mono nowrap' : 'nowrap'}>{value}</span>;
}
