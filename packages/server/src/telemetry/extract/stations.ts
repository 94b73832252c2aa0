import {
  type Association,
  asAddress,
  asCount,
  asList,
  asRecord,
  asText,
  type CaptiveGuest,
  type Fingerprint,
  normaliseClientMac,
  normaliseMac,
  type State,
  type StateInterface,
  type StationRate,
  type Wire,
} from '@yunxun/contract/device';
import { type Band, bandOf, unknownBand } from './bands.ts';
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
  /** If a switch knows it. */
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
        take(observationOf(mac, place, association, leases.get(mac), guests.get(mac)));
      }
    }
  }
  for (const { mac, port, client } of neighbours) {
    if (associated.has(mac)) continue;
    const reported = { ipaddr_v4: asList(client.ipv4_addresses)[0], fingerprint: client.fingerprint };
    const observation = observationOf(
      mac,
      { own: '', ssid: null, band: 0 },
      reported,
      leases.get(mac),
      guests.get(mac),
    );
    // unlisted: no traffic yet
    const { tx, rx } = wired?.get(mac) ?? (wired ? nothing : unsaid);
    take({ ...observation, port: cleanText(port, 32), tx, rx });
  }
  return observations;
}

interface Lease {
  ip: string | null;
  hostname: string | null;
}

function observationOf(
  mac: string,
  { own, ssid, band }: { own: string | null; ssid: string | null; band: Observation['band'] },
  raw: Wire<Association>,
  lease: Lease | undefined,
  guest: { username: string | null } | undefined,
): Observation {
  const sent = asCount(raw.tx_packets);
  return {
    mac,
    bssid: own ?? normaliseMac(raw.bssid) ?? 'unnamed',
    band,
    ssid,
    port: null,
    ip: cleanText(asAddress(raw.ipaddr_v4), 64) ?? lease?.ip ?? null,
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
    for (const entry of asList(asRecord<NonNullable<StateInterface['ipv4']>>(port.ipv4).leases)) {
      const lease = asRecord<{ address: string; hostname: string; mac: string }>(entry);
      const mac = normaliseMac(lease.mac);
      if (!mac || names.size >= 2 * maxStations) continue;
      const hostname = cleanText(lease.hostname, 64);
      // dnsmasq's value for no name
      names.set(mac, { ip: cleanText(lease.address, 64), hostname: hostname === '*' ? null : hostname });
    }
  }
  return names;
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
