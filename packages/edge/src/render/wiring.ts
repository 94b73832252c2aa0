import { createHash } from 'node:crypto';
import type { EdgeDocument, Network, Port, Uplink } from '../document/document.ts';
import { comparePorts } from '../document/ports.ts';
import { deviceMtus } from './mtu.ts';
import type { PlanLink } from './plan.ts';

export interface Wan extends Uplink {
  device: string;
  number: number;
}

export interface Lan extends Network {
  device: string;
}

export interface Wiring {
  wans: readonly Wan[];
  lans: readonly Lan[];
  links: readonly PlanLink[];
}

export const ownPrefix = 'yx-';

export function wire({ uplinks, networks }: EdgeDocument): Wiring {
  const wans = uplinks
    .toSorted((a, b) => comparePorts(a.port.name, b.port.name) || a.vlan - b.vlan)
    .map((uplink, index): Wan => ({ ...uplink, number: index + 1, device: deviceOf(uplink.port, uplink.vlan) }));
  const lans = networks
    .map((network): Lan => ({ ...network, device: lanDevice(network) }))
    .toSorted((a, b) => compareTexts(a.device, b.device));
  return { wans, lans, links: linksOf(wans, lans) };
}

/** Returns `yx-lan` for "LAN", or a digest. Depends on the name alone: other networks never rename a bridge. */
export function bridgeName(name: string): string {
  const lower = name.toLowerCase();
  const plain = /^[a-z][a-z0-9]{0,11}$/.test(lower) && !/^[hvi][0-9a-f]{6}/.test(lower);
  return `${ownPrefix}${plain ? lower : `h${digest(lower, 9)}`}`;
}

/** Returns a single port without a bridge: with `bridge-nf-call-iptables` (Docker), a bridge drops hairpin traffic. */
function lanDevice({ name, ports, vlan }: Network): string {
  const [port] = ports;
  return port && ports.length === 1 ? deviceOf(port, vlan) : bridgeName(name);
}

export function deviceOf({ device, tagged }: Port, vlan: number): string {
  return tagged ? vlanName(device, vlan) : device;
}

function vlanName(parent: string, vlan: number): string {
  return `${ownPrefix}v${digest(parent, 6)}${String(vlan).padStart(4, '0')}`;
}

export function ifbName(device: string): string {
  return `${ownPrefix}i${digest(device, 9)}`;
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Compares code units, not locales. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function linksOf(wans: readonly Wan[], lans: readonly Lan[]): PlanLink[] {
  const bridges = lans
    .filter(({ ports }) => ports.length !== 1)
    .map(({ device, mtu }): PlanLink => ({ kind: 'bridge', device, mtu }));
  const ports = new Map<string, PlanLink>();
  const vlans: PlanLink[] = [];
  const mtus = deviceMtus([...wans.map((wan) => ({ ...wan, ports: [wan.port] })), ...lans]);
  const join = (port: Port, vlan: number, master: string | null, own: number | null, mac: string | null = null) => {
    const parent = port.device;
    const more = {
      master,
      mtu: port.tagged ? mtus.vlan(parent, own) : mtus.port(parent),
      ...(mac !== null && { mac }),
    };
    if (!port.tagged) {
      ports.set(parent, { kind: 'port', device: parent, ...more });
      return;
    }
    // for tagged VLANs the port must be up too
    if (!ports.has(parent)) ports.set(parent, { kind: 'port', device: parent, master: null, mtu: mtus.port(parent) });
    vlans.push({ kind: 'vlan', device: vlanName(parent, vlan), parent, id: vlan, ...more });
  };
  for (const { port, vlan, mtu, mac } of wans) join(port, vlan, null, mtu, mac);
  for (const { ports: sockets, vlan, device, mtu } of lans) {
    const bridge = sockets.length === 1 ? null : device;
    for (const port of sockets) join(port, vlan, bridge, mtu);
  }
  const ifbs = wans
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
