import { isIPv4 } from 'node:net';
import type { Lease } from './gateway-host.ts';
import { type Forwarding, isWithin, type Neighbour, type OwnAddress } from './kernel.ts';
import type { Layout, LayoutInterface } from './layout.ts';

export interface Station {
  mac: string;
  interface: LayoutInterface;
  port: string;
  ipv4: readonly string[];
  ipv6: readonly string[];
  hostname: string | null;
  lastSeen: number;
  joinedAt: number;
}

export interface Sighting {
  at: number;
  addresses: readonly OwnAddress[];
  neighbours: readonly Neighbour[];
  forwarding: readonly Forwarding[];
  leases: readonly Lease[];
  unplugged: ReadonlySet<string>;
}

export interface Change {
  joined: readonly Station[];
  left: readonly Station[];
  ask: readonly { address: string; mac: string; device: string }[];
}

export interface ProbeTimeouts {
  ask: number;
  gone: number;
}

/**
 * From neighbour and forwarding tables. Entries outlive clients, so the last sign of life counts; ARP, which adds no
 * counted traffic, probes silent ones.
 */
export class Stations {
  readonly #present = new Map<string, Station>();

  constructor(readonly timeouts: ProbeTimeouts) {}

  get present(): ReadonlyMap<string, Station> {
    return this.#present;
  }

  look(layout: Layout, sighting: Sighting): Change {
    const { at } = sighting;
    const found = everybody(layout, sighting);
    const joined: Station[] = [];
    const left: Station[] = [];
    for (const seen of found.values()) {
      if (at - seen.lastSeen >= this.timeouts.gone) continue;
      const known = this.#present.get(key(seen));
      if (known)
        Object.assign(known, seen, { joinedAt: known.joinedAt, lastSeen: Math.max(known.lastSeen, seen.lastSeen) });
      else {
        const station = { ...seen, joinedAt: at };
        this.#present.set(key(seen), station);
        joined.push(station);
      }
    }
    const ask: { address: string; mac: string; device: string }[] = [];
    for (const [name, station] of this.#present) {
      const { interface: on, port } = station;
      const device = on.ports.find((one) => one.name === port)?.device;
      const pulled = device !== undefined && sighting.unplugged.has(device);
      const configured = layout.interfaces.some((one) => one.name === on.name && one.device === on.device);
      if (pulled || !configured || at - station.lastSeen >= this.timeouts.gone) {
        this.#present.delete(name);
        left.push(station);
      } else if (at - station.lastSeen >= this.timeouts.ask)
        for (const address of [...station.ipv4, ...station.ipv6].slice(0, 2))
          ask.push({ address, mac: station.mac, device: on.device });
    }
    return { joined, left, ask };
  }
}

const key = ({ mac, interface: on }: Pick<Station, 'mac' | 'interface'>) => `${mac} ${on.name}`;

function everybody(layout: Layout, sighting: Sighting): Map<string, Omit<Station, 'joinedAt'>> {
  const { at, neighbours, forwarding, leases } = sighting;
  const names = new Map(leases.map((lease) => [lease.mac, lease]));
  const found = new Map<string, Omit<Station, 'joinedAt'>>();
  for (const on of layout.interfaces) {
    const ports = new Map(on.ports.map(({ name, device }) => [device, name]));
    const behind = new Map(
      forwarding.flatMap((one) =>
        ports.has(one.port) ? [[one.mac, { ...one, name: ports.get(one.port)! }] as const] : [],
      ),
    );
    for (const { device, address, mac, confirmedS } of neighbours) {
      if (device !== on.device) continue;
      const frame = behind.get(mac);
      const port = frame?.name ?? on.ports[0]?.name;
      if (port === undefined) continue;
      const silent = Math.min(confirmedS ?? Infinity, frame?.seenS ?? Infinity);
      const lastSeen = silent === Infinity ? at : at - silent * 1000;
      const name = `${mac} ${on.name}`;
      const known = found.get(name);
      found.set(name, {
        mac,
        interface: on,
        port,
        hostname: names.get(mac)?.hostname ?? null,
        ipv4: isIPv4(address) ? [...(known?.ipv4 ?? []), address] : (known?.ipv4 ?? []),
        ipv6: isIPv4(address) ? (known?.ipv6 ?? []) : [...(known?.ipv6 ?? []), address],
        lastSeen: Math.max(lastSeen, known?.lastSeen ?? 0),
      });
    }
    // known by frames only: no address, or talking within the LAN
    for (const { mac, name: port, seenS } of behind.values()) {
      if (found.has(`${mac} ${on.name}`)) continue;
      const lease = names.get(mac);
      const ipv4 = lease && isOn(on, lease.address, sighting.addresses) ? [lease.address] : [];
      found.set(`${mac} ${on.name}`, {
        mac,
        interface: on,
        port,
        hostname: lease?.hostname ?? null,
        ipv4,
        ipv6: [],
        lastSeen: seenS === null ? at : at - seenS * 1000,
      });
    }
  }
  return found;
}

export function isOn(on: LayoutInterface, address: string, addresses: readonly OwnAddress[]): boolean {
  return addresses.some((own) => own.device === on.device && isWithin(address, own));
}
