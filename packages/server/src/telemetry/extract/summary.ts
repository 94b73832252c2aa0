import {
  type Association,
  asCount,
  asList,
  asNumber,
  asRecord,
  normaliseClientMac,
  type State,
  type StateUnit,
  type Wire,
} from '@yunxun/contract/device';
import { bandOf } from './bands.ts';
import { bssidsOf, interfacesOf, type Neighbour, ssidsOf, wiredNeighbours } from './neighbours.ts';
import { largestInt32, within } from './values.ts';

/** Null: not reported. Values fit their columns. */
export interface StateSummary {
  uuid: number | null;
  uptimeS: number | null;
  cpuPct: number | null;
  memUsed: number | null;
  memTotal: number | null;
  load1: number | null;
  /** Null without wireless networks. */
  clients2g: number | null;
  clients5g: number | null;
  clients6g: number | null;
  clientsTotal: number | null;
}

const day = 86_400;

/** Accepts fields of any type. Never throws. */
export function summarise(
  params: Readonly<Record<string, unknown>>,
  neighbours: readonly Neighbour[] = wiredNeighbours(asRecord<State>(params.state)),
): StateSummary {
  const state = asRecord<State>(params.state);
  const unit = asRecord<StateUnit>(state.unit);
  const memory = memoryOf(unit);
  const clients = countClients(state, neighbours);
  return {
    uuid: within(asCount(params.uuid), largestInt32),
    uptimeS: within(asCount(unit.uptime), 100 * 365 * day),
    cpuPct: within(asNumber(asList(unit.cpu_load)[0]), 100),
    ...memory,
    load1: within(asNumber(asList(unit.load)[0]), 10_000),
    ...clients,
  };
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

function countClients(state: Wire<State>, neighbours: readonly Neighbour[]): Clients {
  const bands = { 2: new Set<string>(), 5: new Set<string>(), 6: new Set<string>() };
  const all = new Set<string>();
  const own = new Set(bssidsOf(state));
  let wireless = false;
  let wired = false;
  for (const port of interfacesOf(state)) {
    for (const ssid of ssidsOf(port)) {
      wireless = true;
      const name = bandOf(ssid, state);
      for (const association of asList(ssid.associations)) {
        const station = normaliseClientMac(asRecord<Association>(association).station);
        if (!station || own.has(station)) continue;
        if (name) bands[name].add(station);
        all.add(station);
      }
    }
    if (port.clients !== undefined) wired = true;
  }
  if (wired) for (const { mac } of neighbours) all.add(mac);
  return {
    clients2g: wireless ? bands[2].size : null,
    clients5g: wireless ? bands[5].size : null,
    clients6g: wireless ? bands[6].size : null,
    clientsTotal: wireless || wired ? all.size : null,
  };
}
