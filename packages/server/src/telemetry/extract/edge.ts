import {
  asAddress,
  asCount,
  asFlag,
  asList,
  asNumber,
  asRecord,
  asTexts,
  type EdgeSdwanPeerState,
  type EdgeSdwanState,
  type EdgeState,
  type EdgeStationCounters,
  type EdgeWanState,
  edgeMaxStations,
  isRecord,
  normaliseMac,
  type StateInterface,
} from '@yunxun/contract/device';
import { readSubnet } from '@yunxun/contract/ipv4';
import type { Absolute } from './counters.ts';
import { type Clamps, capped, cleanText, wholeWithin, within } from './values.ts';

export interface EdgeFacts {
  kept: KeptEdge;
  /** Absolute bytes of wired clients by MAC, former ones included; null if incomplete. */
  stations: Map<string, Absolute> | null;
}

export interface KeptEdge {
  connections: number | null;
  connections_max: number | null;
  lines: EdgeWanState[];
  disk: { total: number; free: number } | null;
  leases: KeptLeases[];
  /** With probed tunnels and those that are up. */
  sdwan: KeptSdwan[];
  /** Counts wired clients; unlisted ones have zero bytes. */
  counts: boolean;
}

export interface KeptLeases {
  /** Gateway address with prefix: `192.168.1.1/24`. */
  subnet: string;
  count: number;
}

export interface KeptSdwan {
  id: string;
  tunnels: number;
  up: number;
}

const maxLans = 64;
const maxSdwan = 16;
const maxTunnels = 1024;
const maxLines = 16;
const maxConnections = 2 ** 31 - 1;
const slowest = 600_000;
const latest = 1e11;

/** Accepts fields of any type. Never throws. */
export function edgeOf(state: Readonly<Record<string, unknown>>, clamps: Clamps): EdgeFacts | null {
  if (typeof state.yunxun !== 'object' || state.yunxun === null) return null;
  const raw = asRecord<EdgeState>(state.yunxun);
  // `flow` states that the counters are complete
  const stations = isRecord(raw.flow) ? countersOf(raw.stations, clamps) : null;
  const connections = within(asCount(raw.connections), maxConnections);
  return {
    kept: {
      connections,
      connections_max: within(asCount(raw.connections_max), maxConnections),
      lines: linesOf(raw.lines, clamps),
      disk: diskOf(raw.disk),
      leases: leasesOf(state.interfaces, clamps),
      sdwan: sdwanOf(raw.sdwan, clamps),
      counts: stations !== null,
    },
    stations,
  };
}

function linesOf(value: unknown, clamps: Clamps): EdgeWanState[] {
  const seen = new Set<string>();
  return capped(asList(value), maxLines, clamps).flatMap((entry) => {
    const wan = asRecord<EdgeWanState>(entry);
    const name = cleanText(wan.interface, 32);
    if (name === null || seen.has(name)) return [];
    seen.add(name);
    const latency = within(asNumber(wan.latency_ms), slowest);
    const loss = within(asNumber(wan.loss_pct), 100);
    return {
      interface: name,
      address: cleanText(asAddress(wan.address), 64),
      gateway: cleanText(asAddress(wan.gateway), 64),
      alive: asFlag(wan.alive),
      latency_ms: latency === null ? null : Math.round(latency * 100) / 100,
      loss_pct: loss === null ? null : Math.round(loss * 10) / 10,
      since: wholeWithin(wan.since, 1, latest),
    };
  });
}

function diskOf(value: unknown): KeptEdge['disk'] {
  const { total, free } = asRecord<{ total: number; free: number }>(value);
  const bytes = asCount(total);
  const left = asCount(free);
  return bytes === null || left === null || bytes === 0 || left > bytes ? null : { total: bytes, free: left };
}

function leasesOf(value: unknown, clamps: Clamps): KeptLeases[] {
  return capped(asList(value), maxLans, clamps).flatMap((entry) => {
    const { addresses, leases } = asRecord<NonNullable<StateInterface['ipv4']>>(asRecord<StateInterface>(entry).ipv4);
    const subnet = cleanText(asTexts(addresses)[0], 18);
    const count = asList(leases).length;
    return subnet !== null && readSubnet(subnet) !== null && count > 0 ? [{ subnet, count }] : [];
  });
}

/** Counts tunnels without a probe result as neither up nor down. */
function sdwanOf(value: unknown, clamps: Clamps): KeptSdwan[] {
  const { networks } = asRecord<EdgeSdwanState>(value);
  return capped(asList(networks), maxSdwan, clamps).flatMap((entry) => {
    const { id, peers } = asRecord<EdgeSdwanState['networks'][number]>(entry);
    const name = cleanText(id, 36);
    if (name === null) return [];
    const states = capped(asList(peers), maxTunnels, clamps).flatMap(
      (peer) => asFlag(asRecord<EdgeSdwanPeerState>(peer).alive) ?? [],
    );
    return [{ id: name, tunnels: states.length, up: states.filter(Boolean).length }];
  });
}

/** Rejects too long lists: missing clients would seem new. */
function countersOf(value: unknown, clamps: Clamps): EdgeFacts['stations'] {
  if (!Array.isArray(value)) return null;
  if (value.length > edgeMaxStations) {
    clamps.count += value.length;
    return null;
  }
  const bytes = new Map<string, Absolute>();
  for (const entry of asList(value)) {
    const { mac, rx_bytes: rx, tx_bytes: tx } = asRecord<EdgeStationCounters>(entry);
    const name = normaliseMac(mac);
    if (name && !bytes.has(name)) bytes.set(name, { rx: asCount(rx), tx: asCount(tx) });
  }
  return bytes;
}
