import type { Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { exactTime, mac } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { SyncChip } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { joined } from '../../../ui/table/file-columns.ts';
import { RelativeTime } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';
import { NewerMark } from '../devices/newer.tsx';
import { rateCells, sharedColumns, Text } from '../shared-columns.tsx';
import { Tags } from '../tag-list.tsx';

export type NetworkRow = Row<'/api/v3/network/list'>;

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

export const onlyAps = (row: Pick<NetworkRow, 'has_gateway' | 'device_num'>): boolean =>
  !row.has_gateway && row.device_num > 0;

export function networkColumns(mayWrite: boolean): Column<NetworkRow>[] {
  const shared = sharedColumns();
  return [
    { ...shared.status, sort: 'status' },
    {
      key: 'remark',
      title: t('networks.name'),
      sort: 'remark',
      lead: true,
      cell: (row) => (
        <span className="name-cell">
          <Link to={`/network/${row.gwid}`} className="ellipsis" title={row.remark}>
            {row.remark}
          </Link>
        </span>
      ),
      text: (row) => row.remark,
      inFiles: true,
      edit: { value: (row) => row.remark, rule: 'freeText', save: renameNetwork, allowed: mayWrite },
    },
    {
      key: 'model',
      title: t('networks.model'),
      sort: 'model',
      wide: true,
      cell: (row) =>
        row.model ? (
          <span className="row network-model">
            <span className="ellipsis" title={row.model}>
              {row.model}
            </span>
            <NewerMark row={row} />
          </span>
        ) : (
          <span className="dim">{onlyAps(row) ? t('networks.no_gateway') : '—'}</span>
        ),
      text: (row) => row.model,
      inFiles: true,
    },
    {
      key: 'aps',
      sort: 'ap_online_num',
      title: t('networks.aps_head'),
      right: true,
      cell: (row) => t('networks.of_total', { online: row.ap_online_num, total: row.ap_num }),
      files: [
        { title: t('networks.aps_online'), text: (row) => row.ap_online_num },
        { title: t('networks.aps_all'), text: (row) => row.ap_num },
      ],
    },
    shared.users,
    { key: 'rate', sort: 'rate', title: t('networks.wan_rate'), right: true, ...rateCells(t('networks.wan_rate')) },
    { ...shared.cpu, wide: true },
    { ...shared.memory, wide: true },
    { ...shared.connections, wide: true },
    {
      key: 'config',
      title: t('networks.config'),
      cell: (row) => (
        <SyncChip
          state={row.sync_state}
          trialUntil={row.trial_until}
          returnedAt={row.returned_at}
          reason={row.sync_reason}
        />
      ),
      text: (row) => row.sync_state && t(`sync.${row.sync_state}`),
    },
    shared.lastSeen,
    { ...shared.version, sort: 'version', inFiles: true },
    {
      key: 'devices',
      sort: 'device_num',
      title: t('networks.devices'),
      right: true,
      extra: true,
      cell: (row) => row.device_num,
      text: (row) => row.device_num,
    },
    shared.running,
    {
      key: 'wan_ip',
      title: t('networks.wan_ip'),
      extra: true,
      cell: (row) => <Text value={row.wan_ip} mono />,
      text: (row) => row.wan_ip,
      inFiles: true,
    },
    {
      key: 'sn',
      title: t('networks.sn'),
      extra: true,
      cell: (row) => <Text value={row.sn && mac(row.sn)} mono />,
      text: (row) => row.sn && mac(row.sn),
      inFiles: true,
    },
    {
      key: 'tags',
      title: t('networks.tags'),
      extra: true,
      cell: (row) => <Tags tags={row.tags} />,
      text: (row) => joined(row.tags),
    },
    {
      key: 'hosting',
      title: t('networks.hosting'),
      extra: true,
      cell: (row) => (row.hosted ? t('networks.hosted') : <span className="dim">{t('networks.unhosted')}</span>),
      text: (row) => t(row.hosted ? 'networks.hosted' : 'networks.unhosted'),
    },
    {
      key: 'backup',
      title: t('networks.last_backup'),
      extra: true,
      cell: (row) =>
        row.last_backup_at ? (
          <RelativeTime at={row.last_backup_at} />
        ) : (
          <span className="dim">{t('networks.never_backed_up')}</span>
        ),
      text: (row) => row.last_backup_at && exactTime(new Date(row.last_backup_at)),
    },
    { ...shared.bound, extra: true },
    {
      key: 'gwid',
      title: t('networks.gwid'),
      extra: true,
      cell: (row) => <Text value={row.gwid} mono />,
      text: (row) => row.gwid,
      inFiles: true,
    },
  ];
}
