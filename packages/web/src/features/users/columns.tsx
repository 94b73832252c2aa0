import { t } from '../../app/i18n.ts';
import { bytes, duration, exactTime, mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { bandName, nameOf, signalView, sourceText, terminalText, type UserRow } from './labels.ts';

const none = <span className="dim">—</span>;

export type Tab = 'online' | 'today' | 'history' | 'blocked' | 'allowed';

const identity = (sorted: boolean): Column<UserRow>[] => [
  {
    key: 'name',
    title: t('users.terminal'),
    lead: true,
    ...(sorted ? { sort: 'hostname' } : {}),
    cell: (row) => <Name row={row} />,
    text: nameOf,
  },
  {
    key: 'mac',
    title: t('users.addresses'),
    ...(sorted ? { sort: 'mac' } : {}),
    cell: (row) => (
      <span className="users-two">
        <span className="mono">{mac(row.mac)}</span>
        {row.ip && <span className="small dim mono ellipsis">{row.ip}</span>}
      </span>
    ),
    text: (row) => mac(row.mac),
  },
];

function Name({ row }: { row: UserRow }) {
  const what = terminalText(row);
  const name = row.remark || row.hostname;
  return (
    <span className="users-two">
      <span className="row">
        <strong className="ellipsis" title={name ?? sourceText(row.terminal.source)}>
          {name || what}
        </strong>
        {row.vip && (
          <span title={t('users.vip_hint')}>
            <Tag tone="brand">{t('users.vip')}</Tag>
          </span>
        )}
      </span>
      <span className="small dim ellipsis">
        {name && <span title={sourceText(row.terminal.source)}>{what}</span>}
        {name && row.random_mac && ' · '}
        {row.random_mac && <span title={t('users.random_hint')}>{t('users.random')}</span>}
      </span>
    </span>
  );
}

const status: () => Column<UserRow> = () => ({
  key: 'status',
  title: t('users.status'),
  cell: (row) => (
    <Tag tone={row.online ? 'ok' : 'none'} shape={row.online ? 'dot' : 'ring'}>
      {row.online ? t('users.online') : t('users.offline')}
    </Tag>
  ),
  text: (row) => (row.online ? t('users.online') : t('users.offline')),
});

const place = (): Column<UserRow>[] => [
  {
    key: 'place',
    title: t('users.place'),
    cell: (row) => <Place row={row} />,
    text: (row) => [row.network, row.device, row.behind ? behindText(row) : row.ssid].filter(Boolean).join(' / '),
  },
];

const network = (everywhere: boolean): Column<UserRow> => ({
  key: 'network',
  title: t('users.network'),
  extra: !everywhere,
  cell: (row) =>
    row.gwid ? (
      <Link to={`/network/${row.gwid}`} className="ellipsis place-cell" title={row.network ?? undefined}>
        {row.network}
      </Link>
    ) : (
      none
    ),
  text: (row) => row.network,
});

const scopeText = ({ list_networks: networks }: UserRow) =>
  networks === null ? t('users.scope_all') : networks.map(({ name }) => name).join(t('users.between'));

const scope: () => Column<UserRow> = () => ({
  key: 'scope',
  title: t('users.scope'),
  cell: (row) => (
    <span className="ellipsis place-cell" title={scopeText(row)}>
      {scopeText(row) || none}
    </span>
  ),
  text: scopeText,
});

export function Place({
  row,
}: {
  row: Pick<UserRow, 'gwid' | 'serial' | 'device' | 'network' | 'ssid' | 'band' | 'port' | 'behind'>;
}) {
  if (!row.serial) return none;
  const name = row.device ?? mac(row.serial);
  return (
    <span className="users-two">
      {row.gwid ? (
        <Link
          to={`/network/aps/${row.gwid}`}
          search={{ device: row.serial }}
          title={[name, row.network].filter(Boolean).join(' · ')}
        >
          {name}
        </Link>
      ) : (
        <span className="ellipsis">{name}</span>
      )}
      <span className="small dim ellipsis">
        {row.behind ? <span title={t('users.behind_hint')}>{behindText(row)}</span> : linkText(row)}
      </span>
    </span>
  );
}

const linkText = ({ band, port, ssid }: Pick<UserRow, 'band' | 'port' | 'ssid'>): string =>
  band === 0
    ? port
      ? t('users.port', { port })
      : bandName(0)
    : [ssid, band === null ? null : bandName(band)].filter(Boolean).join(' · ');

/** The client may be behind any of its devices. */
export const behindText = ({ port }: Pick<UserRow, 'port'>): string =>
  port ? t('users.behind_port', { port }) : t('users.behind');

export function Signal({ rssi }: { rssi: number | null }) {
  if (rssi === null) return none;
  const look = signalView(rssi);
  return (
    <span title={look.word}>
      <Tag tone={look.tone} shape={look.shape}>
        {t('users.dbm', { n: rssi })}
      </Tag>
    </span>
  );
}

/** `everywhere`: the list spans networks, so each client's network is shown. */
export function userColumns(tab: Tab, everywhere: boolean): Column<UserRow>[] {
  /** MAC lists have a fixed order: as added. */
  const lists = tab === 'blocked' || tab === 'allowed';
  const lastSeen: Column<UserRow> = {
    key: 'last_seen',
    title: t('users.last_seen'),
    ...(lists ? {} : { sort: 'last_seen' }),
    ...(tab === 'online' ? { extra: true } : {}),
    cell: (row) => <RelativeTime at={row.last_seen} />,
    text: (row) => row.last_seen && exactTime(new Date(row.last_seen)),
  };
  const today: Column<UserRow> = {
    key: 'today',
    title: t('users.flow_today'),
    right: true,
    ...(tab === 'today' ? { sort: 'flow' } : {}),
    cell: (row) => (row.flow_today === 0 && (row.band === 0 || row.behind) ? none : bytes(row.flow_today)),
    text: (row) => row.flow_today,
  };
  const account: Column<UserRow> = {
    key: 'account',
    title: t('users.account'),
    extra: true,
    cell: (row) => row.phone_masked ?? row.account ?? none,
    text: (row) => row.phone_masked ?? row.account,
  };
  if (lists) {
    return [
      ...identity(false),
      status(),
      ...place(),
      network(everywhere),
      ...(tab === 'blocked' ? [scope()] : []),
      {
        key: 'listed',
        title: t('users.listed'),
        cell: (row) => <ShortTime at={row.listed_at} />,
        text: (row) => row.listed_at && exactTime(new Date(row.listed_at)),
      },
      {
        key: 'listed_by',
        title: t('users.listed_by'),
        cell: (row) => row.listed_by ?? none,
        text: (row) => row.listed_by,
      },
      lastSeen,
    ];
  }
  if (tab !== 'online')
    return [...identity(true), status(), ...place(), network(everywhere), today, lastSeen, firstSeen(), account];
  return [
    ...identity(true),
    ...place(),
    network(everywhere),
    {
      key: 'rssi',
      title: t('users.rssi'),
      sort: 'rssi',
      right: true,
      cell: (row) => <Signal rssi={row.rssi} />,
      text: (row) => row.rssi,
    },
    {
      key: 'auth',
      title: t('users.signed_in'),
      cell: (row) => (row.auth_type ? (row.phone_masked ?? row.account ?? t('users.auth_portal')) : none),
      text: (row) => (row.auth_type ? (row.phone_masked ?? row.account ?? t('users.auth_portal')) : ''),
    },
    {
      key: 'login',
      title: t('users.duration'),
      sort: 'login_at',
      right: true,
      cell: (row) => (
        <span className="nowrap" title={row.login_at ? exactTime(new Date(row.login_at)) : undefined}>
          {row.duration_s === null ? '—' : duration(row.duration_s)}
        </span>
      ),
      text: (row) => row.duration_s,
    },
    {
      key: 'flow',
      title: t('users.flow'),
      sort: 'flow',
      right: true,
      cell: (row) => (
        <span className="users-two">
          <Flow row={row} />
          <span className="small dim nowrap">
            {t('users.of_today', { flow: row.flow_today === 0 && row.down === null ? '—' : bytes(row.flow_today) })}
          </span>
        </span>
      ),
      text: (row) => (row.down ?? 0) + (row.up ?? 0),
    },
    lastSeen,
    firstSeen(),
    account,
  ];
}

function Flow({ row: { down, up } }: { row: UserRow }) {
  if (down === null && up === null) return none;
  return (
    <span className="nowrap" title={`${t('users.down')} ${bytes(down ?? 0)} · ${t('users.up')} ${bytes(up ?? 0)}`}>
      {bytes((down ?? 0) + (up ?? 0))}
    </span>
  );
}

function firstSeen(): Column<UserRow> {
  return {
    key: 'first_seen',
    title: t('users.first_seen'),
    extra: true,
    cell: (row) => <ShortTime at={row.first_seen} />,
    text: (row) => row.first_seen && exactTime(new Date(row.first_seen)),
  };
}
