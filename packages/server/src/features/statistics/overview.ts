import { type Actor, allows, type statistics as contract, type DataOf, type Locale } from '@yunxun/contract';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { airFlowSource, appFlowSources, appFlowTotals, usersNow, usersToday } from '../../telemetry/read/index.ts';
import { uplinkFlow } from '../../telemetry/read/uplink-flow.ts';
import { incidents } from '../alarms/index.ts';
import { ledger, yuan } from '../billing/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { interceptedOf } from '../shield/index.ts';
import { coverageOf, sourceOf } from './app-source.ts';
import { authenticatedUsers } from './authenticated.ts';
import { knownDays } from './known-days.ts';
import { type Asked, firstOf } from './scope.ts';

const weekDays = 7;

type Complex = DataOf<typeof contract.complex>;

export async function complex(tx: Tx, actor: Actor, asked: Asked, locale: Locale): Promise<Complex> {
  const { accountId, gwids, now, zone, today } = asked;
  const fleet = await fleetNetworks.counts(tx, accountId, now, gwids);
  const present = await usersNow(tx, accountId, { gwids });
  const day = await usersToday(tx, accountId, { gwids, now, zone });
  const from = firstOf(asked, weekDays);
  const flow = await uplinkFlow(tx, accountId, { gwids, from, to: today, zone });
  const fed = await appFlowSources(tx, accountId, { gwids });
  const source = sourceOf(fed, fleet.networks.total);
  const span = { from: startOfDay(from, zone), to: startOfDay(addDays(today, 1), zone) };
  const categories = source === 'none' ? [] : await appFlowTotals(tx, accountId, { gwids, ...span });
  const intercepted = await interceptedOf(tx, accountId, { gwids, from: startOfDay(today, zone), to: span.to });
  return {
    as_of: now.toISOString(),
    router_number: fleet.networks.total,
    router_online_number: fleet.networks.online,
    ap_number: fleet.aps.total,
    ap_online_number: fleet.aps.online,
    ...(await authenticatedUsers(tx, asked, { now: present.authenticated, today: day.authenticated })),
    current_online: present.online,
    // day counts lag behind the present ones
    today_online_amount: Math.max(day.online, present.online),
    alarm_level_amount: (await incidents.counts(tx, accountId, now, gwids)).by_level,
    alarm_messages: await incidents.messages(tx, accountId, locale, gwids),
    cumulative_flow: {
      total: flow.reduce((sum, bytes) => sum + bytes, 0),
      items: categories.map(({ category, down, up }) => ({ name: category, value: down + up })),
      source,
      ...coverageOf(fed, categories, span.from),
      from,
    },
    ...(await incomeToday(tx, actor, asked)),
    intercept_number: intercepted,
    intercept_source: intercepted === null ? 'none' : 'complete',
  };
}

async function incomeToday(
  tx: Tx,
  actor: Actor,
  { accountId, gwids, zone, today }: Asked,
): Promise<Pick<Complex, 'income' | 'income_source'>> {
  if (!allows(actor, 'billing.read')) return { income: null, income_source: 'hidden' };
  const [from, to] = [startOfDay(today, zone), startOfDay(addDays(today, 1), zone)];
  return {
    income: yuan(await ledger.incomeOf(tx, accountId, from, to, gwids)),
    income_source: (await ledger.hasIncome(tx, accountId, gwids)) ? 'complete' : 'none',
  };
}

export async function apComplex(tx: Tx, asked: Asked): Promise<DataOf<typeof contract.apComplex>> {
  const { accountId, gwids, now, today } = asked;
  const present = await usersNow(tx, accountId, { gwids });
  const want = ['down', 'up', 'down2g', 'up2g', 'down5g', 'up5g', 'down6g', 'up6g'] as const;
  const known = await knownDays(tx, { ...asked, from: firstOf(asked, weekDays), to: today }, want);
  const ofToday = known.at(-1)?.reports;
  const reported = known.flatMap(({ reports }) => reports ?? []);
  return {
    as_of: now.toISOString(),
    ap_flow: {
      download: ofToday?.down ?? null,
      online: present.online2g,
      online_5g: present.online5g,
      upload: ofToday?.up ?? null,
      week_flow: reported.length > 0 ? reported.reduce((sum, { down, up }) => sum + down + up, 0) : null,
      flow_source: await airFlowSource(tx, accountId, { gwids }),
    },
    bands: [
      { name: '2.4G', online: present.online2g, download: ofToday?.down2g ?? null, upload: ofToday?.up2g ?? null },
      { name: '5G', online: present.online5g, download: ofToday?.down5g ?? null, upload: ofToday?.up5g ?? null },
      { name: '6G', online: present.online6g, download: ofToday?.down6g ?? null, upload: ofToday?.up6g ?? null },
    ],
    days: known.map(({ date, reports, gap }) => ({
      date,
      download: reports?.down ?? null,
      upload: reports?.up ?? null,
      gap: reports ? null : (gap ?? 'no_report'),
    })),
  };
}

export async function trend(tx: Tx, asked: Asked, days: number): Promise<DataOf<typeof contract.clientNum>> {
  const { now, zone } = asked;
  const known = await knownDays(tx, { ...asked, from: firstOf(asked, days), to: asked.today }, ['samples']);
  return known.map(({ date, users, gap }) => ({
    date,
    online_number: users?.online ?? null,
    new_user_number: users?.newUsers ?? null,
    old_user_number: users?.oldUsers ?? null,
    gap,
    as_of: new Date(Math.min(startOfDay(addDays(date, 1), zone).getTime(), now.getTime())).toISOString(),
  }));
}
