import type { OutageCause } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { downtimesSince, runningSince } from '../../../telemetry/heartbeat.ts';
import { outagesSince } from './outage-store.ts';

/** An outage of one device. */
export interface DeviceOutage {
  serial: string;
  name: string;
  began: Date;
  /** Null while it lasts. */
  ended: Date | null;
  cause: OutageCause;
}

/** When the devices of a network, and the console itself, were away. */
export interface NetworkOutages {
  /** The newest first. */
  list: DeviceOutage[];
  /** All of the span, listed or not. */
  total: number;
  console: { from: Date; to: Date }[];
}

/**
 * Returns the outages that end after `from`, of the devices that are in the network today. Those whose cause is the console
 * are left out: they are in its own gaps, or shorter than a gap.
 * @param limit most outages that are listed
 */
export async function networkOutages(
  tx: Tx,
  accountId: string,
  { gwid, from, now, limit }: { gwid: string; from: Date; now: Date; limit: number },
): Promise<NetworkOutages> {
  const listening = await runningSince(tx, now);
  const devices = sql`o.serial in (select serial from device where account_id = ${accountId} and gwid = ${gwid})`;
  const { rows } = await sql<DeviceOutage & { total: number }>`
    select o.serial, d.remark as name, o.began_at as began, o.ended_at as ended, o.cause, count(*) over ()::int as total
    from (${outagesSince(accountId, from, { now, listening, devices })}) o
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
