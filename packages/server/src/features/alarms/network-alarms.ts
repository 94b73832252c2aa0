import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import type { AlarmTable } from './tables.ts';

type Row = Pick<
  AlarmTable,
  'id' | 'kind' | 'level' | 'serial' | 'name' | 'part' | 'began_at' | 'recovered_at' | 'devices_hit'
>;

export interface NetworkAlarm extends Row {
  text: string;
}

/** Returns the newest uncaused alarms that lasted after a time, and their total. */
export async function networkAlarms(
  tx: Tx,
  accountId: string,
  { gwid, from, limit, locale }: { gwid: string; from: Date; limit: number; locale: Locale },
): Promise<{ list: NetworkAlarm[]; total: number }> {
  const { rows } = await sql<Row & { total: number }>`
    select id, kind, level, serial, name, part, began_at, recovered_at, devices_hit, count(*) over ()::int as total
    from alarm where account_id = ${accountId} and gwid = ${gwid} and cause_id is null
      and coalesce(recovered_at, 'infinity') >= ${from}
    order by began_at desc, id limit ${limit}
  `.execute(tx);
  const network = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '';
  const devices = await fleetDevices.names(
    tx,
    accountId,
    rows.flatMap(({ serial }) => serial ?? []),
  );
  const list = rows.map(({ total: _total, ...row }) => {
    const name = row.serial === null ? network : devices.get(row.serial)?.name || row.name || row.serial;
    return { ...row, name, text: messageByKey(locale, `alarm.${row.kind}`, { name, network, part: row.part }) };
  });
  return { list, total: rows[0]?.total ?? 0 };
}
