import type {
  Counters,
  EdgeFlowState,
  EdgeFoundWan,
  EdgeState,
  EdgeStateReport,
  EdgeStationCounters,
  EdgeWanState,
  EdgeWatchState,
  LinkState,
  StateInterface,
  StateUnit,
} from '@yunxun/contract/device';
import type { Lease } from './gateway-host.ts';
import type { OwnAddress } from './kernel.ts';
import type { Layout, LayoutInterface } from './layout.ts';
import type { WanStatus } from './prober.ts';
import { isOn, type Station } from './stations.ts';

export interface Reading {
  layout: Layout;
  unit: StateUnit;
  counters: ReadonlyMap<string, Counters>;
  deltas: ReadonlyMap<string, Counters>;
  links: ReadonlyMap<string, LinkState>;
  addresses: readonly OwnAddress[];
  leases: readonly Lease[];
  stations: readonly Station[];
  lines: readonly WanStatus[];
  /** Null once configured. */
  found: readonly EdgeFoundWan[] | null;
  connections: { now: number | null; most: number | null };
  bytes: readonly EdgeStationCounters[];
  disk: { total: number; free: number } | null;
  flow: EdgeFlowState | null;
  watch: EdgeWatchState;
  ports: readonly { name: string; device: string }[];
}

export function reportOf(reading: Reading): EdgeStateReport {
  const { layout } = reading;
  return {
    version: 1,
    unit: reading.unit,
    interfaces: layout.interfaces.map((on) => interfaceOf(on, reading)),
    'link-state': {
      upstream: linksOf('WAN', reading),
      downstream: linksOf('LAN', reading),
    },
    yunxun: ownPart(reading),
  };
}

function interfaceOf(on: LayoutInterface, reading: Reading): StateInterface {
  const addresses = reading.addresses.filter(({ device }) => device === on.device);
  const leases = reading.leases.filter(({ address }) => on.role === 'downstream' && isOn(on, address, addresses));
  const v6 = addresses.filter(({ address }) => address.includes(':') && !address.startsWith('fe80:'));
  const counters = reading.counters.get(on.device);
  const delta = reading.deltas.get(on.device);
  return {
    name: on.name,
    location: on.location,
    ipv4: {
      addresses: addresses.flatMap(({ address, prefix }) => (address.includes(':') ? [] : [`${address}/${prefix}`])),
      leases: leases.map(({ expires, mac, address, hostname }) => ({
        // as the firmware: dnsmasq's first column, the lease's end
        assigned: expires,
        mac: colons(mac),
        address,
        ...(hostname === null ? {} : { hostname }),
      })),
    },
    ...(v6.length === 0 ? {} : { ipv6: { addresses: v6.map(({ address }) => ({ address })) } }),
    ...(counters === undefined ? {} : { counters }),
    ...(delta === undefined ? {} : { delta_counters: delta }),
    clients: reading.stations
      .filter((station) => station.interface.name === on.name)
      .map(({ mac, ipv4, ipv6, port, lastSeen, hostname }) => ({
        mac: colons(mac),
        ipv4_addresses: ipv4,
        ipv6_addresses: ipv6,
        ports: [port],
        last_seen: Math.floor(lastSeen / 1000),
        ...(hostname === null ? {} : { fingerprint: { device_name: hostname } }),
      })),
  };
}

function linksOf(side: 'WAN' | 'LAN', { ports, links, counters, deltas }: Reading): Record<string, LinkState> {
  return Object.fromEntries(
    ports.flatMap(({ name, device }) => {
      const link = links.get(device);
      if (!name.startsWith(side) || !link) return [];
      const [now, delta] = [counters.get(device), deltas.get(device)];
      return [[name, { ...link, ...(now ? { counters: now } : {}), ...(delta ? { delta_counters: delta } : {}) }]];
    }),
  );
}

function ownPart({ connections, lines: wans, found, bytes, disk, flow, watch }: Reading): EdgeState {
  return {
    connections: connections.now,
    connections_max: connections.most,
    lines: wans.map(
      (wan): EdgeWanState => ({
        interface: wan.interface,
        address: wan.address,
        gateway: wan.gateway,
        alive: wan.alive,
        latency_ms: wan.latencyMs,
        loss_pct: wan.lossPct,
        since: wan.since === null ? null : Math.floor(wan.since / 1000),
      }),
    ),
    ...(found === null ? {} : { found }),
    stations: bytes,
    disk,
    flow,
    watch,
  };
}

export function colons(mac: string): string {
  return mac.replace(/(..)(?=.)/g, '$1:');
}
