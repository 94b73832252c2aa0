import {
  type Association,
  asCount,
  asList,
  asNumber,
  asRecord,
  asTexts,
  normaliseMac,
  type State,
  type StateInterface,
  type StateSsid,
  type StateUnit,
  type Wire,
} from '@yunxun/contract/device';

/** What lists show of a state report; null where the device did not say. Numbers fit their columns. */
export interface StateSummary {
  uuid: number | null;
  uptimeS: number | null;
  /** Percent of all processors. */
  cpuPct: number | null;
  /** Bytes that are neither free nor cache. */
  memUsed: number | null;
  memTotal: number | null;
  load1: number | null;
  /** Associated stations by band; null when the report has no wireless part. */
  clients2g: number | null;
  clients5g: number | null;
  clients6g: number | null;
  /** Associated stations and wired clients, each once; null when the report has neither part. */
  clientsTotal: number | null;
}

const largestInt32 = 2_147_483_647;
const day = 86_400;

/** Reads a state report. Every field is optional and of any type on the wire; nothing throws. */
export function summarise(params: Readonly<Record<string, unknown>>): StateSummary {
  const state = asRecord<State>(params.state);
  const unit = asRecord<StateUnit>(state.unit);
  const memory = memoryOf(unit);
  const clients = countClients(state);
  return {
    uuid: within(asCount(params.uuid), largestInt32),
    uptimeS: within(asCount(unit.uptime), 100 * 365 * day),
    cpuPct: within(asNumber(asList(unit.cpu_load)[0]), 100),
    ...memory,
    load1: within(asNumber(asList(unit.load)[0]), 10_000),
    ...clients,
  };
}

/** The value, or null when it is outside 0…most: a broken number must not reach a narrow column. */
function within(value: number | null, most: number): number | null {
  return value !== null && value >= 0 && value <= most ? value : null;
}

function memoryOf(unit: Wire<StateUnit>): { memUsed: number | null; memTotal: number | null } {
  const memory = asRecord<NonNullable<StateUnit['memory']>>(unit.memory);
  const total = asCount(memory.total);
  const free = asCount(memory.free);
  if (total === null || free === null) return { memUsed: null, memTotal: total };
  const used = total - free - (asCount(memory.cached) ?? 0) - (asCount(memory.buffered) ?? 0);
  return { memUsed: Math.max(0, used), memTotal: total };
}

type Clients = Pick<StateSummary, 'clients2g' | 'clients5g' | 'clients6g' | 'clientsTotal'>;

function countClients(state: Wire<State>): Clients {
  const bands = { '2': new Set<string>(), '5': new Set<string>(), '6': new Set<string>() };
  const all = new Set<string>();
  let wireless = false;
  let wired = false;
  const neighbours = new Set(upstreamNeighbours(state));
  for (const entry of asList(state.interfaces)) {
    const port = asRecord<StateInterface>(entry);
    for (const ssidEntry of asList(port.ssids)) {
      wireless = true;
      const ssid = asRecord<StateSsid>(ssidEntry);
      const band = bands[bandOf(ssid)];
      for (const association of asList(ssid.associations)) {
        const station = normaliseMac(asRecord<Association>(association).station);
        if (!station) continue;
        band?.add(station);
        all.add(station);
      }
    }
    if (port.clients !== undefined) wired = true;
    for (const client of downstreamClients(port)) if (!neighbours.has(client)) all.add(client);
  }
  return {
    clients2g: wireless ? bands['2'].size : null,
    clients5g: wireless ? bands['5'].size : null,
    clients6g: wireless ? bands['6'].size : null,
    clientsTotal: wireless || wired ? all.size : null,
  };
}

/** First digit of the band; a band that is not named is told by the frequency (MHz). */
function bandOf(ssid: Wire<StateSsid>): '2' | '5' | '6' {
  const name = asTexts(ssid.band)[0];
  if (name?.startsWith('2')) return '2';
  if (name?.startsWith('6')) return '6';
  if (name?.startsWith('5')) return '5';
  const frequency = asNumber(asList(ssid.frequency)[0]) ?? 0;
  if (frequency >= 5925) return '6';
  return frequency >= 4900 || frequency === 0 ? '5' : '2';
}

/** Neighbours on other ports than the uplink. Everything seen through a WAN port is not a client of this device. */
function downstreamClients(port: Wire<StateInterface>): string[] {
  return asList(port.clients).flatMap((entry) => {
    const { mac, ports } = asRecord<{ mac: string; ports: string[] }>(entry);
    const names = asTexts(ports);
    const station = normaliseMac(mac);
    return station && names.length > 0 && !names.some((name) => /^wan/i.test(name)) ? [station] : [];
  });
}

/** Network equipment that announces itself by LLDP is no client. */
function upstreamNeighbours(state: Wire<State>): string[] {
  const peers = asRecord<Record<string, unknown>>(state['lldp-peers']);
  return Object.values(peers).flatMap((side) =>
    Object.values(asRecord(side)).flatMap((list) =>
      asList(list).flatMap((peer) => normaliseMac(asRecord<{ mac: string }>(peer).mac) ?? []),
    ),
  );
}
