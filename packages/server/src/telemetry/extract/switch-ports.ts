import {
  asCount,
  asFlag,
  asList,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type Counters,
  isRecord,
  type LinkState,
  type LldpPeer,
  normaliseMac,
  type PortPower,
  type State,
  type StateUnit,
  type Wire,
} from '@yunxun/contract/device';
import type { ReportedPort } from '../../uplink/ports.ts';
import { cleanText, wholeWithin } from './values.ts';

/** Since the switch started. */
export interface PortCounters {
  rx_bytes: number;
  tx_bytes: number;
  rx_errors: number;
  tx_errors: number;
  rx_dropped: number;
  tx_dropped: number;
}

export interface PortPeer {
  mac: string | null;
  name: string | null;
  port: string | null;
  description: string | null;
  address: string | null;
  roles: string[];
}

export interface SwitchPort extends Omit<ReportedPort, 'poe'> {
  up: boolean;
  counters: PortCounters | null;
  /** Null: no PoE. */
  poe: {
    status: string | null;
    fault: string | null;
    /** 0-8; null if unpowered. */
    class: number | null;
    /** W */
    watts: number | null;
  } | null;
  peers: PortPeer[];
  macs: { mac: string; vlan: number | null }[];
}

export type LinkedPort = Omit<SwitchPort, 'poe' | 'macs'>;

/** Watts. */
export interface PowerBudget {
  budget: number;
  consumed: number;
}

const maxPorts = 128;
const switchPort = /^Ethernet\d{1,3}$/;
const sides = ['upstream', 'downstream'] as const;

/** Reads `upstream`, where the open switch client lists every port. */
function linksOf(state: Wire<State>): [name: string, link: Wire<LinkState>][] {
  const links = asRecord<Record<string, unknown>>(state['link-state']);
  return sides
    .flatMap((side) => Object.entries(asRecord<Record<string, unknown>>(links[side])))
    .filter(([name]) => switchPort.test(name))
    .slice(0, maxPorts)
    .map(([name, link]) => [name, asRecord<LinkState>(link)]);
}

/** Recognises port names `Ethernet0`, `Ethernet1`, … */
export function isSwitchReport(state: Wire<State>): boolean {
  const links = asRecord<Record<string, unknown>>(state['link-state']);
  return sides.some((side) => Object.keys(asRecord(links[side])).some((name) => switchPort.test(name)));
}

const isUp = ({ carrier }: Wire<LinkState>) => asFlag(carrier) ?? (asCount(carrier) ?? 0) > 0;

function reported([name, link]: [string, Wire<LinkState>]): ReportedPort {
  const up = isUp(link);
  const duplex = link.duplex === 'half' || link.duplex === 'full' ? link.duplex : null;
  return {
    name,
    speed: up ? wholeWithin(link.speed, 1, 1_000_000) : null,
    duplex: up ? duplex : null,
    poe: isRecord(link.poe),
  };
}

/** Returns ports that a switch configuration refers to; empty for other devices. Never throws. */
export function reportedPorts(state: Wire<State>): ReportedPort[] {
  return linksOf(state).map(reported);
}

/** Sorts by port number. Never throws. */
export function switchPorts(state: Wire<State>): SwitchPort[] {
  const tables = asRecord<Record<string, unknown>>(state['mac-forwarding-table']);
  return sortedPorts(state, (port, { poe }) => ({
    ...port,
    poe: isRecord(poe) ? powerOf(asRecord<PortPower>(poe)) : null,
    macs: macsOf(tables[port.name]),
  }));
}

/** Returns what each report keeps of `switchPorts`. Never throws. */
export const linkedPorts = (state: Wire<State>): LinkedPort[] => sortedPorts(state, ({ poe: _poe, ...port }) => port);

function sortedPorts<T extends { name: string }>(
  state: Wire<State>,
  portOf: (port: Omit<SwitchPort, 'poe' | 'macs'> & { poe: boolean }, link: Wire<LinkState>) => T,
): T[] {
  const peers = peersByPort(state);
  return linksOf(state)
    .map(([name, link]) => {
      const port = reported([name, link]);
      return portOf(
        { ...port, up: isUp(link), counters: countersOf(link.counters), peers: peers.get(name) ?? [] },
        link,
      );
    })
    .toSorted((a, b) => portNumber(a.name) - portNumber(b.name));
}

export function portNumber(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}

/** Returns null without PoE. */
export function powerBudget(state: Wire<State>): PowerBudget | null {
  const poe = asRecord<NonNullable<StateUnit['poe']>>(asRecord<StateUnit>(state.unit).poe);
  const [budget, consumed] = [asNumber(poe['max-power-budget']), asNumber(poe['power-consumed'])];
  return budget === null || consumed === null || budget <= 0 ? null : { budget, consumed };
}

function countersOf(given: unknown): PortCounters | null {
  if (!isRecord(given)) return null;
  const counters = asRecord<Counters & { rx_error: number; tx_error: number }>(given);
  const [rx, tx] = [asCount(counters.rx_bytes), asCount(counters.tx_bytes)];
  if (rx === null || tx === null) return null;
  return {
    rx_bytes: rx,
    tx_bytes: tx,
    // the open client uses the singular
    rx_errors: asCount(counters.rx_errors) ?? asCount(counters.rx_error) ?? 0,
    tx_errors: asCount(counters.tx_errors) ?? asCount(counters.tx_error) ?? 0,
    rx_dropped: asCount(counters.rx_dropped) ?? 0,
    tx_dropped: asCount(counters.tx_dropped) ?? 0,
  };
}

function powerOf(poe: Wire<PortPower>): NonNullable<SwitchPort['poe']> {
  const milliwatts = wholeWithin(poe['output-power'], 0, 200_000);
  const fault = cleanText(asText(poe['fault-status'], 64), 64);
  return {
    status: cleanText(asText(poe.status, 64), 64),
    fault: fault === null || /^no[-_ ]?fault$/i.test(fault) ? null : fault,
    class: milliwatts ? wholeWithin(poe['class-assigned'], 0, 8) : null,
    watts: milliwatts === null ? null : milliwatts / 1000,
  };
}

function peersByPort(state: Wire<State>): Map<string, PortPeer[]> {
  const reported = asRecord<Record<string, unknown>>(state['lldp-peers']);
  const found = new Map<string, PortPeer[]>();
  for (const side of sides) {
    for (const [port, list] of Object.entries(asRecord<Record<string, unknown>>(reported[side]))) {
      if (!switchPort.test(port)) continue;
      const peers = asList(list).slice(0, 4).map(peerOf);
      found.set(port, [...(found.get(port) ?? []), ...peers]);
    }
  }
  return found;
}

function peerOf(entry: unknown): PortPeer {
  const peer = asRecord<LldpPeer>(entry);
  return {
    mac: normaliseMac(peer.mac),
    name: cleanText(peer.name, 64),
    port: cleanText(peer.port_id, 64) ?? cleanText(peer.port, 64),
    description: cleanText(peer.description, 128),
    address: cleanText(asTexts(peer.management_ips)[0], 64),
    roles: asTexts(peer.capability)
      .slice(0, 8)
      .flatMap((role) => cleanText(role, 32) ?? []),
  };
}

function macsOf(vlans: unknown): SwitchPort['macs'] {
  if (!isRecord(vlans)) return [];
  return Object.entries(vlans).flatMap(([vlan, list]) =>
    asList(list).flatMap((entry) => {
      const mac = normaliseMac(entry);
      return mac === null ? [] : [{ mac, vlan: wholeWithin(Number(vlan), 1, 4094) }];
    }),
  );
}
