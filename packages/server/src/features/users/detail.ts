import type { users as contract, DataOf, InputOf } from '@yunxun/contract';
import { asRecord, type State } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { clientLink } from '../../telemetry/extract/client-link.ts';
import { readLatestState } from '../../telemetry/index.ts';
import {
  type ClientSession,
  countingDevices,
  countSessions,
  endedSessions,
  type Measures,
  openSessions,
  quartersSince,
  roamsSince,
  totalsEach,
} from '../../telemetry/read/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { addressOf, isCounted, type Shown, userRows } from './rows.ts';

type Detail = DataOf<typeof contract.detail>;
type History = DataOf<typeof contract.history>;

const hour = 3_600_000;
const maxNeighbours = 7;

const bands = { 2: '2g', 5: '5g', 6: '6g' } as const;

export async function userDetail(tx: Tx, shown: Shown, mac: string): Promise<Detail | undefined> {
  const { accountId, now, gwids } = shown;
  const [row] = await userRows(tx, shown, [mac]);
  if (!row) return undefined;
  const since = new Date(now.getTime() - 24 * hour);
  const quarters = await quartersSince(tx, accountId, { mac, gwids, since });
  return {
    ...row,
    ...(await linkOf(tx, accountId, row)),
    roams: await roamsSince(tx, accountId, { mac, gwids, since }),
    quarters: quarters.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest })),
    ...(await neighbourhood(tx, shown, row)),
  };
}

/** Reads the access point's latest report. */
async function linkOf(
  tx: Tx,
  accountId: string,
  { mac, online, serial, band }: Pick<Detail, 'mac' | 'online' | 'serial' | 'band'>,
): Promise<Pick<Detail, 'link' | 'link_missing'>> {
  if (!online) return { link: null, link_missing: 'offline' };
  if (band === 0) return { link: null, link_missing: 'wired' };
  const latest = serial && (await readLatestState(tx, { accountId, serial }));
  const link = latest ? clientLink(asRecord<State>(latest.params.state), mac) : undefined;
  return link ? { link, link_missing: null } : { link: null, link_missing: 'unreported' };
}

/** Returns the access point's last hour and the busiest others. */
async function neighbourhood(
  tx: Tx,
  { accountId, now }: Shown,
  { gwid, serial, band }: Pick<Detail, 'gwid' | 'serial' | 'band'>,
): Promise<Pick<Detail, 'access_points' | 'more'>> {
  const suffix = bands[band as keyof typeof bands];
  if (!gwid || !serial || !suffix) return { access_points: [], more: 0 };
  const all = await fleetDevices.accessPoints(tx, accountId, now, gwid);
  if (!all.some((each) => each.serial === serial)) return { access_points: [], more: 0 };
  const [util, noise, clients] = [`util${suffix}`, `noise${suffix}`, `clients${suffix}`] as const;
  const ids = all.map((each) => each.serial);
  const span = { from: new Date(now.getTime() - hour), to: new Date(now.getTime() + 300_000) };
  const want = [util, noise, clients, 'rssi', 'sightings', 'weak'] as const satisfies (keyof Measures)[];
  const hours = await totalsEach(tx, accountId, { scope: 'device', ids, ...span, want });
  const reported = new Map(hours.map((each) => [each.id, each]));
  const rows = all.map((each) => {
    const given = reported.get(each.serial);
    return {
      serial: each.serial,
      device: each.name,
      own: each.serial === serial,
      util_pct: given?.[util] ?? null,
      noise_dbm: given?.[noise] ?? null,
      clients: given?.[clients] ?? null,
      rssi: given?.rssi ?? null,
      weak_pct: given && given.sightings > 0 ? (100 * given.weak) / given.sightings : null,
    };
  });
  const order = rows.toSorted(
    (a, b) =>
      Number(b.own) - Number(a.own) || (b.util_pct ?? -1) - (a.util_pct ?? -1) || (a.serial < b.serial ? -1 : 1),
  );
  return { access_points: order.slice(0, 1 + maxNeighbours), more: Math.max(0, order.length - 1 - maxNeighbours) };
}

export async function userHistory(tx: Tx, shown: Shown, input: InputOf<typeof contract.history>): Promise<History> {
  const { accountId, gwids } = shown;
  const { mac, limit = 10, page = 1 } = input;
  const open = await openSessions(tx, accountId, { mac, gwids });
  const ended = await endedSessions(tx, accountId, { mac, gwids, limit, offset: (page - 1) * limit });
  const total = await countSessions(tx, accountId, { mac, gwids });
  const named = await sessionRows(tx, accountId, [...open, ...ended]);
  return { open: named.slice(0, open.length), list: named.slice(open.length), total };
}

export async function sessionRows(
  tx: Tx,
  accountId: string,
  sessions: readonly ClientSession[],
): Promise<History['list']> {
  const networks = await fleetNetworks.names(
    tx,
    accountId,
    sessions.map(({ gwid }) => gwid),
  );
  const devices = await fleetDevices.names(
    tx,
    accountId,
    sessions.map(({ serial }) => serial),
  );
  const counting = await countingDevices(
    tx,
    accountId,
    sessions.flatMap(({ band, serial }) => (band === 0 ? [serial] : [])),
  );
  return sessions.map(({ started_at, ended_at, end_reason, gwid, ...session }) => ({
    ...partOf(session),
    ...(isCounted(session, counting) ? {} : { down: null, up: null }),
    gwid: networks.has(gwid) ? gwid : null,
    network: networks.get(gwid) ?? null,
    device: devices.get(session.serial)?.name ?? null,
    started_at: started_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    end_reason: end_reason as History['list'][number]['end_reason'],
  }));
}

function partOf(session: Omit<ClientSession, 'started_at' | 'ended_at' | 'end_reason' | 'gwid'>) {
  const { serial, ssid, bssid, band, ip, ip6, down, up, rssi_mean, rssi_min } = session;
  return { serial, ssid, bssid: addressOf(bssid), band, ip: ip ?? ip6, ipv6: ip6, down, up, rssi_mean, rssi_min };
}
