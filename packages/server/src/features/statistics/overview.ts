import type { statistics as contract, DataOf, Locale } from '@yunxun/contract';
import { addDays, dayOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { airFlowSource, appFlowTotals, series, usersByDay, usersNow, usersToday } from '../../telemetry/read/index.ts';
import { uplinkFlow } from '../../telemetry/read/uplink-flow.ts';
import { alarmMessages, countAlarms } from '../alarms/alarm-list.ts';
import { hasIncome, incomeOf, yuan } from '../billing/service.ts';
import { fleetCounts } from '../fleet/counts.ts';
import { interceptedOf } from '../shield/index.ts';
import { sourceOf } from './app-source.ts';
import { authenticatedUsers } from './authenticated.ts';
import { type Asked, firstOf } from './scope.ts';

const weekDays = 7;

export async function complex(tx: Tx, asked: Asked, locale: Locale): Promise<DataOf<typeof contract.complex>> {
  const { accountId, gwids, now, zone, today } = asked;
  const fleet = await fleetCounts(tx, accountId, now, gwids);
  const present = await usersNow(tx, accountId, { gwids });
  const day = await usersToday(tx, accountId, { gwids, now, zone });
  const from = firstOf(asked, weekDays);
  const flow = await uplinkFlow(tx, accountId, { gwids, from, to: today, zone });
  const source = await sourceOf(tx, asked, fleet.networks);
  const span = { from: startOfDay(from, zone), to: startOfDay(addDays(today, 1), zone) };
  const categories = source === 'none' ? [] : await appFlowTotals(tx, accountId, { gwids, ...span });
  const intercepted = await interceptedOf(tx, accountId, { gwids, from: startOfDay(today, zone), to: span.to });
  const income = await incomeOf(tx, accountId, startOfDay(today, zone), span.to, gwids);
  return {
    as_of: now.toISOString(),
    router_number: fleet.networks,
    router_online_number: fleet.networksOnline,
    ap_number: fleet.aps,
    ap_online_number: fleet.apsOnline,
    ...(await authenticatedUsers(tx, asked, { now: present.authenticated, today: day.authenticated })),
    current_online: present.online,
    // day counts lag behind the present ones
    today_online_amount: Math.max(day.online, present.online),
    alarm_level_amount: (await countAlarms(tx, accountId, now, gwids)).by_level,
    alarm_messages: await alarmMessages(tx, accountId, locale, gwids),
    cumulative_flow: {
      total: flow.reduce((sum, bytes) => sum + bytes, 0),
      items: categories.map(({ category, down, up }) => ({ name: category, value: down + up })),
      source,
      from,
    },
    income: yuan(income),
    income_source: (await hasIncome(tx, accountId, gwids)) ? 'complete' : 'none',
    intercept_number: intercepted,
    intercept_source: intercepted === null ? 'none' : 'complete',
  };
}

export async function apComplex(tx: Tx, asked: Asked): Promise<DataOf<typeof contract.apComplex>> {
  const { accountId, gwids, now, today } = asked;
  const present = await usersNow(tx, accountId, { gwids });
  const reported = await reportedDays(tx, asked, weekDays);
  const ofToday = reported.get(today);
  const days = daysFrom(asked, weekDays).map((date) => {
    const row = reported.get(date);
    return { date, download: row?.down ?? null, upload: row?.up ?? null };
  });
  return {
    as_of: now.toISOString(),
    ap_flow: {
      download: ofToday?.down ?? 0,
      online: present.online2g,
      online_5g: present.online5g,
      upload: ofToday?.up ?? 0,
      week_flow: [...reported.values()].reduce((sum, { down, up }) => sum + down + up, 0),
      flow_source: await airFlowSource(tx, accountId, { gwids }),
    },
    bands: [
      { name: '2.4G', online: present.online2g, download: ofToday?.down2g ?? 0, upload: ofToday?.up2g ?? 0 },
      { name: '5G', online: present.online5g, download: ofToday?.down5g ?? 0, upload: ofToday?.up5g ?? 0 },
      { name: '6G', online: present.online6g, download: ofToday?.down6g ?? 0, upload: ofToday?.up6g ?? 0 },
    ],
    days,
  };
}

/** Returns null without reports: unknown, not empty. */
export async function trend(tx: Tx, asked: Asked, days: number): Promise<DataOf<typeof contract.clientNum>> {
  const { accountId, gwids, now, zone, today } = asked;
  const users = await usersByDay(tx, accountId, { gwids, from: firstOf(asked, days), to: today, now, zone });
  const byDay = new Map(users.map((row) => [row.day, row]));
  const reported = await reportedDays(tx, asked, days);
  return daysFrom(asked, days).map((date) => {
    const row = byDay.get(date);
    const known = reported.has(date) || (row?.online ?? 0) > 0;
    const end = startOfDay(addDays(date, 1), zone).getTime();
    return {
      date,
      online_number: known ? (row?.online ?? 0) : null,
      new_user_number: known ? (row?.newUsers ?? 0) : null,
      old_user_number: known ? (row?.oldUsers ?? 0) : null,
      as_of: new Date(Math.min(end, now.getTime())).toISOString(),
    };
  });
}

function daysFrom(asked: Asked, days: number): string[] {
  return Array.from({ length: days }, (_, n) => addDays(firstOf(asked, days), n));
}

/** Returns days with reports. */
async function reportedDays(tx: Tx, asked: Asked, days: number) {
  const { accountId, gwids, zone, today } = asked;
  const rows = await series(tx, accountId, {
    ...{ scope: 'account', ids: gwids, step: '1d', zone },
    want: ['samples', 'down', 'up', 'down2g', 'up2g', 'down5g', 'up5g', 'down6g', 'up6g'],
    from: startOfDay(firstOf(asked, days), zone),
    to: startOfDay(addDays(today, 1), zone),
  });
  return new Map(rows.filter(({ samples }) => samples > 0).map((row) => [dayOf(row.bucket, zone), row]));
}
