import {
  asCount,
  asList,
  asNumber,
  asRecord,
  type RadioSurvey,
  type State,
  type StateRadio,
  type StateUnit,
  type Wire,
} from '@yunxun/contract/device';
import { bandOf } from './bands.ts';
import type { KeptEdge } from './edge.ts';
import type { Observation } from './stations.ts';
import type { StateSummary } from './summary.ts';
import { within } from './values.ts';

/** dBm. */
export const weakSignal = -75;

export interface Levels {
  /** Percent. */
  cpu: number | null;
  mem: number | null;
  load1: number | null;
  /** Degrees Celsius. */
  temperature: number | null;
  clients: number | null;
  clients2g: number | null;
  clients5g: number | null;
  clients6g: number | null;
  clientsWired: number | null;
  /** Percent; busiest radio. */
  util2g: number | null;
  util5g: number | null;
  util6g: number | null;
  /** dBm; noisiest radio. */
  noise2g: number | null;
  noise5g: number | null;
  noise6g: number | null;
  weak: number;
  rssiSum: number;
  rssiN: number;
  /** kbit/s */
  rateSum: number;
  rateN: number;
  /** Milliseconds and percent; each the worst of the gateway's WANs that are up. */
  wanLatency: number | null;
  wanLoss: number | null;
  leases: number | null;
}

export function levelsOf(
  state: Wire<State>,
  {
    summary,
    observations,
    edge,
  }: { summary: StateSummary; observations: readonly Observation[] | null; edge: KeptEdge | null },
): Levels {
  const unit = asRecord<StateUnit>(state.unit);
  const { memUsed, memTotal } = summary;
  const air = airOf(state, observations);
  return {
    cpu: summary.cpuPct,
    mem: memUsed === null || !memTotal ? null : within((100 * memUsed) / memTotal, 100),
    load1: summary.load1,
    temperature: within(asNumber(asList(unit.temperature)[0]), 200, -60),
    clients: summary.clientsTotal,
    clients2g: summary.clients2g,
    clients5g: summary.clients5g,
    clients6g: summary.clients6g,
    clientsWired: summary.clientsTotal === null ? null : new Set(wired(observations)).size,
    util2g: air.util[2] ?? null,
    util5g: air.util[5] ?? null,
    util6g: air.util[6] ?? null,
    noise2g: air.noise[2] ?? null,
    noise5g: air.noise[5] ?? null,
    noise6g: air.noise[6] ?? null,
    ...signalsOf(observations ?? []),
    ...gatewayOf(edge),
  };
}

/** A WAN that is down loses all probes, which is a problem of its own. */
function gatewayOf(edge: KeptEdge | null) {
  const wans = (edge?.lines ?? []).filter(({ alive }) => alive !== false);
  const worst = (values: readonly (number | null)[]) =>
    values.reduce((most, value) => (most === null || (value !== null && value > most) ? value : most), null);
  return {
    wanLatency: worst(wans.map(({ latency_ms: latency }) => latency)),
    wanLoss: worst(wans.map(({ loss_pct: loss }) => loss)),
    leases: edge?.leases.reduce((sum, { count }) => sum + count, 0) ?? null,
  };
}

function wired(observations: readonly Observation[] | null): string[] {
  return (observations ?? []).flatMap(({ band, mac }) => (band === 0 ? [mac] : []));
}

function signalsOf(observations: readonly Observation[]) {
  const sum = { weak: 0, rssiSum: 0, rssiN: 0, rateSum: 0, rateN: 0 };
  for (const { rssi, txRate } of observations) {
    if (rssi !== null) {
      sum.rssiSum += rssi;
      sum.rssiN += 1;
      if (rssi < weakSignal) sum.weak += 1;
    }
    if (txRate !== null) {
      sum.rateSum += txRate;
      sum.rateN += 1;
    }
  }
  return sum;
}

function airOf(state: Wire<State>, observations: readonly Observation[] | null) {
  const util: { 2?: number; 5?: number; 6?: number } = {};
  const noise: { 2?: number; 5?: number; 6?: number } = {};
  for (const entry of asList(state.radios)) {
    const radio = asRecord<StateRadio>(entry);
    const band = bandOf(radio, state);
    if (band === null) continue;
    const busy = utilizationOf(
      radio,
      (observations ?? []).some((observation) => observation.band === band),
    );
    if (busy !== null) util[band] = Math.max(busy, util[band] ?? 0);
    const heard = noiseOf(radio);
    if (heard !== null) noise[band] = Math.max(heard, noise[band] ?? -200);
  }
  return { util, noise };
}

/** Returns percent. Firmware also reports 0 if it could not measure, so 0 needs a client or radio time. */
export function utilizationOf(radio: Wire<StateRadio>, hasClients: boolean): number | null {
  const busy = within(asNumber(radio.chanUtil), 100);
  if (busy !== 0 || hasClients) return busy;
  const surveys = asList(radio.survey).map((entry) => asRecord<RadioSurvey>(entry));
  const times = [
    radio.busy_ms,
    radio.receive_ms,
    radio.transmit_ms,
    ...surveys.flatMap((survey) => [survey.busy, survey.time_rx, survey.time_tx]),
  ];
  return times.some((time) => (asNumber(time) ?? 0) > 0) ? busy : null;
}

/** Returns dBm. Newer firmware reports it in the survey, among other channels. */
export function noiseOf(radio: Wire<StateRadio>): number | null {
  const own = asList(radio.frequency).map((frequency) => asCount(frequency));
  const surveys = asList(radio.survey).map((entry) => asRecord<RadioSurvey>(entry));
  const survey = surveys.find(({ frequency }) => own.includes(asCount(frequency))) ?? surveys[0];
  return within(asNumber(survey?.noise ?? radio.noise), -1, -130);
}
