import type { fleetBatch as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { presentBehind } from '../../../telemetry/read/index.ts';
import { deviceResults } from './device-list.ts';
import { deviceTerms, type ListFacts, networkTerms } from './list-facts.ts';
import { rankOfRow } from './list-query.ts';
import { networkFacts } from './network-facts.ts';
import { networkResults } from './network-list.ts';

export type ChosenNetworks = Pick<InputOf<typeof contract.networkChosen>, 'gwids' | 'all'>;
export type ChosenDevices = Pick<InputOf<typeof contract.apChosen>, 'serials' | 'all'>;
type Touched = DataOf<typeof contract.networkChosen>;

export const maxChosen = 20_000;
const named = 6;

export type Chosen = ReturnType<typeof createChosen>;

/** Resolves ids, or a list's results by its filters. */
export function createChosen({ clock, facts }: { clock: Clock; facts: ListFacts }) {
  return {
    /** @throws Failure changedMeanwhile if the number differs; limitReached; Invalid */
    networks: (tx: Tx, accountId: string, chosen: ChosenNetworks): Promise<string[]> =>
      resolve('gwids', chosen.gwids, chosen.all, async (query) => {
        const now = clock.now();
        const more = await networkTerms(facts, tx, accountId, now, query);
        return networkResults(tx, accountId, now, query, maxChosen + 1, more);
      }),

    /** @throws as for networks */
    devices: (tx: Tx, accountId: string, chosen: ChosenDevices): Promise<string[]> =>
      resolve('serials', chosen.serials, chosen.all, async (query) => {
        const more = await deviceTerms(facts, tx, accountId, query);
        return deviceResults(tx, accountId, clock.now(), query, maxChosen + 1, more);
      }),
  };
}

async function resolve<Q extends { total: number }>(
  field: string,
  ids: readonly string[] | undefined,
  all: Q | undefined,
  find: (query: Omit<Q, 'total'>) => Promise<string[]>,
): Promise<string[]> {
  if ((ids === undefined) === (all === undefined)) return invalid(field, 'validation.required');
  if (all === undefined) return [...ids!];
  const { total, ...query } = all;
  const found = await find(query);
  if (found.length > maxChosen) throw new Failure('limitReached', { data: { limit: maxChosen, used: found.length } });
  if (found.length !== total) throw new Failure('changedMeanwhile', { data: { total: found.length } });
  return found;
}

export async function touchedNetworks(
  tx: Tx,
  accountId: string,
  now: Date,
  gwids: readonly string[],
): Promise<Touched> {
  const { rows } = await sql<Omit<Touched, 'names'> & { names: string[] | null }>`
    select count(*)::int as total, (count(*) filter (where n.rank = 1))::int as online,
      coalesce(sum(n.users) filter (where n.rank = 1), 0)::int as users,
      (array_agg(n.remark order by n.remark, n.gwid))[1:${sql.lit(named)}] as names
    from (${networkFacts(accountId, now, gwids)}) n
  `.execute(tx);
  return present(rows[0]!);
}

/** Counts each client once: those of online devices, and all of a network whose gateway is affected. */
export async function touchedDevices(
  tx: Tx,
  accountId: string,
  now: Date,
  serials: readonly string[],
): Promise<Touched> {
  type Found = { total: number; names: string[] | null; serials: string[] | null; gwids: string[] | null };
  const { rows } = await sql<Found>`
    select count(*)::int as total, array_agg(d.serial) filter (where d.rank = 1) as serials,
      array_agg(d.gwid) filter (where d.rank = 1 and d.routes) as gwids,
      (array_agg(coalesce(nullif(d.remark, ''), d.serial) order by d.remark, d.serial))[1:${sql.lit(named)}] as names
    from (
      select d.serial, d.remark, d.gwid, n.gwid is not null as routes, ${rankOfRow('d', now)} as rank
      from device d
      left join network n on n.account_id = d.account_id and n.gwid = d.gwid and n.gateway_serial = d.serial
      where d.account_id = ${accountId} and d.serial = any(${[...serials]}::text[])) d
  `.execute(tx);
  const { total, names, ...found } = rows[0]!;
  const online = found.serials ?? [];
  const users = await presentBehind(tx, accountId, online, found.gwids ?? []);
  return present({ total, online: online.length, users, names });
}

function present({ total, online, users, names }: Omit<Touched, 'names'> & { names: string[] | null }): Touched {
  return { total, online, users, names: names ?? [] };
}
