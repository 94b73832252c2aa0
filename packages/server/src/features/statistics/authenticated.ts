import { type AuthShare, type AuthSource, portalShapes } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { authenticatedDays, authenticatedNow, type ClientDay, clientDayKey } from '../../telemetry/read/index.ts';
import { type GuestDay, guestDays, guestsNow } from '../portal/index.ts';
import type { Asked } from './scope.ts';

const sourceOf = (devices: number, portal: number): AuthSource =>
  portal === 0 ? (devices === 0 ? 'none' : 'devices') : devices === 0 ? 'portal' : 'both';

interface Guests {
  days: GuestDay[];
  /** Named by devices too: counted once. */
  alsoNamed: number;
}

const macsOf = (list: readonly (string | null)[]) => list.filter((mac) => mac !== null);

async function guestsSince(tx: Tx, asked: Asked, from: string, namedNow: ReadonlySet<string>): Promise<Guests> {
  const { accountId, gwids, now, zone, today } = asked;
  const days = await guestDays(tx, accountId, { gwids, from, now, zone });
  const withMac = days.flatMap(({ day, mac }) => (mac === null ? [] : [{ day, mac }]));
  const named = await authenticatedDays(tx, accountId, { gwids }, withMac);
  // rows of days lag behind the present ones
  const isNamed = (one: ClientDay) => named.has(clientDayKey(one)) || (one.day === today && namedNow.has(one.mac));
  return { days, alsoNamed: withMac.filter(isNamed).length };
}

/** Adds portal guests to reported users, now and today. */
export async function authenticatedUsers(tx: Tx, asked: Asked, devices: { now: number; today: number }) {
  const { accountId, gwids, now } = asked;
  const online = await guestsNow(tx, accountId, { gwids, now });
  const namedNow = await authenticatedNow(tx, accountId, { gwids }, macsOf(online));
  const { days, alsoNamed } = await guestsSince(tx, asked, asked.today, namedNow);
  const current = devices.now + online.length - namedNow.size;
  return {
    current_auth: current,
    today_auth_amount: Math.max(Math.max(devices.today, devices.now) + days.length - alsoNamed, current),
    auth_source: sourceOf(Math.max(devices.today, devices.now), days.length),
  };
}

/** Counts each user once a day; `portal`: only devices report them. */
export async function authenticationShares(
  tx: Tx,
  asked: Asked,
  from: string,
  devices: number,
): Promise<{ auth_type: { name: AuthShare; value: number }[]; auth_source: AuthSource }> {
  const { accountId, gwids, now } = asked;
  const online = await guestsNow(tx, accountId, { gwids, now });
  const namedNow = await authenticatedNow(tx, accountId, { gwids }, macsOf(online));
  const { days, alsoNamed } = await guestsSince(tx, asked, from, namedNow);
  const shares = [
    { name: 'portal' as const, value: Math.max(0, devices - alsoNamed) },
    ...portalShapes.portalMethods.map((name) => ({ name, value: days.filter(({ method }) => method === name).length })),
  ];
  return { auth_type: shares.filter(({ value }) => value > 0), auth_source: sourceOf(devices, days.length) };
}
