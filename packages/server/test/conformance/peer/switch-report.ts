import type { Verdict } from './firmware.ts';
import type { Json } from './json.ts';

export interface PortState {
  /** Mbit/s; null: no link. */
  speed: number | null;
  duplex?: 'full' | 'half';
  rx?: number;
  tx?: number;
  /** mW; absent without PoE. */
  milliwatts?: number;
  peer?: Json;
  macs?: Record<string, string[]>;
}

/** Imitates the open switch client: all ports and neighbours under `upstream`, no speed while down. */
export function switchReport(ports: Readonly<Record<string, PortState>>, uptime = 1000): Json {
  const entries = Object.entries(ports);
  return {
    version: 1,
    unit: {
      load: [0.1, 0.1, 0.1],
      localtime: 1_790_000_000 + uptime,
      memory: { buffered: 0, cached: 0, free: 500_000_000, total: 1_000_000_000 },
      uptime,
      poe: { 'max-power-budget': 370, 'power-consumed': 12, 'power-threshold': 90, 'power-status': 'normal' },
    },
    interfaces: [{ name: 'Vlan1', location: '/interfaces/0', uptime }],
    'link-state': { upstream: Object.fromEntries(entries.map(([name, port]) => [name, linkOf(port)])) },
    'lldp-peers': {
      upstream: Object.fromEntries(entries.flatMap(([name, { peer }]) => (peer ? [[name, [peer]]] : []))),
      downstream: {},
    },
    'mac-forwarding-table': {
      overflow: false,
      ...Object.fromEntries(entries.flatMap(([name, { macs }]) => (macs ? [[name, macs]] : []))),
    },
    'default-gateway': [{ prefix: '0.0.0.0/0', nexthop: '192.0.2.1', vrf: 0 }],
  };
}

function linkOf({ speed, duplex = 'full', rx = 0, tx = 0, milliwatts }: PortState): Json {
  return {
    counters: {
      collisions: 0,
      multicast: 0,
      rx_bytes: rx,
      rx_dropped: 0,
      rx_error: 0,
      rx_packets: 0,
      tx_bytes: tx,
      tx_dropped: 0,
      tx_error: 0,
      tx_packets: 0,
    },
    carrier: speed !== null,
    ...(speed !== null && { speed, duplex }),
    ...(milliwatts !== undefined && {
      poe: {
        counters: { overload: 0, short: 0, 'power-denied': 0, absent: 0, 'invalid-signature': 0 },
        'class-requested': milliwatts ? 4 : 0,
        'class-assigned': milliwatts ? 4 : 0,
        'output-power': milliwatts,
        'output-current': 0,
        'output-voltage': '54.0',
        temp: '40',
        'fault-status': 'no-fault',
        status: milliwatts ? 'delivering-power' : 'searching',
      },
    }),
  };
}

export function parseAsSwitch(ports: readonly string[]): (config: Json) => Verdict {
  const known = (entry: Json) => {
    const chosen = entry['select-ports'];
    return Array.isArray(chosen) && chosen.length > 0 && chosen.every((port) => ports.includes(String(port)));
  };
  return (config) => {
    const ethernet = (config.ethernet ?? []) as Json[];
    const members = ((config.interfaces ?? []) as Json[]).flatMap((entry) => (entry.ethernet ?? []) as Json[]);
    const fits =
      ethernet.every((entry) => known(entry) && Boolean(entry.speed) && Boolean(entry.duplex)) &&
      members.every((entry) => known(entry) && ['tagged', 'un-tagged'].includes(String(entry['vlan-tag'])));
    return fits ? { error: 0, rejected: [] } : { error: 2, rejected: ['parse failed'] };
  };
}
