import type { ApplicationCategory } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { Scope, Span } from './types.ts';

export interface CategoryFlow {
  category: ApplicationCategory;
  down: number;
  up: number;
  uses: number;
}

export interface AppFlowSource {
  /** A missing network has no source. */
  networks: { gwid: string; kind: 'edge' | 'ipfix'; since: Date; lastAt: Date }[];
}

/** Without a source no number may be shown. */
export async function appFlowSources(tx: Tx, accountId: string, { gwids }: Scope): Promise<AppFlowSource> {
  const { rows } = await sql<AppFlowSource['networks'][number]>`
    select distinct on (gwid) gwid, kind, min(since) over (partition by gwid) as since, last_at as "lastAt"
    from app_flow_source where account_id = ${accountId}${among(gwids)} order by gwid, last_at desc
  `.execute(tx);
  return { networks: rows };
}

/** Takes whole hours; most bytes first. */
export async function appFlowTotals(tx: Tx, accountId: string, query: Scope & Span): Promise<CategoryFlow[]> {
  const { rows } = await sql<CategoryFlow>`
    select category, ${sums} ${hours(accountId, query)} group by 1 order by sum(down + up) desc, 1
  `.execute(tx);
  return rows;
}

/** Sums four-hour slots of the local day (0: 0–4 h), by each hour's start. */
export async function appFlowBySlot(
  tx: Tx,
  accountId: string,
  query: Scope & Span & { zone: string },
): Promise<(CategoryFlow & { slot: number })[]> {
  const { rows } = await sql<CategoryFlow & { slot: number }>`
    select floor(extract(hour from bucket at time zone ${query.zone}::text) / 4)::integer as slot, category, ${sums}
    ${hours(accountId, query)} group by 1, 2 order by 1, sum(down + up) desc, 2
  `.execute(tx);
  return rows;
}

export async function appFlowRanking(tx: Tx, accountId: string, query: Scope & Span): Promise<CategoryFlow[]> {
  return (await appFlowTotals(tx, accountId, query)).toSorted((a, b) => b.uses - a.uses);
}

const sums = sql.raw('sum(down)::bigint as down, sum(up)::bigint as up, sum(uses)::bigint as uses');

const among = (gwids: readonly string[] | null) => (gwids ? sql` and gwid = any(${[...gwids]}::uuid[])` : sql``);

function hours(accountId: string, { gwids, from, to }: Scope & Span): RawBuilder<unknown> {
  return sql`from app_flow_1h where account_id = ${accountId} and bucket >= date_bin('1 hour', ${from}::timestamptz, 'epoch')
    and bucket < ${to}${among(gwids)}`;
}
