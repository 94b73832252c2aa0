import type { wirelessMonitor as contract, DataOf, WirelessBand, WirelessStep } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { airOf, closedUntil, terminalsByBand, worstAir } from '../../telemetry/read/air.ts';
import { closedHours, type SeriesRow, type Span, series } from '../../telemetry/read/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { partsOf, pulledBy, scales, scoreOf } from './score.ts';
import { charted, linesOf } from './series.ts';

export interface Asked {
  accountId: string;
  /** Null: the whole account. */
  gwids: readonly string[] | null;
  now: Date;
}

const hour = 3_600_000;
const day = 24 * hour;
/** Milliseconds. */
const stepLengths: Readonly<Record<WirelessStep, number>> = { '5m': 300_000, '1h': hour };
/** Above, the score uses the last full hour: a twelfth of the rows. */
const manyAps = 1000;
const worstOf = 10;
/** Devices may be unbound meanwhile. */
const spares = 40;

export async function summary(tx: Tx, asked: Asked): Promise<DataOf<typeof contract.wirelessSummary>> {
  const { accountId, gwids, now } = asked;
  const statuses = await fleetDevices.apStatuses(tx, accountId, now, gwids);
  const present = await terminalsByBand(tx, accountId, { gwids });
  const to = await closedUntil(tx, gwids ? 'network' : 'account', now);
  const rows = await series(tx, accountId, {
    scope: 'account',
    ids: gwids,
    step: '5m',
    want: ['clients2g', 'clients5g', 'clients6g'],
    from: new Date(+to - day),
    to,
  });
  const band = (name: WirelessBand, online: number, of: 'clients2g' | 'clients5g' | 'clients6g') => {
    let peak: (typeof rows)[number] | null = null;
    for (const row of rows) if (row[of] !== null && row[of] > (peak?.[of] ?? -1)) peak = row;
    const max = peak?.[of] ?? null;
    return { name, online, peak: max === null ? null : Math.round(max), peak_at: peak?.bucket.toISOString() ?? null };
  };
  return {
    as_of: now.toISOString(),
    aps: {
      total: statuses.reduce((sum, { value }) => sum + value, 0),
      statuses: statuses.filter(({ name, value }) => value > 0 || name === 'online' || name === 'offline'),
    },
    bands: [
      band('2.4G', present['2g'], 'clients2g'),
      band('5G', present['5g'], 'clients5g'),
      band('6G', present['6g'], 'clients6g'),
    ],
  };
}

export async function score(tx: Tx, asked: Asked): Promise<DataOf<typeof contract.wirelessScore>> {
  const { total, online, span } = await lastHour(tx, asked);
  const air = await airOf(tx, asked.accountId, { gwids: asked.gwids, ...span });
  const { measured, parts, missing } = partsOf(air, { online, total });
  const points = scoreOf(measured);
  return {
    ...shown(span),
    score: points === null ? null : Math.round(points),
    aps: air.aps,
    radios: air.radios,
    parts,
    missing,
  };
}

export async function worst(tx: Tx, asked: Asked): Promise<DataOf<typeof contract.wirelessWorst>> {
  const { accountId, gwids, now } = asked;
  const { span } = await lastHour(tx, asked);
  const { compared, list: rows } = await worstAir(tx, accountId, { gwids, ...span, scales, limit: worstOf + spares });
  const devices = await fleetDevices.managed(
    tx,
    accountId,
    rows.map(({ serial }) => serial),
    now,
  );
  const places = new Map(devices.map((device) => [device.serial, device]));
  const networks = await fleetNetworks.names(
    tx,
    accountId,
    devices.flatMap(({ gwid }) => gwid ?? []),
  );
  const list = rows.flatMap((row) => {
    const device = places.get(row.serial);
    const network = networks.get(device?.gwid ?? '');
    if (!device?.gwid || network === undefined) return [];
    const { measured, parts, missing } = partsOf(row);
    return {
      serial: row.serial,
      name: device.name,
      gwid: device.gwid,
      network,
      status: device.status,
      score: Math.round(scoreOf(measured) ?? 0),
      pulled_by: pulledBy(measured),
      parts,
      missing,
    };
  });
  return { ...shown(span), compared, list: list.slice(0, worstOf) };
}

export async function lines(tx: Tx, asked: Asked, step: WirelessStep): Promise<DataOf<typeof contract.wirelessSeries>> {
  const { accountId, gwids, now } = asked;
  const length = stepLengths[step];
  const until = await closedUntil(tx, gwids ? 'network' : 'account', now);
  const to = new Date(Math.floor(+until / length) * length);
  const from = new Date(+to - day);
  const rows = await series(tx, accountId, {
    scope: 'account',
    ids: gwids,
    step,
    want: charted,
    from: new Date(+from - day),
    to,
  });
  const byTime = new Map<number, SeriesRow<(typeof charted)[number]>>(rows.map((row) => [+row.bucket, row]));
  const buckets = (begin: Date) =>
    Array.from({ length: day / length }, (_, index) => byTime.get(+begin + index * length));
  return {
    ...shown({ from, to }),
    step_s: length / 1000,
    current: linesOf(buckets(from)),
    previous: linesOf(buckets(new Date(+from - day))),
  };
}

async function lastHour(tx: Tx, asked: Asked): Promise<{ total: number; online: number; span: Span }> {
  const { accountId, gwids, now } = asked;
  const statuses = await fleetDevices.apStatuses(tx, accountId, now, gwids);
  const seen = statuses.filter(({ name }) => name !== 'never_connected');
  const total = seen.reduce((sum, { value }) => sum + value, 0);
  const online = seen.find(({ name }) => name === 'online')?.value ?? 0;
  if (total > manyAps) return { total, online, span: await closedHours(tx, 1, now) };
  const to = await closedUntil(tx, 'device', now);
  return { total, online, span: { from: new Date(+to - hour), to } };
}

function shown({ from, to }: Span) {
  return { as_of: to.toISOString(), from: from.toISOString(), to: to.toISOString() };
}
