import type { shield as contract, DataOf, InputOf } from '@yunxun/contract';
import type { ShieldCategory } from '@yunxun/contract/device';
import { type RawBuilder, sql } from 'kysely';
import { addDays, dayOf, startOfDay } from '../../platform/calendar.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { shownList } from './lists.ts';
import { networkStates, readPolicies } from './states.ts';
import { readLists, shieldTables } from './tables.ts';

type Briefing = DataOf<typeof contract.briefing>;

const maxRows = 10;
const maxUnprotected = 50;
const maxNetworks = 100_000;

export function createBriefing({ database, clock }: { database: Database; clock: Clock }) {
  return async (
    tx: Tx,
    accountId: string,
    { gwid, days = '7' }: InputOf<typeof contract.briefing>,
  ): Promise<Briefing> => {
    const now = clock.now();
    const { time_zone: zone } = await accounts.accountOf(tx, accountId);
    const today = dayOf(now, zone);
    const since = (count: number) => startOfDay(addDays(today, 1 - count), zone);
    const here = gwid ? sql`account_id = ${accountId} and gwid = ${gwid}` : sql`account_id = ${accountId}`;
    const period = sql`${here} and at >= ${since(Number(days))}`;
    const sums = await daySums(tx, here, since(30), zone);
    const countedFrom = await countedSince(tx, accountId, gwid ? [gwid] : null);
    const firstDay = countedFrom && dayOf(countedFrom, zone);
    const sumFrom = (first: string, key: 'blocked' | 'monitored') =>
      firstDay === null ? null : sums.filter(({ day }) => day >= first).reduce((sum, row) => sum + row[key], 0);
    const first = addDays(today, 1 - Number(days));
    const blocked = sql`${period} and blocked`;
    const { rows: domains } = await sql<{ domain: string; category: ShieldCategory; queries: number }>`
      select domain, category, sum(queries)::bigint as queries from shield_count where ${blocked}
      group by 1, 2 order by 3 desc, 1 limit ${maxRows}`.execute(tx);
    const { rows: terminals } = await sql<{ mac: string; gwid: string; queries: number }>`
      select mac, gwid, sum(queries)::bigint as queries from shield_count where ${blocked}
      group by 1, 2 order by 3 desc, 1 limit ${maxRows}`.execute(tx);
    const { rows: networks } = await sql<{ gwid: string; queries: number }>`
      select gwid, sum(queries)::bigint as queries from shield_count where ${blocked}
      group by 1 order by 2 desc, 1 limit ${maxRows}`.execute(tx);
    const { rows: categories } = await sql<{ category: ShieldCategory; queries: number }>`
      select category, sum(queries)::bigint as queries from shield_count where ${blocked}
      group by 1 order by 2 desc, 1`.execute(tx);
    const guarded = await protection(tx, accountId, now, gwid);
    const shown = [...terminals, ...networks, ...guarded.unprotected].map((row) => row.gwid);
    const names = await fleetNetworks.names(tx, accountId, shown);
    const nameOf = (id: string) => names.get(id) ?? '';
    return {
      as_of: now.toISOString(),
      blocked: {
        today: sumFrom(today, 'blocked'),
        week: sumFrom(addDays(today, -6), 'blocked'),
        month: sumFrom(addDays(today, -29), 'blocked'),
      },
      monitored: sumFrom(first, 'monitored'),
      by_day: Array.from({ length: 30 }, (_, at) => {
        const day = addDays(today, at - 29);
        const counted = firstDay !== null && day >= firstDay ? 0 : null;
        return sums.find((row) => row.day === day) ?? { day, blocked: counted, monitored: counted };
      }),
      counted_from: countedFrom?.toISOString() ?? null,
      top_domains: domains,
      top_terminals: terminals.map((row) => ({ ...row, network: nameOf(row.gwid) })),
      networks: networks.map((row) => ({ ...row, name: nameOf(row.gwid) })),
      categories,
      unprotected: guarded.unprotected.map((row) => ({ ...row, name: nameOf(row.gwid) })),
      unprotected_total: guarded.unprotectedTotal,
      protected_total: guarded.protectedTotal,
      lists: (await readLists(database.system)).map(shownList),
    };
  };
}

async function daySums(
  tx: Tx,
  here: RawBuilder<unknown>,
  from: Date,
  zone: string,
): Promise<{ day: string; blocked: number; monitored: number }[]> {
  const { rows } = await sql<{ day: string; blocked: number; monitored: number }>`
    select to_char(at at time zone ${zone}, 'YYYY-MM-DD') as day,
      coalesce(sum(queries) filter (where blocked), 0)::bigint as blocked,
      coalesce(sum(queries) filter (where not blocked), 0)::bigint as monitored
    from shield_count where ${here} and at >= ${from} group by 1`.execute(tx);
  return rows;
}

async function protection(tx: Tx, accountId: string, now: Date, gwid: string | undefined) {
  const gwids = gwid ? [gwid] : await fleetNetworks.find(tx, accountId, now, {}, maxNetworks);
  const policies = await readPolicies(tx, accountId, gwids);
  // a network without settings is off whatever its gateway can
  const states = await networkStates(tx, accountId, [...policies.keys()], now);
  const open = gwids.flatMap((id) => {
    const { state, reason } = states.get(id) ?? { state: 'off' as const, reason: null };
    return state === 'enforced' ? [] : [{ gwid: id, state, reason }];
  });
  return {
    unprotected: open.slice(0, maxUnprotected),
    unprotectedTotal: open.length,
    protectedTotal: gwids.length - open.length,
  };
}

async function countedSince(tx: Tx, accountId: string, gwids: readonly string[] | null): Promise<Date | null> {
  let taken = shieldTables(tx)
    .selectFrom('shield_taken')
    .select(({ fn }) => fn.min<Date | null>('since').as('since'))
    .where('account_id', '=', accountId);
  if (gwids) taken = taken.where('gwid', '=', sql<string>`any(${[...gwids]}::uuid[])`);
  return (await taken.executeTakeFirstOrThrow()).since;
}

/** Returns null if no gateway has reported counts. */
export async function interceptedOf(
  tx: Tx,
  accountId: string,
  { gwids, from, to }: { gwids: readonly string[] | null; from: Date; to: Date },
): Promise<number | null> {
  if ((await countedSince(tx, accountId, gwids)) === null) return null;
  let counts = shieldTables(tx)
    .selectFrom('shield_count')
    .select(({ fn }) => fn.sum<number | null>('queries').as('queries'))
    .where('account_id', '=', accountId)
    .where('blocked', '=', true)
    .where('at', '>=', from)
    .where('at', '<', to);
  if (gwids) counts = counts.where('gwid', '=', sql<string>`any(${[...gwids]}::uuid[])`);
  return Number((await counts.executeTakeFirstOrThrow()).queries ?? 0);
}
