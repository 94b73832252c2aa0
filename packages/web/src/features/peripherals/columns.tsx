import { t } from '../../app/i18n.ts';
import { DeviceDrawing } from '../../ui/device/device-drawing.tsx';
import { date, mac as macText } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { drawnOf, type Peripheral } from './peripheral.ts';

const looks = { online: ['ok', 'dot'], offline: ['bad', 'cross'], unknown: ['none', 'ring'] } as const;

const statusText = ({ status, reason }: Peripheral): string =>
  reason ? t(`peripherals.reason_${reason}`) : t(`peripherals.status_${status}`);

const checkText = ({ mode, detect_port: port }: Peripheral): string =>
  port === null ? t(`peripherals.mode_${mode}`) : t('peripherals.tcp_port', { port });

function Status({ row }: { row: Peripheral }) {
  const [tone, shape] = looks[row.status];
  return (
    <div>
      <Tag tone={tone} shape={shape}>
        {t(`peripherals.status_${row.status}`)}
      </Tag>
      {row.reason && <div className="small dim">{t(`peripherals.reason_${row.reason}`)}</div>}
    </div>
  );
}

/** A share of less than a day says nothing. */
const isBrief = ({ measured_since: since }: Peripheral) =>
  since !== null && Date.now() - Date.parse(since) < 86_400_000;

function Availability({ row }: { row: Peripheral }) {
  const { availability_30d: n, measured_since: since } = row;
  if (n === null) return '—';
  if (isBrief(row)) return <span title={t('peripherals.measured_briefly')}>—</span>;
  return (
    <div className="nowrap">
      {t('peripherals.percent', { n })}
      {since !== null && (
        <div className="small dim">{t('peripherals.measured_since', { date: date(new Date(since)) })}</div>
      )}
    </div>
  );
}

export function peripheralColumns(): Column<Peripheral>[] {
  const plain = (key: 'network' | 'ip', title: string, sort?: string): Column<Peripheral> => ({
    key,
    title,
    cell: (row) => row[key],
    text: (row) => row[key],
    ...(sort ? { sort } : {}),
  });
  const port = (key: 'web_port' | 'shell_port' | 'screen_port', title: string): Column<Peripheral> => ({
    key,
    title,
    right: true,
    extra: key !== 'web_port',
    wide: true,
    cell: (row) => row[key] ?? '—',
    text: (row) => row[key],
  });
  return [
    {
      key: 'status',
      title: t('peripherals.status'),
      sort: 'status',
      cell: (row) => <Status row={row} />,
      text: statusText,
    },
    {
      key: 'name',
      title: t('peripherals.name'),
      lead: true,
      sort: 'name',
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
      inFiles: true,
    },
    {
      key: 'type',
      title: t('peripherals.type'),
      sort: 'type',
      cell: (row) => (
        <span className="with-drawing nowrap">
          <DeviceDrawing kind={drawnOf(row.type)} size={24} status={row.status} />
          {t(`peripherals.type_${row.type}`)}
        </span>
      ),
      text: (row) => t(`peripherals.type_${row.type}`),
    },
    plain('network', t('peripherals.network')),
    {
      key: 'group',
      title: t('peripherals.group'),
      sort: 'group',
      cell: (row) => row.group ?? '—',
      text: (row) => row.group,
    },
    plain('ip', t('peripherals.ip'), 'ip'),
    {
      key: 'mac',
      title: t('peripherals.mac'),
      extra: true,
      cell: (row) => (row.mac ? <span className="mono">{macText(row.mac)}</span> : '—'),
      text: (row) => row.mac && macText(row.mac),
    },
    {
      key: 'check',
      title: t('peripherals.detection'),
      wide: true,
      cell: (row) => (
        <div className="nowrap">
          {checkText(row)}
          {row.rtt_ms !== null && <div className="small dim">{t('peripherals.ms', { n: row.rtt_ms })}</div>}
        </div>
      ),
      text: checkText,
    },
    port('web_port', t('peripherals.web_port')),
    port('shell_port', t('peripherals.shell_port')),
    port('screen_port', t('peripherals.screen_port')),
    {
      key: 'last_offline',
      title: t('peripherals.last_offline'),
      sort: 'last_offline_at',
      cell: (row) => <RelativeTime at={row.last_offline_at} />,
      text: (row) => row.last_offline_at,
    },
    {
      key: 'availability',
      title: t('peripherals.availability'),
      wide: true,
      sort: 'availability_30d',
      right: true,
      cell: (row) => <Availability row={row} />,
      text: (row) => (isBrief(row) ? null : row.availability_30d),
      unit: '%',
    },
    {
      key: 'outages',
      title: t('peripherals.outages'),
      wide: true,
      sort: 'offline_count_30d',
      right: true,
      cell: (row) => (row.offline_count_30d === null ? '—' : row.offline_count_30d.toLocaleString()),
      text: (row) => row.offline_count_30d,
    },
  ];
}
