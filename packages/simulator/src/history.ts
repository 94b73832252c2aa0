import type { Box } from './box/box.ts';
import { factoryConfigurations } from './box/defaults.ts';
import { bootedAt, type Cut, cutsOn, type PastOutage } from './cuts.ts';
import { documentOf, type FormerSsid } from './former-document.ts';
import { type PlanOptions, planFleet } from './plan.ts';
import type { Whereabouts } from './world/station.ts';

export interface PastDayOptions extends Omit<PlanOptions, 'startMs' | 'speedUp' | 'held'> {
  fromMs: number;
  untilMs: number;
  /** Date of the last reports. Default: a second before `untilMs`. */
  lastMs?: number;
  /** From here on devices report every five minutes, before hourly; null: they report nothing. */
  fineFromMs: number | null;
  /** Default: cuts by chance. */
  outages?: readonly PastOutage[] | undefined;
  ssids: readonly FormerSsid[];
}

export interface HistoryReport {
  serial: string;
  at: number;
  method: 'state' | 'event';
  params: Record<string, unknown>;
}

/** What a live fleet needs to go on with the people and devices of a past. */
export interface FleetMoment {
  /** Last boot by serial, milliseconds. */
  booted: Readonly<Record<string, number>>;
  people: readonly (readonly Whereabouts[])[];
}

const minute = 60_000;
const day = 24 * 60 * minute;
const often = 5 * minute;
const seldom = 60 * minute;
const coarse = 5 * minute;
/** Pace of simulated people in the past; a live fleet that continues it uses the same. */
export const pastPace = 0.2;

function switchOn(box: Box, ssids: PastDayOptions['ssids']): void {
  box.apply(documentOf(box.hardware, ssids));
  box.goOnAir();
}

/**
 * Yields the messages of one day, step by step in time order; devices, people and serials as in `startFleet` with the
 * seed. Days are simulated in any order and fit together: each begins with the people and sessions with which the day
 * before ends. The first reports are the baseline of the day's counters. Deterministic.
 */
export function* pastDay(options: PastDayOptions): Generator<readonly HistoryReport[], FleetMoment> {
  const { fromMs, untilMs, lastMs = untilMs - 1000, fineFromMs, outages } = options;
  const { boxes, places } = planFleet({ ...options, startMs: fromMs, speedUp: pastPace, held: true });
  const step = fineFromMs === null || fineFromMs < untilMs ? minute : coarse;
  const isWhole = untilMs - fromMs === day;
  let messages: HistoryReport[] = [];
  for (const box of boxes) {
    const { serial } = box;
    box.boot(bootedAt(options, box, fromMs));
    box.listener = {
      event(seconds, type, payload) {
        const at = Math.min(seconds * 1000, lastMs);
        const params = { serial, data: { event: [at / 1000, { type, payload }] } };
        messages.push({ serial, at, method: 'event', params });
      },
    };
    switchOn(box, options.ssids);
  }
  for (const place of places) {
    place.begin();
    if (isWhole) place.endAt(untilMs);
  }
  const report = (box: Box, at: number) => {
    const params = { serial: box.serial, uuid: factoryConfigurations[box.hardware.role].uuid, state: box.state(at) };
    messages.push({ serial: box.serial, at, method: 'state', params });
  };
  if (fineFromMs !== null) for (const box of boxes) report(box, fromMs);
  yield messages;
  const cuts = new Map<Box, Cut>();
  // a day that goes on live ends with all devices up
  if (isWhole || outages) for (const box of boxes) for (const cut of cutsOn(options, box, fromMs)) cuts.set(box, cut);
  const steps = Math.floor((untilMs - fromMs) / step);
  for (let count = 1; count <= steps; count += 1) {
    const now = fromMs + count * step;
    messages = [];
    for (const place of places) place.advance(now, step);
    for (const [index, box] of boxes.entries()) {
      const cut = cuts.get(box);
      if (cut && now >= cut.fromMs && now < cut.untilMs) {
        if (box.up) box.down();
        continue;
      }
      if (!box.up) {
        box.boot(now);
        switchOn(box, options.ssids);
      }
      if (fineFromMs === null) continue;
      const every = now >= fineFromMs ? often : seldom;
      const offset = (index % 5) * minute;
      if (count === steps) report(box, lastMs);
      else if ((now - fromMs + offset) % every < step) report(box, now);
    }
    yield messages;
  }
  return {
    booted: Object.fromEntries(boxes.map(({ serial, bootedMs }) => [serial, bootedMs])),
    people: places.map((place) => place.whereabouts()),
  };
}

export function pastMoment(options: Omit<PastDayOptions, 'fineFromMs'>): FleetMoment {
  const simulation = pastDay({ ...options, fineFromMs: null });
  for (;;) {
    const { done, value } = simulation.next();
    if (done) return value;
  }
}
