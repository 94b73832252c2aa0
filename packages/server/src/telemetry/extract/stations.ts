import {
  type Association,
  asCount,
  asList,
  asRecord,
  asText,
  type CaptiveGuest,
  type Fingerprint,
  normaliseClientMac,
  normaliseMac,
  type State,
  type StateClient,
  type StateInterface,
  type StationRate,
  type Wire,
} from '@yunxun/contract/device';
import { type Band, bandOf, unknownBand } from './bands.ts';
import { bestAddresses } from './client-addresses.ts';
import { type Absolute, bssidOf } from './counters.ts';
import { bssidsOf, interfacesOf, type Neighbour, ssidsOf } from './neighbours.ts';
import { type Clamps, capped, cleanText, largestInt32, wholeWithin } from './values.ts';

export interface Guess {
  vendor: string | null;
  device: string | null;
  class: string | null;
  name: string | null;
}

/** Nearest own device; '' if the port leads to several. */
export interface Behind {
  serial: string;
  port: string | null;
}

/** Associated client, or wired one (band 0). */
export interface Observation {
  mac: string;
  /** Empty if wired. */
  bssid: string;
  band: Band | typeof unknownBand | 0;
  ssid: string | null;
  port: string | null;
  ip: string | null;
  ip6: string | null;
  hostname: string | null;
  guess: Guess | null;
  authenticated: boolean;
  username: string | null;
  /** Seconds. */
  connectedS: number | null;
  /** Absolute bytes to the client. */
  tx: number | null;
  rx: number | null;
  /** dBm */
  rssi: number | null;
  /** kbit/s */
  txRate: number | null;
  rxRate: number | null;
  /** Absolute packets to the client: sent, retried, failed. */
  packets: readonly [number, number, number] | null;
  /** On a port to own devices; null: on the port itself. */
  behind?: Behind | null;
}

const nothing: Absolute = { tx: 0, rx: 0 };
const unsaid: Absolute = { tx: null, rx: null };

/** Above any access point's capacity. */
export const maxStations = 2000;

/** Returns null without interfaces. */
export function stationsOf(
  state: Wire<State>,
  neighbours: readonly Neighbour[],
  clamps: Clamps,
  /** Absolute bytes by MAC, if counted. */
  wired: ReadonlyMap<string, Absolute> | null = null,
): Observation[] | null {
  const ports = interfacesOf(state);
  if (ports.length === 0) return null;
  const leases = leaseNames(ports);
  const neighbouring = neighbourAddresses(ports);
  const guests = guestsOf(state);
  const seen = new Set<string>();
  const observations: Observation[] = [];
  const take = (observation: Observation): void => {
    const key = `${observation.mac} ${observation.bssid}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (observations.length < maxStations) observations.push(observation);
    else clamps.count += 1;
  };
  const associated = new Set<string>();
  const own = new Set(bssidsOf(state));
  for (const port of ports) {
    for (const ssid of ssidsOf(port)) {
      const place = {
        own: bssidOf(ssid),
        ssid: cleanText(ssid.ssid, 64),
        band: bandOf(ssid, state) ?? unknownBand,
      } as const;
      for (const entry of capped(asList(ssid.associations), maxStations, clamps)) {
        const association = asRecord<Association>(entry);
        const mac = normaliseClientMac(association.station);
        if (!mac || own.has(mac)) continue;
        associated.add(mac);
        const known = { lease: leases.get(mac), guest: guests.get(mac), addresses: neighbouring.get(mac) };
        take(observationOf(mac, place, association, known));
      }
    }
  }
  for (const { mac, port, client } of neighbours) {
    if (associated.has(mac)) continue;
    const known = { lease: leases.get(mac), guest: guests.get(mac), addresses: neighbouring.get(mac) };
    const reported = { fingerprint: client.fingerprint };
    const observation = observationOf(mac, { own: '', ssid: null, band: 0 }, reported, known);
    // unlisted: no traffic yet
    const { tx, rx } = wired?.get(mac) ?? (wired ? nothing : unsaid);
    take({ ...observation, port: cleanText(port, 32), tx, rx });
  }
  return observations;
}

interface Known {
  lease: Lease | undefined;
  guest: { username: string | null } | undefined;
  addresses: unknown[] | undefined;
}

interface Lease {
  addresses: unknown[];
  hostname: string | null;
}

function observationOf(
  mac: string,
  { own, ssid, band }: { own: string | null; ssid: string | null; band: Observation['band'] },
  raw: Wire<Association>,
  { lease, guest, addresses = [] }: Known,
): Observation {
  const sent = asCount(raw.tx_packets);
  const { ip, ip6 } = bestAddresses([raw.ipaddr_v4, raw.ipaddr_v6, ...addresses, ...(lease?.addresses ?? [])]);
  return {
    mac,
    bssid: own ?? normaliseMac(raw.bssid) ?? 'unnamed',
    band,
    ssid,
    port: null,
    ip,
    ip6,
    hostname: lease?.hostname ?? null,
    guess: raw.fingerprint === undefined ? null : guessOf(raw.fingerprint),
    authenticated: guest !== undefined,
    username: guest?.username ?? null,
    connectedS: asCount(raw.connected),
    tx: asCount(raw.tx_bytes),
    rx: asCount(raw.rx_bytes),
    // 0 and above mean no signal
    rssi: wholeWithin(raw.rssi, -120, -1),
    txRate: rateOf(raw.tx_rate),
    rxRate: rateOf(raw.rx_rate),
    packets: sent === null ? null : [sent, asCount(raw.tx_retries) ?? 0, asCount(raw.tx_failed) ?? 0],
  };
}

function rateOf(value: unknown): number | null {
  return wholeWithin(asRecord<StationRate>(value).bitrate, 1, largestInt32);
}

export function guessOf(value: unknown): Guess | null {
  const raw = asRecord<Fingerprint>(value);
  const guess = {
    vendor: cleanText(raw.vendor, 64),
    device: cleanText(raw.device, 64),
    class: cleanText(raw.class, 64),
    name: cleanText(raw.device_name, 64),
  };
  return Object.values(guess).some((text) => text !== null) ? guess : null;
}

function leaseNames(ports: readonly Wire<StateInterface>[]) {
  const names = new Map<string, Lease>();
  for (const port of ports) {
    for (const entry of [...leasesIn(port.ipv4), ...leasesIn(port.ipv6)]) {
      const lease = asRecord<{ address: string; hostname: string; mac: string }>(entry);
      const mac = normaliseMac(lease.mac);
      if (!mac || names.size >= 2 * maxStations) continue;
      const hostname = cleanText(lease.hostname, 64);
      const other = names.get(mac);
      names.set(mac, {
        addresses: [...(other?.addresses ?? []), lease.address],
        // dnsmasq's value for no name
        hostname: (hostname === '*' ? null : hostname) ?? other?.hostname ?? null,
      });
    }
  }
  return names;
}

const leasesIn = (family: unknown) => asList(asRecord<{ leases: unknown }>(family).leases);

/** Also of wireless clients, which bridges list too. */
function neighbourAddresses(ports: readonly Wire<StateInterface>[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const port of ports) {
    for (const entry of asList(port.clients)) {
      const client = asRecord<StateClient>(entry);
      const mac = normaliseMac(client.mac);
      if (!mac || found.size >= 2 * maxStations) continue;
      found.set(mac, [...(found.get(mac) ?? []), client.ipv4_addresses, client.ipv6_addresses]);
    }
  }
  return found;
}

/** Returns clients that the captive portal admitted. */
function guestsOf(state: Wire<State>): Map<string, { username: string | null }> {
  const guests = new Map<string, { username: string | null }>();
  for (const [key, entry] of Object.entries(asRecord(state.captive))) {
    const { status, username } = asRecord<CaptiveGuest>(entry);
    const mac = normaliseMac(key);
    if (mac && asText(status) === 'Authenticated' && guests.size < 2 * maxStations)
      guests.set(mac, { username: cleanText(username, 128) });
  }
  return guests;
}
