import type { CaptiveGuest } from '@yunxun/contract/device';
import { hashOf } from '../world/random.ts';
import type { Station } from '../world/station.ts';

/** Percentage of guests that sign in. */
const signIn = 86;
/** Seconds from joining to sign-in: minimum and range. */
const quickest = 15;
const slower = 45;

/** Lists guests like uspot: "Garden", then "Authenticated"; IoT never. Decided by the MAC. */
export function guestsOf(
  stations: readonly Station[],
  nowMs: number,
  address: (station: Station) => string | null,
): Record<string, CaptiveGuest> {
  const guests: Record<string, CaptiveGuest> = {};
  for (const station of stations) {
    const { association, mac, person } = station;
    if (!association?.bss.open) continue;
    const seconds = Math.floor((nowMs - association.sinceMs) / 1000);
    const chance = hashOf(`guest ${mac}`);
    const takes = quickest + (chance % slower);
    const signsIn = person.habit.comesAndGoes && chance % 100 < signIn;
    const { traffic, idleSeconds } = association;
    const ip = address(station);
    guests[mac] = {
      ...(signsIn && seconds >= takes
        ? { status: 'Authenticated', username: numberOf(mac), time: seconds - takes }
        : { status: 'Garden', time: 0 }),
      idle: idleSeconds,
      ...(ip === null ? {} : { ip4addr: ip }),
      packets_ul: traffic.rxPackets,
      packets_dl: traffic.txPackets,
      bytes_ul: traffic.rxBytes,
      bytes_dl: traffic.txBytes,
    };
  }
  return guests;
}

function numberOf(mac: string): string {
  return `1380013${String(hashOf(`number ${mac}`) % 10_000).padStart(4, '0')}`;
}
