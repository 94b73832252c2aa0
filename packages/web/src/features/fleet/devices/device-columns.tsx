import { t } from '../../../app/i18n.ts';
import { DeviceDrawing } from '../../../ui/device/device-drawing.tsx';
import { mac, percent } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { ShortName } from '../../../ui/short-name.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { joined } from '../../../ui/table/file-columns.ts';
import { away, Known, sharedColumns, Text } from '../shared-columns.tsx';
import { Tags } from '../tag-list.tsx';
import { configState } from './config-state.ts';
import { type DeviceRow, renameDevice } from './device-actions.ts';
import { DeviceChip } from './device-chip.tsx';
import { radioColumns, settingColumns } from './radio-columns.tsx';

export function onOwnRadios({ radios }: Pick<DeviceRow, 'radios'>): number | null {
  const counts = radios.flatMap(({ clients }) => clients ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, n) => sum + n, 0);
}

/** Shows a gateway's network, and its own radios. */
function Terminals({ row }: { row: DeviceRow }) {
  const own = row.is_gateway ? onOwnRadios(row) : null;
  const all = <Known value={row.online_user} old={away(row)} />;
  if (own === null) return all;
  return (
    <span className="radios" title={t('device.users_behind')}>
      {all}
      <span className="small dim nowrap">{t('device.users_own', { n: own })}</span>
    </span>
  );
}

export function deviceColumns(
  kind: DeviceRow['kind'],
  may: { write: boolean; readSettings: boolean },
  hasSettings: boolean,
  everywhere: boolean,
): Column<DeviceRow>[] {
  const shared = sharedColumns();
  return [
    {
      key: 'serial',
      title: t('networks.sn'),
      extra: true,
      cell: (row) => <Text value={mac(row.serial)} mono />,
      text: (row) => mac(row.serial),
      inFiles: true,
    },
    { ...shared.status, sort: 'status' },
    {
      key: 'remark',
      title: t('device.name'),
      sort: 'remark',
      lead: true,
      cell: (row) => (
        <span className="with-drawing device-name" title={row.remark}>
          <DeviceDrawing kind={row.is_gateway ? 'gateway' : row.kind} size={24} status={row.status} />
          <span className="name-cell two-lines">
            <strong>
              <ShortName>{row.remark || mac(row.serial)}</ShortName>
            </strong>
            <span className="mono dim">{row.mac}</span>
          </span>
        </span>
      ),
      text: (row) => row.remark || row.serial,
      inFiles: true,
      edit: { value: (row) => row.remark, rule: 'freeText', save: renameDevice, allowed: may.write },
    },
    {
      key: 'network',
      title: t('device.network'),
      extra: !everywhere,
      cell: (row) =>
        row.gwid === null ? (
          <span className="dim">—</span>
        ) : (
          <Link to={`/network/${row.gwid}`} className="ellipsis place-cell" title={row.network ?? undefined}>
            {row.network}
          </Link>
        ),
      text: (row) => row.network,
      inFiles: true,
    },
    {
      key: 'config',
      title: t('networks.config'),
      cell: (row) => <DeviceChip device={row} hasSettings={hasSettings} />,
      text: (row) => {
        const state = configState(row, hasSettings);
        return state && t(`sync.${state}`);
      },
    },
    { ...shared.model, extra: kind === 'ap', inFiles: true },
    {
      key: 'group',
      title: t('groups.group'),
      wide: true,
      extra: everywhere,
      cell: (row) =>
        row.group ? (
          <span className="ellipsis place-cell" title={row.group.name}>
            {row.group.name}
          </span>
        ) : (
          <span className="dim">—</span>
        ),
      text: (row) => row.group?.name ?? null,
      inFiles: true,
    },
    { ...shared.ip, extra: kind === 'ap', inFiles: true },
    {
      ...shared.users,
      title: t('device.users'),
      cell: (row) => <Terminals row={row} />,
    },
    ...(kind === 'ap' ? radioColumns() : []),
    { ...shared.cpu, extra: kind === 'ap' },
    ...(kind === 'ap' && may.readSettings ? settingColumns() : []),
    { ...shared.lastSeen, extra: kind === 'ap' },
    { ...shared.memory, extra: true },
    { ...shared.connections, extra: true },
    { ...shared.version, sort: 'version', inFiles: true },
    shared.running,
    {
      key: 'sanity',
      sort: 'sanity',
      title: t('device.sanity'),
      right: true,
      extra: true,
      cell: (row) => (row.sanity === null ? <span className="dim">—</span> : percent(row.sanity)),
      unit: '%',
      text: (row) => row.sanity,
    },
    {
      key: 'tags',
      title: t('networks.tags'),
      extra: true,
      cell: (row) => <Tags tags={row.tags} />,
      text: (row) => joined(row.tags),
    },
    { ...shared.bound, extra: true },
  ];
}
