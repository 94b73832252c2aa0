import { asCount, asRecord, type State, type StateUnit } from '@yunxun/contract/device';
import type { ReportDigest } from '../../uplink/ports.ts';
import { type AbsoluteCounters, countersOf } from './counters.ts';
import { digestOf } from './digest.ts';
import { type EdgeFacts, edgeOf } from './edge.ts';
import { type Levels, levelsOf } from './levels.ts';
import { type KeptLinks, linksOf } from './links.ts';
import { wiredNeighbours } from './neighbours.ts';
import { type Sight, stationsOf } from './stations.ts';
import { type StateSummary, summarise } from './summary.ts';
import { type Clamps, within } from './values.ts';

/** Everything that is kept of a state report, every number and text as its column takes it. */
export interface Report {
  digest: ReportDigest;
  summary: StateSummary;
  levels: Levels;
  /** The device's own clock, Unix seconds. */
  localtimeS: number | null;
  /** Null when the report shows no interfaces: nothing is said of counters and terminals. */
  counters: AbsoluteCounters | null;
  stations: Sight[] | null;
  /** Who is connected to whom; null when nothing is said of it. */
  links: KeptLinks | null;
  /** Of our own agent. */
  edge: EdgeFacts | null;
  /** How much the report said that was left out. */
  clamped: number;
}

/** Reads the parameters of a state report. Every field is optional and of any type on the wire; nothing throws. */
export function extract(params: Readonly<Record<string, unknown>>): Report {
  const state = asRecord<State>(params.state);
  const clamps: Clamps = { count: 0 };
  const neighbours = wiredNeighbours(state);
  const summary = summarise(params, neighbours);
  const edge = edgeOf(state, clamps);
  const stations = stationsOf(state, neighbours, clamps, edge?.stations ?? null);
  const counters = countersOf(state, clamps);
  const links = linksOf(state, clamps);
  return {
    digest: digestOf(params),
    summary,
    levels: levelsOf(state, summary, stations),
    // beyond the year 5000 it is no clock
    localtimeS: within(asCount(asRecord<StateUnit>(state.unit).localtime), 1e11),
    counters,
    stations,
    links,
    edge,
    clamped: clamps.count,
  };
}
