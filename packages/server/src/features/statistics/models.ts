import { type statistics as contract, type DataOf, dayParts, daySlots, terminalTypes } from '@yunxun/contract';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import {
  appFlowBySlot,
  appFlowRanking,
  appFlowSources,
  type Shares,
  terminalCounts,
  terminalShares,
  usersByDay,
  visits,
} from '../../telemetry/read/index.ts';
import { firstDay, uplinkFlow } from '../../telemetry/read/uplink-flow.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { coverageOf, sourceOf } from './app-source.ts';
import { authenticationShares } from './authenticated.ts';
import { type Asked, firstOf } from './scope.ts';

/** The shorter period; days that a user is new. */
const monthDays = 30;
const brandsShown = 10;

export type Period = 'month' | 'history';

/** `first` is null before the first report. */
interface Counted {
  first: string | null;
  from: string;
  to: string;
}

async function countedDays(tx: Tx, asked: Asked, period: Period): Promise<Counted> {
  const ever = await firstDay(tx, asked.accountId, asked);
  const month = firstOf(asked, monthDays);
  const first = ever && period === 'month' && ever < month ? month : ever;
  return { first, from: first ?? asked.today, to: asked.today };
}

export async function flowModel(tx: Tx, asked: Asked, period: Period): Promise<DataOf<typeof contract.flowModel>> {
  const { accountId, gwids, now, zone } = asked;
  const { first, from, to } = await countedDays(tx, asked, period);
  const days = { gwids, from, to, zone };
  const flow = await uplinkFlow(tx, accountId, days);
  const { networks } = await fleetNetworks.counts(tx, accountId, now, gwids);
  const fed = await appFlowSources(tx, accountId, { gwids });
  const source = sourceOf(fed, networks.total);
  const span = { gwids, from: startOfDay(from, zone), to: startOfDay(addDays(to, 1), zone) };
  const slots = source === 'none' ? [] : await appFlowBySlot(tx, accountId, { ...span, zone });
  const ranking = source === 'none' ? [] : await appFlowRanking(tx, accountId, span);
  const coverage = coverageOf(fed, slots, span.from);
  const authenticated = (await usersByDay(tx, accountId, { ...days, now })).reduce(
    (sum, { counts }) => sum + (counts?.authenticated ?? 0),
    0,
  );
  const platforms = ofTypes(
    await terminalShares(tx, accountId, { gwids, since: since(asked, period), by: 'terminal_type' }),
  );
  return {
    as_of: now.toISOString(),
    from: first,
    stage: dayParts.map((name, part) => ({ name, value: flow[part] ?? 0 })),
    app_stage:
      source === 'none'
        ? []
        : daySlots.map((name, slot) => ({
            name,
            items: slots
              .filter((row) => row.slot === slot)
              .map(({ category, down, up }) => ({ name: category, value: down + up })),
          })),
    ...(await authenticationShares(tx, asked, from, authenticated)),
    client_type: platforms.known,
    app_times: ranking.map(({ category, uses }) => ({ name: category, value: uses })),
    app_source: source,
    app_measured: coverage.measured,
    app_since: coverage.measured_since,
    client_type_other: platforms.other,
    client_type_unknown: platforms.unknown,
  };
}

export async function userModel(tx: Tx, asked: Asked, period: Period): Promise<DataOf<typeof contract.userModel>> {
  const { accountId, gwids, now, zone } = asked;
  const { first, from, to } = await countedDays(tx, asked, period);
  const seen = { gwids, since: since(asked, period) };
  const month = await terminalCounts(tx, accountId, { gwids, since: since(asked, 'month') });
  const all = period === 'month' ? month : await terminalCounts(tx, accountId, seen);
  const came = await visits(tx, accountId, { gwids, from, to, now, zone });
  const types = ofTypes(await terminalShares(tx, accountId, { ...seen, by: 'terminal_type' }));
  const brands = await terminalShares(tx, accountId, { ...seen, by: 'brand' });
  const named = brands.flatMap(({ value, users }) => (value === null ? [] : { name: value, value: users }));
  return {
    as_of: now.toISOString(),
    from: first,
    user_label: [
      { name: 'new', value: month.fresh },
      { name: 'old', value: all.all - month.fresh },
    ],
    client_time_block: dayParts.map((name, part) => ({ name, value: came.byPart[part] ?? 0 })),
    user_time: [
      { name: '<30', value: came.lt30 },
      { name: '>30', value: came.gt30 },
      { name: '1~2', value: came.h1to2 },
      { name: '2~4', value: came.h2to4 },
      { name: '>4', value: came.gt4 },
    ],
    terminal_type: types.known,
    terminal_brand: named.slice(0, brandsShown),
    users: all.all,
    visits: came.visits,
    terminal_type_other: types.other,
    terminal_type_unknown: types.unknown,
    terminal_brand_other: named.slice(brandsShown).reduce((sum, { value }) => sum + value, 0),
    terminal_brand_unknown: brands.find(({ value }) => value === null)?.users ?? 0,
    random_mac: all.randomMac,
  };
}

function since(asked: Asked, period: Period): Date | null {
  return period === 'history' ? null : startOfDay(firstOf(asked, monthDays), asked.zone);
}

/** Groups by `terminalTypes`, then other known, unknown. */
function ofTypes(shares: Shares) {
  const users = (fits: (value: string | null) => boolean) =>
    shares.filter(({ value }) => fits(value)).reduce((sum, row) => sum + row.users, 0);
  const known = terminalTypes
    .map((name) => ({ name, value: users((value) => value === name) }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value);
  const unknown = users((value) => value === null);
  return { known, unknown, other: users(() => true) - unknown - known.reduce((sum, { value }) => sum + value, 0) };
}
