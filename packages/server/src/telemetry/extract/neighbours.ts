import {
  asList,
  asRecord,
  asText,
  asTexts,
  type EdgeStateReport,
  isRecord,
  type LldpPeer,
  normaliseClientMac,
  normaliseMac,
  type State,
  type StateClient,
  type StateInterface,
  type StateSsid,
  type Wire,
} from '@yunxun/contract/device';
import { socketOf } from '@yunxun/contract/uplink-names';
import { isSwitchReport } from './switch-ports.ts';

/** Firmware name of a bridge port that is a radio or tunnel. */
export const noSocket = 'unknown';

export interface Neighbour {
  mac: string;
  port: string;
  client: Wire<StateClient>;
}

export function interfacesOf(state: Wire<State>): readonly Wire<StateInterface>[] {
  return asList(state.interfaces).map((entry) => asRecord<StateInterface>(entry));
}

export function ssidsOf(port: Wire<StateInterface>): readonly Wire<StateSsid>[] {
  return asList(port.ssids).map((entry) => asRecord<StateSsid>(entry));
}

/**
 * Excludes WAN ports (named WAN, under `upstream`, in the capabilities, or of our agent), LLDP equipment, and MACs on
 * wireless interfaces or no socket, which count as associations.
 */
export function wiredNeighbours(state: Wire<State>, upstream: readonly string[] = []): Neighbour[] {
  const equipment = new Set([...announced(state), ...bssidsOf(state)]);
  const uplinks = new Set([...upstream, ...filedUpstream(state)]);
  const wireless = new Set<unknown>([noSocket]);
  const ours = isRecord((state as Wire<EdgeStateReport>).yunxun);
  for (const port of interfacesOf(state)) for (const { iface } of ssidsOf(port)) wireless.add(iface);
  const found: Neighbour[] = [];
  for (const port of interfacesOf(state)) {
    const line = socketOf(asText(port.name, 32) ?? '');
    // our agent separates LAN and WAN even on a shared port
    const isLan = ours && (asText(port.name, 32)?.startsWith('down') ?? false);
    const outer = (name: string) => ((/^wan/i.test(name) || uplinks.has(name)) && !isLan) || name === line;
    for (const entry of asList(port.clients)) {
      const client = asRecord<StateClient>(entry);
      const names = asTexts(client.ports);
      const mac = normaliseClientMac(client.mac);
      if (!mac || names.length === 0 || names.some(outer) || equipment.has(mac)) continue;
      const [name] = names.filter((one) => !wireless.has(one));
      if (name !== undefined) found.push({ mac, port: name, client });
    }
  }
  return found;
}

/** Ignores the open switch client, which lists all ports there. */
function filedUpstream(state: Wire<State>): string[] {
  if (isSwitchReport(state)) return [];
  return Object.keys(asRecord(asRecord<{ upstream: unknown }>(state['link-state']).upstream));
}

export function bssidsOf(state: Wire<State>): string[] {
  return interfacesOf(state).flatMap((port) => ssidsOf(port).flatMap(({ bssid }) => normaliseMac(bssid) ?? []));
}

/** Capabilities as lldpd names them: Windows announces none, a telephone bridges to the PC behind it. */
function isEquipment(capabilities: readonly string[]): boolean {
  const has = (pattern: RegExp) => capabilities.some((one) => pattern.test(one));
  return has(/^(bridge|router|wlan)/i) && !has(/^tel/i);
}

function announced(state: Wire<State>): string[] {
  const peers = asRecord<Record<string, unknown>>(state['lldp-peers']);
  return Object.values(peers).flatMap((side) =>
    Object.values(asRecord(side)).flatMap((list) =>
      asList(list).flatMap((entry) => {
        const { mac, capability } = asRecord<LldpPeer>(entry);
        return isEquipment(asTexts(capability)) ? (normaliseMac(mac) ?? []) : [];
      }),
    ),
  );
}
