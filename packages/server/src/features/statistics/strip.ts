import { type Actor, allows, type homeTop as contract, type DataOf, networksOf } from '@yunxun/contract';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import { curveHours, curveTimes } from '../../platform/curve.ts';
import type { Tx } from '../../platform/database/index.ts';
import { floorTo, hour, minute } from '../../telemetry/layers.ts';
import { series, totals, usersNow, usersToday } from '../../telemetry/read/index.ts';
import { incidents } from '../alarms/index.ts';
import { ledger, yuan } from '../billing/index.ts';
import { deviceOutages, fleetNetworks } from '../fleet/index.ts';
import { guestsAt } from '../portal/index.ts';
import { authenticatedUsers } from './authenticated.ts';
import { firstHour, hourlyClients } from './hourly-clients.ts';
import { type Asked, ask, firstOf } from './scope.ts';

type Strip = DataOf<typeof contract.strip>;
type Curve = Strip['networks']['curve'];

const incomeDays = 14;
const dayMs = curveHours * hour;
const lineMs = 15 * minute;
const ago = ({ now }: Asked, ms: number) => new Date(now.getTime() - ms);

/** Each part is null without its permission. */
export async function homeStrip(tx: Tx, actor: Actor, now: Date): Promise<Strip> {
  const asked = await ask(tx, actor.accountId, networksOf(actor), now);
  const times = curveTimes(now);
  const mayStatistics = allows(actor, 'statistics.read');
  return {
    as_of: now.toISOString(),
    ...(await fleetPart(tx, asked, times)),
    ...(mayStatistics ? await usersPart(tx, asked, times) : { clients: null, guests: null }),
    internet: mayStatistics ? await internetPart(tx, asked) : null,
    income: allows(actor, 'billing.read') ? await incomePart(tx, asked) : null,
    alarms: allows(actor, 'message.read') ? await alarmsPart(tx, asked, times) : null,
  };
}

/** The last value is the number shown. */
const until = (curve: Curve, now: number): Curve => [...curve.slice(0, -1), now];
const difference = ([before = null]: Curve, now: number): number | null => (before === null ? null : now - before);

/** One decimal; null if nothing was before. */
function percentOf(before: number | null, now: number | null): number | null {
  return before === null || now === null || before <= 0 ? null : Math.round(((now - before) / before) * 1000) / 10;
}

async function fleetPart(
  tx: Tx,
  { accountId, gwids, now }: Asked,
  times: readonly Date[],
): Promise<Pick<Strip, 'networks' | 'aps' | 'devices'>> {
  const counts = await fleetNetworks.counts(tx, accountId, now, gwids);
  const past = await deviceOutages.onlineAt(tx, accountId, times, now);
  const counted = (of: 'networks' | 'devices') => {
    const { online } = counts[of];
    const curve = past.map((row) => row[of]);
    return { ...counts[of], change: difference(curve, online), curve: until(curve, online) };
  };
  return { networks: counted('networks'), aps: counts.aps, devices: counted('devices') };
}

async function usersPart(tx: Tx, asked: Asked, times: readonly Date[]): Promise<Pick<Strip, 'clients' | 'guests'>> {
  const { accountId, gwids, now, zone } = asked;
  const present = await usersNow(tx, accountId, { gwids });
  const day = await usersToday(tx, accountId, { gwids, now, zone });
  const count = curveHours + 1;
  const hours = await hourlyClients(tx, accountId, { scope: 'account', ids: gwids }, { now, count });
  const clients = hours.get(null) ?? Array<null>(count).fill(null);
  const { current_auth, today_auth_amount, auth_source } = await authenticatedUsers(tx, asked, {
    now: present.authenticated,
    today: day.authenticated,
  });
  const sessions = await guestsAt(tx, accountId, { gwids, times });
  const fromPortal = sessions.some((sum) => sum > 0);
  return {
    clients: {
      now: present.online,
      // day counts lag behind the present ones
      today: Math.max(day.online, present.online),
      change: percentOf(clients[0] ?? null, clients.at(-1) ?? null),
      curve: clients,
    },
    guests: {
      now: current_auth,
      today: today_auth_amount,
      source: auth_source,
      change: fromPortal ? sessions.at(-1)! - sessions[0]! : null,
      curve: fromPortal ? sessions : times.map(() => null),
    },
  };
}

async function internetPart(tx: Tx, asked: Asked): Promise<Strip['internet']> {
  const { accountId, gwids, now } = asked;
  const lines = { scope: 'account', ids: gwids } as const;
  const want = ['samples', 'networkWan'] as const;
  const last = await totals(tx, accountId, { ...lines, from: ago(asked, dayMs), to: now, want });
  const before = await totals(tx, accountId, { ...lines, from: ago(asked, 2 * dayMs), to: ago(asked, dayMs), want });
  const wans = ['wanLatency', 'wanLoss'] as const;
  const wan = await totals(tx, accountId, { ...lines, from: ago(asked, lineMs), to: now, want: wans });
  const from = firstHour(now, curveHours);
  const span = { from, to: floorTo(hour, now), step: '1h' as const };
  const hours = await series(tx, accountId, { ...lines, ...span, want });
  const curve: Curve = Array<null>(curveHours).fill(null);
  for (const { bucket, networkWan } of hours) curve[(bucket.getTime() - from.getTime()) / hour] = networkWan;
  return {
    bytes: last.samples > 0 ? last.networkWan : null,
    latency_ms: wan.wanLatency,
    loss_percent: wan.wanLoss,
    change: percentOf(before.networkWan, last.samples > 0 ? last.networkWan : null),
    curve,
  };
}

async function incomePart(tx: Tx, asked: Asked): Promise<Strip['income']> {
  const { accountId, gwids, now, zone, today } = asked;
  const first = firstOf(asked, incomeDays);
  const [from, to] = [startOfDay(first, zone), startOfDay(addDays(today, 1), zone)];
  const fen = await ledger.incomeByDay(tx, accountId, { from, to, zone, gwids });
  const yesterday = startOfDay(addDays(today, -1), zone);
  const sinceMidnight = now.getTime() - startOfDay(today, zone).getTime();
  const sameTime = new Date(yesterday.getTime() + sinceMidnight);
  const before = await ledger.incomeOf(tx, accountId, yesterday, sameTime, gwids);
  const sum = fen.get(today) ?? 0;
  const paid = fen.size > 0 || (await ledger.hasIncome(tx, accountId, gwids));
  return {
    today: yuan(sum),
    source: paid ? 'complete' : 'none',
    change: percentOf(before, sum),
    curve: Array.from({ length: incomeDays }, (_, place) =>
      paid ? (fen.get(addDays(first, place)) ?? 0) / 100 : null,
    ),
  };
}

async function alarmsPart(tx: Tx, { accountId, gwids, now }: Asked, times: readonly Date[]): Promise<Strip['alarms']> {
  const { by_level, active } = await incidents.counts(tx, accountId, now, gwids);
  const curve = await incidents.openAt(tx, accountId, times);
  return { by_level, change: difference(curve, active), curve: until(curve, active) };
}
