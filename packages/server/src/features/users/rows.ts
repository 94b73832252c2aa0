import type { users as contract, DataOf, TerminalType } from '@yunxun/contract';
import { startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { countingDevices, type StationFacts, stationFacts } from '../../telemetry/read/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { guestsOf } from '../portal/index.ts';
import { maskAccount } from './mask.ts';
import { type Mark, marksOf } from './store.ts';

type UserRow = DataOf<typeof contract.update>;

/** `gwids` null: all networks. */
export interface Shown {
  accountId: string;
  gwids: readonly string[] | null;
  /** Of a delegation; null: all. */
  visible: readonly string[] | null;
  day: string;
  zone: string;
  now: Date;
}

export async function userRows(tx: Tx, shown: Shown, macs: readonly string[]): Promise<UserRow[]> {
  const { accountId } = shown;
  const facts = await stationFacts(tx, accountId, { ...shown, macs });
  const marks = await marksOf(tx, accountId, macs);
  const blockedIn = [...marks.values()].flatMap(({ list_gwids }) => list_gwids ?? []);
  const networks = await fleetNetworks.names(tx, accountId, [...present(facts.map(({ gwid }) => gwid)), ...blockedIn]);
  const devices = await fleetDevices.names(tx, accountId, present(facts.map(({ serial }) => serial)));
  const cabled = facts.flatMap(({ band, serial }) => (band === 0 && serial ? [serial] : []));
  const counting = await countingDevices(tx, accountId, cabled);
  const from = startOfDay(shown.day, shown.zone);
  const guests = await guestsOf(tx, accountId, {
    macs: facts.map(({ mac }) => mac),
    gwids: shown.gwids,
    from,
    now: shown.now,
  });
  const names = { networks, devices, counting, guests, now: shown.now };
  return facts.map((fact) => presentUser(fact, marks.get(fact.mac), names));
}

const present = (values: readonly (string | null)[]): string[] => values.filter((value) => value !== null);

interface Names {
  networks: ReadonlyMap<string, string>;
  devices: ReadonlyMap<string, { name: string }>;
  counting: ReadonlySet<string>;
  guests: Awaited<ReturnType<typeof guestsOf>>;
  now: Date;
}

function presentUser(fact: StationFacts, mark: Mark | undefined, names: Names): UserRow {
  const { networks, devices, counting, guests, now } = names;
  const seen = guests.get(fact.mac);
  const guest = seen && (seen.online || !fact.online) ? seen : undefined;
  // the "locally administered" bit
  const random = fact.random_mac ?? (Number.parseInt(fact.mac.slice(0, 2), 16) & 2) === 2;
  // ended sessions show the place only
  const stays = fact.started_at !== null;
  const counted = stays && isCounted(fact, counting);
  return {
    mac: fact.mac,
    random_mac: random,
    online: fact.online,
    hostname: fact.hostname,
    remark: mark?.remark ?? '',
    vip: mark?.vip ?? false,
    list: mark?.list ?? null,
    listed_at: mark?.listed_at?.toISOString() ?? null,
    listed_by: mark?.listed_by ?? null,
    list_networks: mark?.list_gwids?.flatMap((gwid) => named(gwid, networks)) ?? null,
    terminal: {
      type: fact.terminal_type as TerminalType | null,
      brand: fact.brand,
      os: fact.os,
      source: fact.type_source,
    },
    gwid: fact.gwid !== null && networks.has(fact.gwid) ? fact.gwid : null,
    network: networks.get(fact.gwid ?? '') ?? null,
    serial: fact.serial,
    device: devices.get(fact.serial ?? '')?.name ?? null,
    ssid: fact.ssid,
    bssid: addressOf(fact.bssid),
    band: fact.band,
    port: fact.port ?? null,
    behind: fact.behind ?? false,
    ip: fact.ip ?? fact.ip6,
    ipv6: fact.ip6,
    rssi: fact.rssi ?? null,
    auth_type: fact.authenticated || guest ? 'portal' : null,
    // access points report the portal's ticket as the name
    ...(guest ? { phone_masked: null, account: guest.identity } : maskAccount(fact.username)),
    login_at: fact.started_at?.toISOString() ?? null,
    duration_s: duration(fact, now),
    down: counted ? fact.down : null,
    up: counted ? fact.up : null,
    flow_today: fact.flow_today,
    first_seen: fact.first_seen?.toISOString() ?? null,
    last_seen: later(fact.last_seen, fact.last_at)?.toISOString() ?? null,
    as_of: fact.as_of?.toISOString() ?? null,
  };
}

function named(gwid: string, networks: Names['networks']): { gwid: string; name: string }[] {
  const name = networks.get(gwid);
  return name === undefined ? [] : [{ gwid, name }];
}

/** Returns false if zero means unknown: few gateways count wired traffic. */
export function isCounted(
  session: { band: number | null; behind?: boolean; serial: string | null; down: number | null; up: number | null },
  counting: ReadonlySet<string>,
): boolean {
  return (
    (session.band !== 0 && !session.behind) ||
    Boolean(session.down) ||
    Boolean(session.up) ||
    counting.has(session.serial ?? '')
  );
}

/** Returns seconds until now if online, else until last seen. */
function duration({ started_at: from, last_at: last, online }: StationFacts, now: Date): number | null {
  if (!from) return null;
  return Math.max(0, Math.round(((online ? now : (last ?? now)).getTime() - from.getTime()) / 1000));
}

function later(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}

/** Returns null for wired clients and unknown BSSIDs. */
export function addressOf(bssid: string | null): string | null {
  return bssid && /^[0-9a-f]{12}$/.test(bssid) ? bssid : null;
}
