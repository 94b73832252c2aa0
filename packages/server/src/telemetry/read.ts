import { inflateSync } from 'node:zlib';
import { asRecord, type State, type StateParams, type Wire } from '@yunxun/contract/device';
import { type RawBuilder, sql } from 'kysely';
import { type Tx, tables } from '../platform/database/index.ts';

/** Never inflated beyond this; what came over the wire was held to the same. */
const largestReport = 8 * 1024 * 1024;

interface LatestTables {
  device_latest: { account_id: string; serial: string; at: Date | null; state: Buffer | null };
}

/** What lists show of a device's latest report; columns of the alias `latest` in a query with `joinLatest`. */
export interface LatestColumns {
  as_of: Date | null;
  running_time: number | null;
  cpu: number | null;
  mem_used: number | null;
  mem_total: number | null;
  online_user: number | null;
  sanity: number | null;
}

/** Joins the latest report to the rows of a device alias: `from device d ${joinLatest('d')}`. */
export function joinLatest(device: string): RawBuilder<unknown> {
  const ref = (column: string) => sql.ref(`${device}.${column}`);
  return sql`left join device_latest latest on latest.account_id = ${ref('account_id')} and latest.serial = ${ref('serial')}`;
}

/** Selects the columns of `LatestColumns`. */
export const latestColumns: RawBuilder<unknown> = sql`
  latest.at as as_of, latest.uptime_s as running_time, latest.cpu_pct as cpu, latest.mem_used, latest.mem_total,
  latest.clients_total as online_user, latest.sanity`;

/** Terminals in the latest report, for a sort or a sum. */
export const latestTerminals: RawBuilder<number | null> = sql<number | null>`latest.clients_total`;
/** When the latest report came. */
export const latestTime: RawBuilder<Date | null> = sql<Date | null>`latest.at`;

/** A device's latest state report as it came; null before the first. Every part of it is unchecked. */
export async function latestReport(
  tx: Tx,
  accountId: string,
  serial: string,
): Promise<{ at: Date; state: Wire<State> } | null> {
  const row = await tables<LatestTables>(tx)
    .selectFrom('device_latest')
    .select(['at', 'state'])
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .executeTakeFirst();
  if (!row?.at || !row.state) return null;
  const params = JSON.parse(inflateSync(row.state, { maxOutputLength: largestReport }).toString('utf8')) as unknown;
  return { at: row.at, state: asRecord<State>(asRecord<StateParams>(params).state) };
}
