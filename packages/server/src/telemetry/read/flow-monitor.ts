import type { ApplicationCategory } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { CategoryFlow } from './app-flow.ts';
import type { Scope, Span } from './types.ts';

/** `row`: seconds of stored rows; the span begins and ends with one. */
export interface FlowQuery extends Scope, Span {
  row: 300 | 3600;
  category?: ApplicationCategory | undefined;
  mac?: string | undefined;
}

export interface FlowBucket {
  place: number;
  category: ApplicationCategory;
  down: number;
  up: number;
  uses: number;
}

/** Sums by bucket of `step` seconds and category; omits empty ones. */
export async function flowBuckets(
  tx: Tx,
  accountId: string,
  query: FlowQuery & { step: number },
): Promise<FlowBucket[]> {
  const { rows } = await sql<FlowBucket>`
    select floor(extract(epoch from bucket - ${query.from}::timestamptz) / ${query.step})::integer as place, category, ${sums}
    ${rowsOf(accountId, query, false)} group by 1, 2 order by 1, 2
  `.execute(tx);
  return rows;
}

export interface FlowRanked extends Omit<CategoryFlow, 'category'> {
  key: string;
}

const keys = { client: 'mac', network: 'gwid', gateway: 'serial' } as const;

/** Sorts most bytes first; `total` counts all keys, `sum` adds them. */
export async function flowRanking(
  tx: Tx,
  accountId: string,
  query: FlowQuery & { by: keyof typeof keys; limit: number },
): Promise<{ list: FlowRanked[]; total: number; sum: Omit<FlowRanked, 'key'> }> {
  const from = rowsOf(accountId, query, query.by !== 'network');
  const { rows } = await sql<FlowRanked & { total: number; allDown: number; allUp: number; allUses: number }>`
    select key, down, up, uses, count(*) over ()::integer as total, (sum(down) over ())::bigint as "allDown",
      (sum(up) over ())::bigint as "allUp", (sum(uses) over ())::bigint as "allUses"
    from (select ${sql.ref(keys[query.by])}::text as key, ${sums} ${from} group by 1) one
    order by down + up desc, key limit ${query.limit}
  `.execute(tx);
  const [first] = rows;
  return {
    list: rows.map(({ key, down, up, uses }) => ({ key, down, up, uses })),
    total: first?.total ?? 0,
    sum: { down: first?.allDown ?? 0, up: first?.allUp ?? 0, uses: first?.allUses ?? 0 },
  };
}

const sums = sql.raw('sum(down)::bigint as down, sum(up)::bigint as up, sum(uses)::bigint as uses');

/** Prefers hourly rows of networks, a fraction of the clients'. */
function rowsOf(accountId: string, query: FlowQuery, single: boolean): RawBuilder<unknown> {
  const { gwids, from, to, row, category, mac } = query;
  const hours = single || mac ? 'app_flow_client_1h' : 'app_flow_1h';
  return sql`from ${sql.table(row === 300 ? 'app_flow' : hours)}
    where account_id = ${accountId} and bucket >= ${from} and bucket < ${to}
    ${gwids ? sql`and gwid = any(${[...gwids]}::uuid[])` : sql``}
    ${category ? sql`and category = ${category}` : sql``} ${mac ? sql`and mac = ${mac}` : sql``}`;
}
