import type { ConfigurationDocument } from '@yunxun/contract/device';
import type { Box } from './box/box.ts';
import { factoryConfigurations } from './box/defaults.ts';
import { type PlanOptions, planFleet } from './plan.ts';
import { Random } from './world/random.ts';

/** Power that devices lack for a time. */
export interface PastOutage {
  serials: readonly string[];
  fromMs: number;
  untilMs: number;
}

export interface PastOptions extends Omit<PlanOptions, 'startMs' | 'speedUp'> {
  fromMs: number;
  untilMs: number;
  /** Default: cuts by chance. */
  outages?: readonly PastOutage[] | undefined;
  ssids: readonly { name: string; open: boolean }[];
}

export interface HistoryReport {
  serial: string;
  at: number;
  method: 'state' | 'event';
  params: Record<string, unknown>;
}

const minute = 60_000;
const hour = 60 * minute;
const step = minute;
/** Period with finer steps: 24-hour charts also show the previous 24 hours. */
const lately = 49 * hour;
const seldom = hour;
const often = 5 * minute;
const betweenCuts = 12 * 24 * hour;
/** Pace of simulated people in the past; a live fleet that continues it uses the same. */
export const pastPace = 0.2;

/**
 * Yields messages of a past period, without connections; devices, people and serials as in `startFleet` with the seed.
 * Each step, in time order: hourly reports (five minutes in the last two days), all client events. Power cuts restart
 * devices. Deterministic.
 */
export function* livePast(options: PastOptions): Generator<readonly HistoryReport[]> {
  const { fromMs, untilMs, ssids, seed, outages } = options;
  const { boxes, places } = planFleet({ ...options, startMs: fromMs, speedUp: pastPace });
  let reports: HistoryReport[] = [];
  const chance = new Random(`${seed}/past`);
  const dark = new Map<Box, number>();
  const switchOn = (box: Box) => {
    box.apply(pastDocument(box, ssids));
    box.goOnAir();
  };
  for (const box of boxes) {
    const { serial } = box;
    box.listener = {
      event(seconds, type, payload) {
        const params = { serial, data: { event: [seconds, { type, payload }] } };
        reports.push({ serial, at: seconds * 1000, method: 'event', params });
      },
    };
    switchOn(box);
  }
  const endOfOutage = ({ serial }: Box, now: number) =>
    outages?.find((one) => one.serials.includes(serial) && one.fromMs <= now && now < one.untilMs)?.untilMs;
  for (let now = fromMs + step; now <= untilMs; now += step) {
    for (const place of places) place.advance(now, step);
    const every = untilMs - now < lately ? often : seldom;
    for (const [index, box] of boxes.entries()) {
      const until = dark.get(box);
      if (until !== undefined) {
        if (now < until) continue;
        dark.delete(box);
        box.boot(now);
        switchOn(box);
      } else {
        const isCut = outages === undefined && chance.chance(step / betweenCuts);
        const end = isCut ? now + chance.between(2 * minute, 3 * hour) : endOfOutage(box, now);
        if (end !== undefined) {
          box.down();
          dark.set(box, end);
          continue;
        }
      }
      if ((now + (index % 5) * minute) % every >= step) continue;
      const params = { serial: box.serial, uuid: factoryConfigurations[box.hardware.role].uuid, state: box.state(now) };
      reports.push({ serial: box.serial, at: now, method: 'state', params });
    }
    yield reports;
    reports = [];
  }
}

function pastDocument({ hardware }: Box, wanted: PastOptions['ssids']): ConfigurationDocument {
  const factory = factoryConfigurations[hardware.role];
  if (hardware.radios.length === 0) return factory;
  const ssids = wanted.map(({ name, open }) => ({
    name,
    'wifi-bands': ['2G', '5G'],
    'bss-mode': 'ap',
    encryption: { ...(open ? { proto: 'none' } : { proto: 'psk2', key: 'as it was' }), ieee80211w: 'disabled' },
  }));
  const interfaces = factory.interfaces as readonly Record<string, unknown>[];
  const last = interfaces.length - 1;
  return {
    ...factory,
    radios: [
      { band: '2G', channel: 'auto', 'channel-width': 20 },
      { band: '5G', channel: 'auto', 'channel-width': 80 },
    ],
    interfaces: interfaces.map((entry, index) => (index === last ? { ...entry, ssids } : entry)),
  };
}
