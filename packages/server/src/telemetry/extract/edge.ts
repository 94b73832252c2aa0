import {
  asAddress,
  asCount,
  asFlag,
  asList,
  asNumber,
  asRecord,
  type EdgeLineState,
  type EdgeState,
  type EdgeStationCounters,
  edgeMostStations,
  isRecord,
  normaliseMac,
} from '@yunxun/contract/device';
import type { Absolute } from './counters.ts';
import { type Clamps, capped, cleanText, wholeWithin, within } from './values.ts';

/** What our own agent says beyond the firmware's report, every number and text as it may be kept. */
export interface EdgeFacts {
  kept: KeptEdge;
  /** Absolute bytes of who is, or was, on a cable, by MAC; null when they are not said, or not of everybody. */
  stations: Map<string, Absolute> | null;
}

/** What of it stays with the device's latest report. */
export interface KeptEdge {
  connections: number | null;
  connections_max: number | null;
  lines: EdgeLineState[];
  disk: { total: number; free: number } | null;
  /** It counts the bytes of who is on its cables: of one whom it does not name they are none. */
  counts: boolean;
}

/** No gateway has more lines, and no kernel's table more connections. */
const mostLines = 16;
const mostConnections = 2 ** 31 - 1;
/** Ten minutes, in milliseconds: no answer takes longer. */
const slowest = 600_000;
/** Unix seconds; beyond it is no clock. */
const latest = 1e11;

/** Reads `state.yunxun`; null where there is none. Every field is of any type on the wire; nothing throws. */
export function edgeOf(state: Readonly<Record<string, unknown>>, clamps: Clamps): EdgeFacts | null {
  if (typeof state.yunxun !== 'object' || state.yunxun === null) return null;
  const said = asRecord<EdgeState>(state.yunxun);
  // without its word on how whole the count is, there is none
  const stations = isRecord(said.flow) ? countersOf(said.stations, clamps) : null;
  const connections = within(asCount(said.connections), mostConnections);
  return {
    kept: {
      connections,
      connections_max: within(asCount(said.connections_max), mostConnections),
      lines: linesOf(said.lines, clamps),
      disk: diskOf(said.disk),
      counts: stations !== null,
    },
    stations,
  };
}

function linesOf(value: unknown, clamps: Clamps): EdgeLineState[] {
  const seen = new Set<string>();
  return capped(asList(value), mostLines, clamps).flatMap((entry) => {
    const line = asRecord<EdgeLineState>(entry);
    const name = cleanText(line.interface, 32);
    if (name === null || seen.has(name)) return [];
    seen.add(name);
    const latency = within(asNumber(line.latency_ms), slowest);
    const loss = within(asNumber(line.loss_pct), 100);
    return {
      interface: name,
      address: cleanText(asAddress(line.address), 64),
      gateway: cleanText(asAddress(line.gateway), 64),
      alive: asFlag(line.alive),
      latency_ms: latency === null ? null : Math.round(latency * 100) / 100,
      loss_pct: loss === null ? null : Math.round(loss * 10) / 10,
      since: wholeWithin(line.since, 1, latest),
    };
  });
}

function diskOf(value: unknown): KeptEdge['disk'] {
  const { total, free } = asRecord<{ total: number; free: number }>(value);
  const bytes = asCount(total);
  const left = asCount(free);
  return bytes === null || left === null || bytes === 0 || left > bytes ? null : { total: bytes, free: left };
}

/** Counters of a list that is too long are not taken: who is missing in it would seem to be new. */
function countersOf(value: unknown, clamps: Clamps): EdgeFacts['stations'] {
  if (!Array.isArray(value)) return null;
  if (value.length > edgeMostStations) {
    clamps.count += value.length;
    return null;
  }
  const bytes = new Map<string, Absolute>();
  for (const entry of asList(value)) {
    const { mac, rx_bytes: rx, tx_bytes: tx } = asRecord<EdgeStationCounters>(entry);
    const name = normaliseMac(mac);
    if (name && !bytes.has(name)) bytes.set(name, { rx: asCount(rx), tx: asCount(tx) });
  }
  return bytes;
}
