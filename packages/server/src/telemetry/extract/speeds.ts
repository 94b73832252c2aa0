import {
  asFlag,
  asList,
  asNumber,
  asRecord,
  type LinkState,
  type State,
  type StateRadio,
  type Wire,
} from '@yunxun/contract/device';
import { bandOf } from './bands.ts';
import { wholeWithin } from './values.ts';

/** Bytes per second and direction. */
export interface Speeds {
  wan: number;
  air: Record<2 | 5 | 6, number>;
  cable: number;
}

const megabit = 125_000;
/** Without a stated speed: 10 Gbit/s. */
const unnamed = 10_000 * megabit;
/** Mbit/s by channel width in MHz: 802.11be, MCS 13, four streams, 0.8 us guard interval. */
const radioRates: Readonly<Record<number, number>> = { 20: 688, 40: 1376, 80: 2882, 160: 5765, 320: 11_529 };
/** Widest channel per band, MHz. */
const widest = { 2: 40, 5: 160, 6: 320 } as const;

export const unknownSpeeds: Speeds = { wan: unnamed, air: { 2: unnamed, 5: unnamed, 6: unnamed }, cable: unnamed };

/** Reads `link-state` (Mbit/s) and channel widths. Never throws. */
export function speedsOf(state: Wire<State>): Speeds {
  const { upstream, downstream } = asRecord<NonNullable<State['link-state']>>(state['link-state']);
  const uplinks = speedsIn(upstream);
  const ports = speedsIn(downstream);
  const air = { 2: 0, 5: 0, 6: 0 };
  for (const entry of asList(state.radios)) {
    const radio = asRecord<StateRadio>(entry);
    const band = bandOf(radio, state);
    if (band === null) continue;
    const width =
      radioRates[asNumber(radio.channel_width) ?? 0] === undefined ? widest[band] : asNumber(radio.channel_width)!;
    air[band] += radioRates[width]! * megabit;
  }
  return {
    wan:
      uplinks.length > 0 && !uplinks.includes(null) ? uplinks.reduce<number>((sum, speed) => sum + speed!, 0) : unnamed,
    air: { 2: air[2] || unnamed, 5: air[5] || unnamed, 6: air[6] || unnamed },
    cable: ports.length > 0 && !ports.includes(null) ? Math.max(...ports.map((speed) => speed!)) : unnamed,
  };
}

/** Returns bytes per second of plugged ports; null: not stated. */
function speedsIn(side: unknown): (number | null)[] {
  return Object.values(asRecord<Record<string, unknown>>(side)).flatMap((entry) => {
    const { carrier, speed } = asRecord<LinkState>(entry);
    if (!(asFlag(carrier) ?? (asNumber(carrier) ?? 0) > 0)) return [];
    const megabits = wholeWithin(speed, 1, 1_000_000);
    return [megabits === null ? null : megabits * megabit];
  });
}
