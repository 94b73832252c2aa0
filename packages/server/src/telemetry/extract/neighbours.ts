import {
  asList,
  asRecord,
  asText,
  asTexts,
  normaliseMac,
  type State,
  type StateClient,
  type StateInterface,
  type StateSsid,
  type Wire,
} from '@yunxun/contract/device';
import { socketOf } from '@yunxun/contract/uplink-names';

/** A wired neighbour on a downstream port. */
export interface Neighbour {
  mac: string;
  port: string;
  client: Wire<StateClient>;
}

/** The interfaces of a report. */
export function interfacesOf(state: Wire<State>): readonly Wire<StateInterface>[] {
  return asList(state.interfaces).map((entry) => asRecord<StateInterface>(entry));
}

/** The wireless networks of an interface. */
export function ssidsOf(port: Wire<StateInterface>): readonly Wire<StateSsid>[] {
  return asList(port.ssids).map((entry) => asRecord<StateSsid>(entry));
}

/**
 * Neighbours on other ports than the uplinks. Everything seen through a WAN port, or through a LAN socket that our agent has
 * as a line, is not a client of this device, network equipment that announces itself by LLDP is no client at all, and who is
 * listed on a wireless interface is either associated, and counted there, or has gone.
 */
export function wiredNeighbours(state: Wire<State>): Neighbour[] {
  const equipment = new Set(announced(state));
  const wireless = new Set<unknown>();
  for (const port of interfacesOf(state)) for (const { iface } of ssidsOf(port)) wireless.add(iface);
  const found: Neighbour[] = [];
  for (const port of interfacesOf(state)) {
    const line = socketOf(asText(port.name, 32) ?? '');
    const outer = (name: string) => /^wan/i.test(name) || name === line;
    for (const entry of asList(port.clients)) {
      const client = asRecord<StateClient>(entry);
      const names = asTexts(client.ports);
      const mac = normaliseMac(client.mac);
      if (!mac || names.length === 0 || names.some(outer) || equipment.has(mac)) continue;
      const [name] = names.filter((one) => !wireless.has(one));
      if (name !== undefined) found.push({ mac, port: name, client });
    }
  }
  return found;
}

/** What announces itself by LLDP. */
function announced(state: Wire<State>): string[] {
  const peers = asRecord<Record<string, unknown>>(state['lldp-peers']);
  return Object.values(peers).flatMap((side) =>
    Object.values(asRecord(side)).flatMap((list) =>
      asList(list).flatMap((peer) => normaliseMac(asRecord<{ mac: string }>(peer).mac) ?? []),
    ),
  );
}
