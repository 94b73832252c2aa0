import type { search as contract, DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { better, containing, hasMac, matchOf, type SearchWord } from '../../platform/search/index.ts';
import { type OperationLogTable, objectIdMatches } from './store.ts';

/** Newest; bounds the work. The log's own screen searches all. */
const maxRead = 1000;

type Row = Pick<OperationLogTable, 'seq' | 'at' | 'operator' | 'action' | 'object_id' | 'object_name' | 'gwid'>;

type Hit = DataOf<typeof contract.query>['list'][number];

export type NetworkNames = (
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface LogSearchRequest {
  tx: Tx;
  accountId: string;
  word: SearchWord;
  limit: number;
  logActions: readonly string[];
}

export function createLogSearch({ networkNames }: { networkNames: NetworkNames }) {
  return {
    permission: 'log.read' as const,
    find: (request: LogSearchRequest) => searchLog(networkNames, request),
  };
}

/** Finds the newest by object, operator, or action (also as the screen names it). Row security keeps to the networks. */
async function searchLog(
  networkNames: NetworkNames,
  { tx, accountId, word, limit, logActions }: LogSearchRequest,
): Promise<Hit[]> {
  const mac = word.digits && containing(word.digits);
  const byMac = mac ? sql` or ${hasMac('object_name', mac)} or ${hasMac('object_id', mac)}` : sql``;
  const begins = containing(word.text).slice(1);
  const { rows } = await sql<Row>`
    select seq, at, operator, action, object_id, object_name, gwid from (
      select seq, at, operator, action, object_id, object_name, gwid from operation_log
      where account_id = ${accountId} order by seq desc limit ${maxRead}) newest
    where action = any(${logActions}::text[]) or operator ilike ${begins}
      or object_name ilike ${containing(word.text)} or ${objectIdMatches(word.text)}${byMac}
    order by seq desc limit ${limit}`.execute(tx);
  const networks = await networkNames(
    tx,
    accountId,
    rows.flatMap(({ gwid }) => gwid ?? []),
  );
  return rows.map(({ seq, at, operator, action, object_id: object, object_name: title, gwid }) => ({
    kind: 'log' as const,
    id: String(seq),
    title,
    detail: operator,
    type: action,
    status: null,
    gwid,
    network: gwid && (networks.get(gwid) ?? null),
    at: at.toISOString(),
    match: better(matchOf(title, word), matchOf(object, word)) ?? ('part' as const),
  }));
}
