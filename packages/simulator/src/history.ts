import type { ConfigurationDocument } from '@yunxun/contract/device';
import type { Box } from './box/box.ts';
import { factoryConfigurations } from './box/defaults.ts';
import { type PlanOptions, planFleet } from './plan.ts';
import { Random } from './world/random.ts';

/** The life that a fleet has had: who it is, and from when until when. */
export interface PastOptions extends Omit<PlanOptions, 'startMs' | 'speedUp'> {
  fromMs: number;
  untilMs: number;
  /** The wireless networks, in the order in which the console has them; an open one needs no key. */
  ssids: readonly { name: string; open: boolean }[];
}

/** Something a device said, as it stands in the `params` of the message. */
export interface Said {
  serial: string;
  /** When, milliseconds. */
  at: number;
  method: 'state' | 'event';
  params: Record<string, unknown>;
}

const minute = 60_000;
const hour = 60 * minute;
/** The world moves in steps of this length here: what is long ago need not be known to the second. */
const step = minute;
/** The last two days are told more finely: charts of 24 hours have the 24 before behind them. */
const lately = 49 * hour;
const seldom = hour;
const often = 5 * minute;
/** Mean time between two power cuts of a box. */
const betweenCuts = 12 * 24 * hour;
/** People stay longer and walk about less than where somebody watches them: what `pace` of a fleet goes on with. */
export const pastPace = 0.2;

/**
 * What the devices of a fleet would have said in a time that has passed: the same boxes, people and serials as
 * `startFleet` makes from the same seed, without a wire. Every step of the world gives one list, in the order of time:
 * a state report an hour of each device (every five minutes in the last two days) and every event of its terminals. Now and
 * then a box has no power: it says nothing, and begins anew. The same options give the same messages.
 */
export function* livePast(options: PastOptions): Generator<readonly Said[]> {
  const { fromMs, untilMs, ssids, seed } = options;
  const { boxes, places } = planFleet({ ...options, startMs: fromMs, speedUp: pastPace });
  let said: Said[] = [];
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
        said.push({ serial, at: seconds * 1000, method: 'event', params });
      },
    };
    switchOn(box);
  }
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
      } else if (chance.chance(step / betweenCuts)) {
        box.down();
        dark.set(box, now + chance.between(2 * minute, 3 * hour));
        continue;
      }
      // not all at the same minute
      if ((now + (index % 5) * minute) % every >= step) continue;
      const params = { serial: box.serial, uuid: factoryConfigurations[box.hardware.role].uuid, state: box.state(now) };
      said.push({ serial: box.serial, at: now, method: 'state', params });
    }
    yield said;
    said = [];
  }
}

/** What a box ran: the factory's configuration, and the wireless networks where it has radios. */
function pastDocument({ hardware }: Box, wanted: PastOptions['ssids']): ConfigurationDocument {
  const factory = factoryConfigurations[hardware.role];
  if (hardware.radios.length === 0) return factory;
  const ssids = wanted.map(({ name, open }) => ({
    ...{ name, 'wifi-bands': ['2G', '5G'], 'bss-mode': 'ap' },
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
