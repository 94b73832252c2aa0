import { t } from '../../../app/i18n.ts';
import { percent } from '../../../ui/format.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { between, joined, partHead } from '../../../ui/table/file-columns.ts';
import { rateCells } from '../shared-columns.tsx';
import { bandName } from './band-name.ts';
import type { DeviceRow } from './device-actions.ts';

type Radio = DeviceRow['radios'][number];
const bands = ['2G', '5G', '6G'] as const;

const inOrder = (radios: readonly Radio[]) => radios.toSorted((a, b) => (a.band ?? '').localeCompare(b.band ?? ''));

const dash = <span className="dim">—</span>;
const away = (row: DeviceRow) => row.status !== 'online';

/** `5G` includes its halves. */
function radioOf(row: DeviceRow, band: string): Radio | undefined {
  return row.radios.find((radio) => radio.band?.startsWith(band));
}

function EachRadio({ row, value }: { row: DeviceRow; value: (radio: Radio) => string | null }) {
  const texts = inOrder(row.radios).flatMap((radio) => {
    const text = value(radio);
    return text === null ? [] : [{ band: bandName(radio.band), text }];
  });
  if (texts.length === 0) return dash;
  return (
    <span className={away(row) ? 'radios stale' : 'radios'}>
      {texts.map(({ band, text }) => (
        <span key={band} className="nowrap">
          <span className="small dim">{band}</span> {text}
        </span>
      ))}
    </span>
  );
}

function ofBand(row: DeviceRow, band: string, value: (radio: Radio) => number | null): number | string | null {
  const [only, ...more] = inOrder(row.radios).filter((radio) => radio.band?.startsWith(band));
  if (!only) return null;
  return more.length === 0 ? value(only) : joined([only, ...more].map(value));
}

function each(
  key: string,
  title: string,
  unit: '%' | 'dBm',
  value: (radio: Radio) => number | null,
  extra: boolean,
): Column<DeviceRow> {
  const reported = (radio: Radio) => {
    const number = value(radio);
    return number === null ? null : unit === '%' ? percent(number) : `${number} dBm`;
  };
  return {
    key,
    title,
    extra,
    cell: (row) => <EachRadio row={row} value={reported} />,
    files: bands.map((band) => ({
      title: partHead(title, t(`wireless.band_${band}`), unit),
      text: (row) => ofBand(row, band, value),
    })),
  };
}

function bandColumn(band: (typeof bands)[number]): Column<DeviceRow> {
  const title = t(`wireless.band_${band}`);
  const channel = (radio: Radio) => (radio.channel === null ? null : `${radio.channel} / ${radio.width ?? '?'} MHz`);
  return {
    key: `radio_${band}`,
    title,
    extra: band === '6G',
    wide: true,
    cell: (row) => {
      const radio = radioOf(row, band);
      if (!radio) return dash;
      const [first, ...more] = radio.ssids;
      return (
        <span className={away(row) ? 'name-cell two-lines radio-cell stale' : 'name-cell two-lines radio-cell'}>
          <span className="nowrap">{channel(radio) ?? '—'}</span>
          <span className="radio-names small dim" title={radio.ssids.join(', ')}>
            <span className="ellipsis">{first ?? t('aps.no_ssid')}</span>{' '}
            {more.length > 0 && <span>+{more.length}</span>}
          </span>
        </span>
      );
    },
    files: [
      { title: partHead(title, t('aps.channel')), text: (row) => ofBand(row, band, (radio) => radio.channel) },
      { title: partHead(title, t('aps.width'), 'MHz'), text: (row) => ofBand(row, band, (radio) => radio.width) },
      { title: partHead(title, 'SSID'), text: (row) => joined(radioOf(row, band)?.ssids ?? []) },
    ],
  };
}

const limitText = ({ ssid, limit }: { ssid: string; limit: number }) => `${ssid} ${limit}`;

export function settingColumns(): Column<DeviceRow>[] {
  const text = (of: (settings: NonNullable<DeviceRow['settings']>) => string) => (row: DeviceRow) =>
    (row.settings && of(row.settings)) || null;
  const templates = text((settings) => settings.templates.map(({ name }) => name).join(between));
  const limits = text((settings) => settings.client_limits.map(limitText).join(between));
  const minimum = text(({ minimum_rssi: value }) => (value === null ? t('values.no_minimum') : `${value} dBm`));
  const column = (key: string, title: string, of: (row: DeviceRow) => string | null): Column<DeviceRow> => ({
    key,
    title,
    text: of,
    extra: true,
    cell: (row) => {
      const text = of(row);
      return text === null ? (
        dash
      ) : (
        <span className="ellipsis" title={text}>
          {text}
        </span>
      );
    },
  });
  return [
    column('template', t('aps.template'), templates),
    column('minimum_rssi', t('values.field_minimum_rssi'), minimum),
    column('client_limit', t('aps.client_limit'), limits),
  ];
}

export function radioColumns(): Column<DeviceRow>[] {
  return [
    ...bands.map(bandColumn),
    each('util', t('device.radio_util'), '%', (radio) => radio.util_pct, false),
    each('noise', t('device.radio_noise'), 'dBm', (radio) => radio.noise_dbm, true),
    each('power', t('device.radio_power'), 'dBm', (radio) => radio.power_dbm, true),
    {
      key: 'rate',
      sort: 'rate',
      wide: true,
      title: t('aps.rate'),
      right: true,
      ...rateCells(t('aps.rate')),
    },
    {
      key: 'uplink',
      title: t('aps.uplink'),
      extra: true,
      cell: (row) => {
        if (!row.uplink) return dash;
        const { line, peer } = uplinkParts(row.uplink);
        return (
          <span className={away(row) ? 'name-cell two-lines stale' : 'name-cell two-lines'}>
            <span className="nowrap">{line}</span>
            <span className="small dim ellipsis" title={peer}>
              {peer}
            </span>
          </span>
        );
      },
      files: [
        { title: partHead(t('aps.uplink'), t('aps.uplink_port')), text: (row) => row.uplink?.port ?? null },
        { title: partHead(t('aps.uplink'), t('aps.uplink_speed'), 'Mbit/s'), text: (row) => row.uplink?.speed ?? null },
        {
          title: partHead(t('aps.uplink'), t('aps.uplink_peer')),
          text: ({ uplink }) => uplink && (uplinkParts(uplink).peer || null),
        },
      ],
    },
  ];
}

function uplinkParts(uplink: NonNullable<DeviceRow['uplink']>): { line: string; peer: string } {
  const { port, carrier, speed, switch_name: name, switch_port: at } = uplink;
  const state = carrier === false ? t('aps.no_cable') : speed === null ? null : t('aps.speed', { n: speed });
  return { line: [port, state].filter(Boolean).join(' · '), peer: [name, at].filter(Boolean).join(' ') };
}

function uplinkText(uplink: DeviceRow['uplink']): string | null {
  return uplink && Object.values(uplinkParts(uplink)).filter(Boolean).join(' · ');
}

export function UplinkText({ uplink, old }: { uplink: DeviceRow['uplink']; old: boolean }) {
  const text = uplinkText(uplink);
  if (!text) return dash;
  return <span className={old ? 'stale' : undefined}>{text}</span>;
}
