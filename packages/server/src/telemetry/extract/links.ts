import {
  asCount,
  asFlag,
  asList,
  asRecord,
  asTexts,
  isRecord,
  type LinkState,
  type LldpPeer,
  normaliseMac,
  type State,
  type StateClient,
  type Wire,
} from '@yunxun/contract/device';
import { interfacesOf, noSocket, ssidsOf } from './neighbours.ts';
import { isSwitchReport, linkedPorts, type PortCounters } from './switch-ports.ts';
import { type Clamps, capped, cleanText, wholeWithin } from './values.ts';

export interface KeptPeer {
  port: string;
  up: boolean;
  mac: string | null;
  name: string | null;
  far_port: string | null;
  description: string | null;
  /** LLDP: `Bridge`, `Router`, `Wlan`, … */
  roles: string[];
  address: string | null;
}

export interface KeptPort {
  name: string;
  up: boolean;
  carrier: boolean;
  /** Mbit/s */
  speed: number | null;
  bytes?: Pick<PortCounters, 'rx_bytes' | 'tx_bytes'>;
}

export interface KeptLinks {
  lldp: KeptPeer[];
  ports: KeptPort[];
  /** Without uplinks and radios. */
  macs: Record<string, string[]>;
  own: string[];
}

const maxPeers = 64;
const maxPorts = 128;
const maxMacs = 4096;

/** Returns null without topology. Never throws. */
export function linksOf(state: Wire<State>, clamps: Clamps): KeptLinks | null {
  const ports = portsIn(state, clamps);
  const uplinks = namesOf(ports, ({ up }) => up);
  // the MAC table of an unplugged port is outdated
  const dead = namesOf(ports, ({ carrier }) => !carrier);
  const isUp = (name: string) => /^wan/i.test(name) || uplinks.has(name);
  const lldp = peersOf(state, isUp, clamps);
  const radios = new Set<unknown>([noSocket]);
  const own = new Set<string>();
  for (const port of interfacesOf(state)) {
    for (const ssid of ssidsOf(port)) {
      radios.add(ssid.iface);
      const bssid = normaliseMac(ssid.bssid);
      if (bssid !== null) own.add(bssid);
    }
  }
  const macs = macsOf(state, (name) => isUp(name) || radios.has(name) || dead.has(name), clamps);
  if (ports.length + lldp.length + own.size === 0 && Object.keys(macs).length === 0) return null;
  return { lldp, ports, macs, own: [...own].slice(0, maxPorts) };
}

/** Never throws. */
export function portsIn(state: Wire<State>, clamps: Clamps): KeptPort[] {
  return isSwitchReport(state) ? portsOfSwitch(state) : portsOf(state, clamps);
}

const namesOf = (ports: readonly KeptPort[], which: (port: KeptPort) => boolean) =>
  new Set(ports.filter(which).map(({ name }) => name));

/** Finds the uplink by a router's LLDP: the open switch client lists all ports under `upstream`. */
function portsOfSwitch(state: Wire<State>): KeptPort[] {
  return linkedPorts(state).map(({ name, up, speed, counters, peers }) => ({
    name,
    carrier: up,
    speed,
    up: peers.some(({ roles }) => roles.some((role) => /^router$/i.test(role))),
    ...(counters && { bytes: { rx_bytes: counters.rx_bytes, tx_bytes: counters.tx_bytes } }),
  }));
}

type Side = 'upstream' | 'downstream';
const sides: readonly Side[] = ['upstream', 'downstream'];

function socketName(key: string): string | null {
  const name = cleanText(key, 32);
  return name === noSocket ? null : name;
}

function portsOf(state: Wire<State>, clamps: Clamps): KeptPort[] {
  const links = asRecord<Record<Side, unknown>>(state['link-state']);
  const found = sides.flatMap((side) =>
    Object.entries(asRecord<Record<string, unknown>>(links[side])).flatMap(([key, entry]) => {
      const name = socketName(key);
      const { carrier, speed } = asRecord<LinkState>(entry);
      if (name === null) return [];
      const plugged = asFlag(carrier) ?? (asCount(carrier) ?? 0) > 0;
      const linked = plugged ? wholeWithin(speed, 1, 1_000_000) : null;
      return [{ name, up: side === 'upstream', carrier: plugged, speed: linked }];
    }),
  );
  return [...capped(found, maxPorts, clamps)];
}

function peersOf(state: Wire<State>, isUp: (port: string) => boolean, clamps: Clamps): KeptPeer[] {
  const ofSwitch = isSwitchReport(state);
  const reported = asRecord<Record<Side, unknown>>(state['lldp-peers']);
  const found = sides.flatMap((side) =>
    Object.entries(asRecord<Record<string, unknown>>(reported[side])).flatMap(([key, list]) => {
      const port = socketName(key);
      if (port === null) return [];
      return asList(list).flatMap((entry): KeptPeer[] => {
        const peer = asRecord<LldpPeer>(entry);
        const mac = normaliseMac(peer.mac);
        const name = cleanText(peer.name, 64);
        if (mac === null && name === null) return [];
        return [
          {
            port,
            up: (side === 'upstream' && !ofSwitch) || isUp(port),
            mac,
            name,
            far_port: cleanText(peer.port_id, 64) ?? cleanText(peer.port, 64),
            description: cleanText(peer.description, 128),
            roles: asTexts(peer.capability)
              .slice(0, 8)
              .flatMap((role) => cleanText(role, 32) ?? []),
            address: cleanText(asTexts(peer.management_ips)[0], 64),
          },
        ];
      });
    }),
  );
  return [...capped(found, maxPeers, clamps)];
}

/** Reads bridges (interface clients) and switches (port and VLAN). */
function macsOf(state: Wire<State>, isLeftOut: (port: string) => boolean, clamps: Clamps): KeptLinks['macs'] {
  const byPort = new Map<string, Set<string>>();
  let count = 0;
  const add = (key: unknown, value: unknown): void => {
    const port = cleanText(key, 32);
    const mac = normaliseMac(value);
    if (port === null || mac === null || isLeftOut(port)) return;
    let macs = byPort.get(port);
    if (macs?.has(mac)) return;
    if (count >= maxMacs) {
      clamps.count += 1;
      return;
    }
    macs ??= new Set();
    byPort.set(port, macs.add(mac));
    count += 1;
  };
  for (const port of interfacesOf(state)) {
    for (const entry of asList(port.clients)) {
      const client = asRecord<StateClient>(entry);
      const names = asTexts(client.ports);
      // several ports are ambiguous
      if (names.length === 1) add(names[0], client.mac);
    }
  }
  for (const [port, vlans] of Object.entries(asRecord<Record<string, unknown>>(state['mac-forwarding-table']))) {
    if (!isRecord(vlans)) continue;
    for (const macs of Object.values(vlans)) for (const mac of asList(macs)) add(port, mac);
  }
  return Object.fromEntries([...byPort].map(([port, macs]) => [port, [...macs]]));
}
