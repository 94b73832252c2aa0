import type { OutageCause } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { downtimesSince, runningSince } from '../../../telemetry/heartbeat.ts';
import { outagesSince } from './outage-store.ts';

export interface DeviceOutage {
  serial: string;
  name: string;
  began: Date;
  ended: Date | null;
  cause: OutageCause;
}

export interface NetworkOutages {
  /** Newest first. */
  list: DeviceOutage[];
  total: number;
  console: { from: Date; to: Date }[];
}

/**
 * Returns outages that end after `from`, of today's devices. Excludes the cause `console`: console downtime shows them.
 * @param limit maximum listed
 */
export async function networkOutages(
  tx: Tx,
  accountId: string,
  { gwid, from, now, limit }: { gwid: string; from: Date; now: Date; limit: number },
): Promise<NetworkOutages> {
  const consoleUpSince = await runningSince(tx, now);
  const devices = sql`o.serial in (select serial from device where account_id = ${accountId} and gwid = ${gwid})`;
  const { rows } = await sql<DeviceOutage & { total: number }>`
    select o.serial, d.remark as name, o.began_at as began, o.ended_at as ended, o.cause, count(*) over ()::int as total
    from (${outagesSince(accountId, from, { now, consoleUpSince, devices })}) o
    join device d on d.account_id = ${accountId} and d.serial = o.serial
    where o.cause <> 'console'
    order by o.began_at desc, o.serial limit ${limit}
  `.execute(tx);
  return {
    list: rows,
    total: rows[0]?.total ?? 0,
    console: await downtimesSince(tx, from, now),
  };
}
