import type { fleetOutages as contract, DataOf, DeviceKind, InputOf, OutageCause } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { all, pageOf } from '../../../platform/database/paging.ts';
import { downtimesSince, runningSince, secondsOfDowntime } from '../../../telemetry/heartbeat.ts';
import { outagesSince } from './outage-store.ts';

interface OutageRow {
  serial: string;
  remark: string;
  kind: DeviceKind;
  began_at: Date;
  ended_at: Date | null;
  cause: OutageCause;
  boot_reason: string | null;
}

const epoch = new Date(0);

export async function listOutages(
  tx: Tx,
  accountId: string,
  now: Date,
  input: InputOf<typeof contract.outageList>,
): Promise<DataOf<typeof contract.outageList>> {
  const page = pageOf(input);
  const consoleUpSince = await runningSince(tx, now);
  const of = [sql`true`];
  if (input.serial) of.push(sql`o.serial = ${input.serial}`);
  if (input.gwid)
    of.push(sql`o.serial in (select serial from device where account_id = ${accountId} and gwid = ${input.gwid})`);
  const from = sql`
    from (${outagesSince(accountId, epoch, { now, consoleUpSince, devices: all(of) })}) o
    join device d on d.account_id = ${accountId} and d.serial = o.serial
    where ${input.cause ? sql`o.cause = ${input.cause}` : sql`true`}`;
  const { rows } = await sql<OutageRow>`
    select o.serial, d.remark, d.kind, o.began_at, o.ended_at, o.cause, o.boot_reason ${from}
    order by o.began_at desc, o.serial limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx);
  const earliest = rows.at(-1)?.began_at;
  const gaps = earliest ? await downtimesSince(tx, earliest, now) : [];
  return {
    list: rows.map(({ began_at: began, ended_at: ended, ...row }) => ({
      ...row,
      began_at: began.toISOString(),
      ended_at: ended?.toISOString() ?? null,
      seconds: Math.round(((ended ?? now).getTime() - began.getTime()) / 1000),
      unheard_s: secondsOfDowntime(gaps, began, ended ?? now),
    })),
    total: counted.rows[0]?.total ?? 0,
  };
}
