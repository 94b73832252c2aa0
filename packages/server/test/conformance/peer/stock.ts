import { isTable } from './firmware.ts';
import type { Json } from './json.ts';

/** Default report interval in seconds, without `metrics.statistics` (real-devices.md). */
export const defaultIntervalS = 600;

/** Factory document: it routes and requests no reports. */
export const factoryDocument: Readonly<Json> = {
  uuid: 1,
  interfaces: [
    {
      name: 'WAN',
      role: 'upstream',
      services: ['lldp'],
      ethernet: [{ 'select-ports': ['WAN*'] }],
      ipv4: { addressing: 'dynamic' },
    },
    {
      name: 'LAN',
      role: 'downstream',
      services: ['ssh', 'lldp'],
      ethernet: [{ 'select-ports': ['LAN*'] }],
      ipv4: {
        addressing: 'static',
        subnet: '192.168.1.1/24',
        dhcp: { 'lease-first': 10, 'lease-count': 100, 'lease-time': '6h' },
      },
    },
  ],
  services: { lldp: { describe: 'uCentral', location: 'universe' }, ssh: { port: 22 } },
};

/** Another console's document: all ports in one segment. */
export const bridgingDocument: Readonly<Json> = {
  uuid: 2,
  interfaces: [
    {
      name: 'WAN',
      role: 'upstream',
      ethernet: [{ 'select-ports': ['WAN*', 'LAN*'] }],
      ipv4: { addressing: 'dynamic' },
    },
  ],
};

export interface Neighbour {
  mac: string;
  address: string;
}

const table = (value: unknown): Json => (isTable(value) ? value : {});
const tables = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isTable) : []);

export function intervalOf(config: Json): number {
  return Number(table(table(config.metrics).statistics).interval ?? defaultIntervalS);
}

export function sendsRealtime(config: Json, group: string): boolean {
  const { types } = table(table(config.metrics).realtime);
  return Array.isArray(types) && types.includes(group);
}

/** The report of a firmware whose counter script failed: every counter of every interface is 0. */
export function withoutCounts(state: Json): Json {
  const zeroed = (entry: Json): Json =>
    isTable(entry.counters)
      ? { ...entry, counters: Object.fromEntries(Object.keys(entry.counters).map((name) => [name, 0])) }
      : entry;
  const interfaces = tables(state.interfaces).map(
    (entry): Json => ({ ...zeroed(entry), ...(entry.ssids ? { ssids: tables(entry.ssids).map(zeroed) } : {}) }),
  );
  return { ...state, interfaces };
}

/** Interfaces and links always; clients, leases and SSIDs only if listed in `metrics.statistics.types`. */
export function stockState(config: Json, behind: readonly Neighbour[], localtime: number): Json {
  const { types } = table(table(config.metrics).statistics);
  const reports = (type: string) => Array.isArray(types) && types.includes(type);
  const interfaces = tables(config.interfaces).map((entry, index): Json => {
    const upstream = entry.role === 'upstream';
    const ipv4 = table(entry.ipv4);
    const vlan = Number(table(entry.vlan).id ?? 0);
    const addresses = ipv4.addressing === 'dynamic' ? ['203.0.113.20/24'] : ipv4.subnet ? [ipv4.subnet] : [];
    const served = !upstream && ipv4.dhcp && reports('clients') && behind.length > 0;
    return {
      name: `${upstream ? 'up' : 'down'}${index}v${vlan}`,
      location: `/interfaces/${index}`,
      ipv4: {
        addresses,
        ...(ipv4.addressing === 'dynamic' ? { leasetime: 7200, dhcp_server: '203.0.113.1' } : {}),
        ...(served ? { leases: behind.map(({ mac, address }) => ({ mac, address, assigned: 1 })) } : {}),
      },
      ...(served
        ? { clients: behind.map(({ mac, address }) => ({ mac, ipv4_addresses: [address], ports: ['LAN'] })) }
        : {}),
      ...(reports('ssids')
        ? { ssids: tables(entry.ssids).map(({ name }) => ({ ssid: name, mode: 'ap', associations: [] })) }
        : {}),
    };
  });
  const link = { carrier: 1, speed: 1000, duplex: 'full' };
  return {
    version: 1,
    unit: { localtime, load: [0.1, 0.1, 0.1] },
    interfaces,
    'link-state': { upstream: { WAN: link }, downstream: { LAN: link } },
  };
}
