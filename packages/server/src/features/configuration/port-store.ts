import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { ReportedPort } from '../../uplink/index.ts';
import type { PortFacts } from './compile/index.ts';
import { configurationTables } from './tables.ts';
import type { DeviceKey } from './version-store.ts';

export async function readPorts(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, PortFacts[]>> {
  const ports = new Map<string, PortFacts[]>();
  if (serials.length === 0) return ports;
  const rows = await configurationTables(tx)
    .selectFrom('reported_port')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .orderBy('serial')
    .orderBy(sql`length(name)`)
    .orderBy('name')
    .execute();
  for (const { serial, name, speed, top_speed, duplex, poe, uplink } of rows) {
    const facts: PortFacts = { name, speed, top_speed, duplex, poe, uplink };
    const known = ports.get(serial);
    if (known) known.push(facts);
    else ports.set(serial, [facts]);
  }
  return ports;
}

/** Keeps the last speed of a port that is down. */
export async function writePorts(
  tx: Tx,
  { accountId, serial }: DeviceKey,
  ports: readonly ReportedPort[],
): Promise<void> {
  await sql`
    insert into reported_port as known (account_id, serial, name, speed, top_speed, duplex, poe)
    select ${accountId}, ${serial}, p.name, p.speed, p.speed, p.duplex, p.poe
    from json_to_recordset(${JSON.stringify(ports)}::json) as p (name text, speed integer, duplex text, poe boolean)
    order by p.name
    on conflict (account_id, serial, name) do update set
      speed = coalesce(excluded.speed, known.speed), duplex = coalesce(excluded.duplex, known.duplex),
      top_speed = greatest(excluded.speed, known.top_speed), poe = excluded.poe or known.poe
  `.execute(tx);
  await configurationTables(tx)
    .deleteFrom('reported_port')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where(
      'name',
      'not in',
      ports.map(({ name }) => name),
    )
    .execute();
}

/** @returns whether they changed */
export async function writeUplinks(
  tx: Tx,
  { accountId, serial }: DeviceKey,
  uplinks: ReadonlySet<string>,
): Promise<boolean> {
  const { numAffectedRows: changed = 0n } = await sql`
    update reported_port set uplink = not uplink
    where account_id = ${accountId} and serial = ${serial} and uplink <> (name = any(${[...uplinks]}::text[]))
  `.execute(tx);
  return changed > 0n;
}

export async function noteCycle(
  tx: Tx,
  { accountId, serial, port }: DeviceKey & { port: string },
  at: Date,
): Promise<void> {
  await configurationTables(tx)
    .updateTable('reported_port')
    .set({ power_cycled_at: at })
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('name', '=', port)
    .execute();
}

export async function readCycles(tx: Tx, { accountId, serial }: DeviceKey): Promise<ReadonlyMap<string, Date>> {
  const rows = await configurationTables(tx)
    .selectFrom('reported_port')
    .select(['name', 'power_cycled_at'])
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('power_cycled_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ name, power_cycled_at: at }) => [name, at!]));
}
