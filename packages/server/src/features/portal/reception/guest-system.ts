import type { portalReception } from '@yunxun/contract';

export type GuestSystem = (typeof portalReception.guestSystems)[number];

/** In this order: HarmonyOS names Android, Android names Linux. */
const signs: readonly (readonly [GuestSystem, RegExp])[] = [
  ['iphone', /iPhone/],
  ['ipad', /iPad/],
  ['harmony', /HarmonyOS|OpenHarmony/i],
  ['android', /Android|Dalvik/],
  ['windows', /Windows|NCSI/],
  ['mac', /Macintosh|Mac OS X/],
  ['linux', /Linux/],
];

export function guestSystemOf(userAgent: string): GuestSystem | null {
  return signs.find(([, sign]) => sign.test(userAgent))?.[0] ?? null;
}
