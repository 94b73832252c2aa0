import { asCount, asRecord, type State, type StateUnit } from '@yunxun/contract/device';
import type { ReportDigest } from '../../uplink/ports.ts';
import { type AbsoluteCounters, countersOf } from './counters.ts';
import { digestOf } from './digest.ts';
import { type EdgeFacts, edgeOf } from './edge.ts';
import { type Levels, levelsOf } from './levels.ts';
import { type KeptLinks, linksOf } from './links.ts';
import { wiredNeighbours } from './neighbours.ts';
import { type Speeds, speedsOf } from './speeds.ts';
import { type Observation, stationsOf } from './stations.ts';
import { type StateSummary, summarise } from './summary.ts';
import { type Clamps, within } from './values.ts';

/** Validated report; all values fit their columns. */
export interface Report {
  digest: ReportDigest;
  summary: StateSummary;
  levels: Levels;
  /** Unix seconds, device clock. */
  localtimeS: number | null;
  /** Null, like `stations`, without interfaces. */
  counters: AbsoluteCounters | null;
  stations: Observation[] | null;
  links: KeptLinks | null;
  edge: EdgeFacts | null;
  speeds: Speeds;
  /** Oldest association, seconds. */
  oldestS: number | null;
  clamped: number;
}

/**
 * Accepts missing fields and fields of any type. Never throws.
 * @param upstream devices of WAN ports, from the capabilities
 */
export function extract(params: Readonly<Record<string, unknown>>, upstream: readonly string[] = []): Report {
  const state = asRecord<State>(params.state);
  const clamps: Clamps = { count: 0 };
  const neighbours = wiredNeighbours(state, upstream);
  const summary = summarise(params, neighbours);
  const edge = edgeOf(state, clamps);
  const stations = stationsOf(state, neighbours, clamps, edge?.stations ?? null);
  const counters = countersOf(state, clamps);
  const links = linksOf(state, clamps);
  return {
    digest: digestOf(params),
    summary,
    levels: levelsOf(state, { summary, observations: stations, edge: edge?.kept ?? null }),
    localtimeS: within(asCount(asRecord<StateUnit>(state.unit).localtime), 1e11),
    counters,
    stations,
    links,
    edge,
    speeds: speedsOf(state),
    oldestS: oldestOf(stations),
    clamped: clamps.count,
  };
}

function oldestOf(stations: readonly Observation[] | null): number | null {
  return (stations ?? []).reduce<number | null>(
    (oldest, { connectedS }) => (connectedS === null ? oldest : Math.max(connectedS, oldest ?? 0)),
    null,
  );
}
