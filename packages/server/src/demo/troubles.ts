import type { PastOutage, PlannedDevice } from '@yunxun/simulator';
import { addDays, dayOf, momentOf } from '../platform/calendar.ts';
import { type MemoryFile, zone } from './memory.ts';
import type { DemoAccount, DemoShop } from './world.ts';

export type TroubleKind = 'power' | 'maintenance' | 'cabinet' | 'device' | 'crash';

/** What went wrong in a shop before the demo began: the simulated past lacks the devices' reports meanwhile. */
export interface Trouble {
  kind: TroubleKind;
  serials: readonly string[];
  from: Date;
  until: Date;
}

const minuteMs = 60_000;
/** Key of `Memory.notes`: when the demo began, milliseconds. */
const beganNote = 'began';

export function beganAt({ memory, save }: MemoryFile): Date {
  if (memory.notes[beganNote] === undefined) {
    memory.notes[beganNote] = Date.now();
    save();
  }
  return new Date(memory.notes[beganNote] as number);
}

/** Returns a time of last night that is over for an hour at least. */
function lastNight(now: Date, [late, early]: readonly [string, string], minutes: number): Date {
  const today = dayOf(now, zone);
  const night = momentOf(today, late, zone);
  const isOver = night.getTime() + (minutes + 60) * minuteMs < now.getTime();
  return isOver ? night : momentOf(addDays(today, -1), early, zone);
}

const earlier = (now: Date, days: number, time: string) => momentOf(addDays(dayOf(now, zone), -days), time, zone);

/** Gives the last shop of an account the trouble of last night, and earlier ones one each. */
export function troublesOf(
  account: DemoAccount,
  shop: DemoShop,
  devices: readonly PlannedDevice[],
  now: Date,
): Trouble[] {
  const { shops, locale } = account;
  const isFirst = locale === 'zh-CN';
  const lasting = (kind: TroubleKind, some: readonly PlannedDevice[], from: Date, minutes: number): Trouble[] => {
    const serials = some.map(({ serial }) => serial);
    return serials.length === 0 ? [] : [{ kind, serials, from, until: new Date(from.getTime() + minutes * minuteMs) }];
  };
  const aps = devices.filter((device) => device.role === 'access-point');
  const fromLast = shops.length - 1 - shops.indexOf(shop);
  if (fromLast === 0) {
    const minutes = isFirst ? 41 : 78;
    const at = lastNight(now, isFirst ? ['02:11', '22:36'] : ['03:27', '22:08'], minutes);
    return lasting('power', devices, at, minutes);
  }
  if (fromLast === 1)
    return lasting('device', aps.slice(2, 3), earlier(now, isFirst ? 5 : 4, '16:05'), isFirst ? 132 : 55);
  if (fromLast === 2) return lasting('crash', aps.slice(1, 2), earlier(now, isFirst ? 9 : 11, '10:24'), 2);
  if (fromLast === 3) return lasting('maintenance', devices, lastNight(now, ['04:05', '23:10'], 6), 6);
  if (fromLast !== 4) return [];
  const cabinet = devices.filter((device) => device.role === 'switch')[1];
  const behind = aps.filter(({ uplinkMac }) => cabinet && uplinkMac === cabinet.mac);
  return lasting('cabinet', cabinet ? [cabinet, ...behind] : [], earlier(now, isFirst ? 16 : 14, '14:20'), 26);
}

export const outagesOf = (troubles: readonly Trouble[]): PastOutage[] =>
  troubles.map(({ serials, from, until }) => ({ serials, fromMs: from.getTime(), untilMs: until.getTime() }));
