import { createHash } from 'node:crypto';
import type { EdgeDocument, Network, Port, Uplink } from '../document/document.ts';
import { comparePorts } from '../document/ports.ts';
import type { PlanLink } from './plan.ts';

/** An uplink with its device and its number. */
export interface Line extends Uplink {
  device: string;
  /** 1 … 8, by the order of the sockets; table, mark and rules follow from it. */
  number: number;
}

/** A network with its device: the one socket it has, else a bridge. */
export interface Lan extends Network {
  device: string;
}

/** The document with the devices of the kernel that it becomes. Sorted, whatever order it was written in. */
export interface Wiring {
  lines: readonly Line[];
  lans: readonly Lan[];
  links: readonly PlanLink[];
}

/** Names of bridges and VLAN devices begin so, and nothing else does. */
export const ownPrefix = 'yx-';

/** Gives every interface its device. */
export function wire({ uplinks, networks }: EdgeDocument): Wiring {
  const lines = uplinks
    .toSorted((a, b) => comparePorts(a.port.name, b.port.name) || a.vlan - b.vlan)
    .map((uplink, index): Line => ({ ...uplink, number: index + 1, device: deviceOf(uplink.port, uplink.vlan) }));
  const lans = networks
    .map((network): Lan => ({ ...network, device: lanDevice(network) }))
    .toSorted((a, b) => compareTexts(a.device, b.device));
  return { lines, lans, links: linksOf(lines, lans) };
}

/**
 * `yx-lan` for "LAN"; names that no device can have get a digest. It depends on the name alone: another network that
 * comes or goes renames no bridge. Names are unique without case, so these are too.
 */
export function bridgeName(name: string): string {
  const lower = name.toLowerCase();
  const plain = /^[a-z][a-z0-9]{0,11}$/.test(lower) && !/^[hvi][0-9a-f]{6}/.test(lower);
  return `${ownPrefix}${plain ? lower : `h${digest(lower, 9)}`}`;
}

/**
 * A network with one socket has no bridge. Where a kernel filters bridges (`bridge-nf-call-iptables`, as Docker wants it) a
 * bridge would lose what a terminal sends to a forwarded port of its own network: the answer leaves by the same socket.
 */
function lanDevice({ name, ports, vlan }: Network): string {
  const [port] = ports;
  return port && ports.length === 1 ? deviceOf(port, vlan) : bridgeName(name);
}

/** The device that carries frames: the socket itself, or a VLAN device on it. */
function deviceOf({ device, tagged }: Port, vlan: number): string {
  return tagged ? vlanName(device, vlan) : device;
}

function vlanName(parent: string, vlan: number): string {
  return `${ownPrefix}v${digest(parent, 6)}${String(vlan).padStart(4, '0')}`;
}

/** The ifb that what comes in at a device goes through. */
export function ifbName(device: string): string {
  return `${ownPrefix}i${digest(device, 9)}`;
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Order by code units: the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Bridges, then sockets, then VLAN devices on them, then the ways in that are limited. */
function linksOf(lines: readonly Line[], lans: readonly Lan[]): PlanLink[] {
  const bridges = lans
    .filter(({ ports }) => ports.length !== 1)
    .map(({ device, mtu }): PlanLink => ({ kind: 'bridge', device, mtu }));
  const ports = new Map<string, PlanLink>();
  const vlans: PlanLink[] = [];
  const join = (port: Port, vlan: number, master: string | null, mtu: number | null) => {
    if (!port.tagged) {
      ports.set(port.device, { kind: 'port', device: port.device, master, mtu });
      return;
    }
    // a socket that only carries tags has to be up as well
    if (!ports.has(port.device)) ports.set(port.device, { kind: 'port', device: port.device, master: null, mtu: null });
    vlans.push({ kind: 'vlan', device: vlanName(port.device, vlan), parent: port.device, id: vlan, master, mtu });
  };
  for (const { port, vlan, mtu } of lines) join(port, vlan, null, mtu);
  for (const { ports: sockets, vlan, device, mtu } of lans) {
    const bridge = sockets.length === 1 ? null : device;
    for (const port of sockets) join(port, vlan, bridge, mtu);
  }
  const ifbs = lines
    .filter(({ downKbps }) => downKbps !== null)
    .map(({ device }): PlanLink => ({ kind: 'ifb', device: ifbName(device) }));
  return [
    ...bridges,
    ...[...ports.values()].toSorted(byDevice),
    ...vlans.toSorted(byDevice),
    ...ifbs.toSorted(byDevice),
  ];
}

function byDevice(a: PlanLink, b: PlanLink): number {
  return compareTexts(a.device, b.device);
}
