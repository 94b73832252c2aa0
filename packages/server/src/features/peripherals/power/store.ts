import type { PowerSkip, PowerState } from '@yunxun/contract';
import { peripheralPower } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

export interface CycleKey {
  accountId: string;
  id: string;
  /** Of the outage. */
  began: Date;
}

export interface WaitingCycle extends CycleKey {
  gwid: string;
  name: string;
  seen: Date;
  ended: Date | null;
}

export interface Place {
  serial: string;
  port: string;
  mac: string;
}

export async function ruledMacs(
  tx: Tx,
): Promise<{ accountId: string; gwid: string; devices: { id: string; mac: string }[] }[]> {
  const { rows } = await sql<{ accountId: string; gwid: string; devices: { id: string; mac: string }[] }>`
    select p.account_id as "accountId", p.gwid, json_agg(json_build_object('id', p.id, 'mac', p.mac)) as devices
    from peripheral_power r join peripheral p on p.account_id = r.account_id and p.gwid = r.gwid
    where r.enabled and p.mac is not null
    group by p.account_id, p.gwid order by p.account_id, p.gwid
  `.execute(tx);
  return rows;
}

export async function savePlaces(
  tx: Tx,
  accountId: string,
  places: readonly (Place & { id: string })[],
  now: Date,
): Promise<void> {
  if (places.length === 0) return;
  const stale = new Date(now.getTime() - 10 * 60_000);
  await sql`
    insert into peripheral_port as known (account_id, peripheral_id, mac, switch_serial, port, seen_at)
    select ${accountId}, p.id, p.mac, p.serial, p.port, ${now}
    from json_to_recordset(${JSON.stringify(places)}::json) as p (id uuid, mac text, serial text, port text)
    order by p.id
    on conflict (account_id, peripheral_id) do update
      set mac = excluded.mac, switch_serial = excluded.switch_serial, port = excluded.port, seen_at = excluded.seen_at
    where known.seen_at < ${stale}
      or (known.mac, known.switch_serial, known.port) <> (excluded.mac, excluded.switch_serial, excluded.port)
  `.execute(tx);
}

export async function noteOutages(tx: Tx, now: Date): Promise<void> {
  await sql`
    insert into peripheral_power_cycle (account_id, peripheral_id, began_at, state, seen_at)
    select o.account_id, o.peripheral_id, o.began_at, 'waiting', ${now}
    from peripheral_power r
    join peripheral p on p.account_id = r.account_id and p.gwid = r.gwid and p.type = any(r.types)
    join peripheral_outage o on o.account_id = p.account_id and o.peripheral_id = p.id
    where r.enabled and o.ended_at is null and o.began_at >= r.since
    on conflict do nothing
  `.execute(tx);
}

export async function waitingCycles(tx: Tx, seenBefore: Date): Promise<WaitingCycle[]> {
  const { rows } = await sql<WaitingCycle>`
    select c.account_id as "accountId", c.peripheral_id as id, c.began_at as began, c.seen_at as seen,
      p.gwid, p.name, o.ended_at as ended
    from peripheral_power_cycle c
    join peripheral p on p.account_id = c.account_id and p.id = c.peripheral_id
    join peripheral_outage o
      on o.account_id = c.account_id and o.peripheral_id = c.peripheral_id and o.began_at = c.began_at
    where c.state = 'waiting' and (o.ended_at is not null or c.seen_at <= ${seenBefore})
    order by c.account_id, c.began_at, c.peripheral_id
  `.execute(tx);
  return rows;
}

/** @returns false if another process has it, or has decided */
export async function lockWaiting(tx: Tx, { accountId, id, began }: CycleKey): Promise<boolean> {
  const { rows } = await sql`
    select from peripheral_power_cycle
    where account_id = ${accountId} and peripheral_id = ${id} and began_at = ${began} and state = 'waiting'
    for update skip locked
  `.execute(tx);
  return rows.length > 0;
}

export async function lockSwitch(tx: Tx, accountId: string, serial: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`port power ${accountId} ${serial}`}, 0))`.execute(tx);
}

/** Null: not seen with its present MAC in the day before the outage. */
export async function lastPlace(tx: Tx, { accountId, id, began }: CycleKey): Promise<Place | null> {
  const since = new Date(began.getTime() - 86_400_000);
  const { rows } = await sql<Place>`
    select q.switch_serial as serial, q.port, q.mac from peripheral_port q
    join peripheral p on p.account_id = q.account_id and p.id = q.peripheral_id and p.mac = q.mac
    where q.account_id = ${accountId} and q.peripheral_id = ${id} and q.seen_at >= ${since}
  `.execute(tx);
  return rows[0] ?? null;
}

export async function portsDown(tx: Tx, accountId: string, serial: string, began: Date): Promise<number> {
  const minutes = 5 * 60_000;
  const [from, to] = [new Date(began.getTime() - minutes), new Date(began.getTime() + minutes)];
  const { rows } = await sql<{ ports: number }>`
    select count(distinct q.port)::int as ports from peripheral_port q
    join peripheral_outage o on o.account_id = q.account_id and o.peripheral_id = q.peripheral_id
    where q.account_id = ${accountId} and q.switch_serial = ${serial} and o.began_at between ${from} and ${to}
  `.execute(tx);
  return rows[0]?.ports ?? 0;
}

export async function isRecent(tx: Tx, accountId: string, { serial, port }: Place, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - peripheralPower.powerLimits.portHours * 3_600_000);
  const { rows } = await sql`
    select from peripheral_power_cycle
    where account_id = ${accountId} and switch_serial = ${serial} and port = ${port} and cycled_at > ${since} limit 1
  `.execute(tx);
  return rows.length > 0;
}

export async function noteCycled(
  tx: Tx,
  { accountId, id, began }: CycleKey,
  { serial, port, jobId, at }: Omit<Place, 'mac'> & { jobId: string; at: Date },
): Promise<void> {
  await sql`
    update peripheral_power_cycle
    set state = 'cycled', switch_serial = ${serial}, port = ${port}, job_id = ${jobId}, cycled_at = ${at}
    where account_id = ${accountId} and peripheral_id = ${id} and began_at = ${began}
  `.execute(tx);
}

export async function noteSkipped(
  tx: Tx,
  { accountId, id, began }: CycleKey,
  reason: PowerSkip,
  place: Place | null,
): Promise<void> {
  await sql`
    update peripheral_power_cycle
    set state = 'skipped', reason = ${reason}, switch_serial = ${place?.serial ?? null}, port = ${place?.port ?? null}
    where account_id = ${accountId} and peripheral_id = ${id} and began_at = ${began} and state = 'waiting'
  `.execute(tx);
}

export async function dropWaiting(tx: Tx, { accountId, id, began }: CycleKey): Promise<void> {
  await sql`
    delete from peripheral_power_cycle
    where account_id = ${accountId} and peripheral_id = ${id} and began_at = ${began} and state = 'waiting'
  `.execute(tx);
}

export async function settleCycles(tx: Tx, now: Date): Promise<void> {
  const late = new Date(now.getTime() - peripheralPower.powerLimits.returnMinutes * 60_000);
  await sql`
    update peripheral_power_cycle c set state = 'returned', returned_at = o.ended_at
    from peripheral_outage o
    where c.state in ('cycled', 'failed') and c.returned_at is null and o.ended_at is not null
      and o.account_id = c.account_id and o.peripheral_id = c.peripheral_id and o.began_at = c.began_at
  `.execute(tx);
  await sql`update peripheral_power_cycle set state = 'failed' where state = 'cycled' and cycled_at <= ${late}`.execute(
    tx,
  );
}

export interface PowerOutcome {
  state: PowerState;
  reason: PowerSkip | null;
  serial: string | null;
  port: string | null;
  cycled: Date | null;
  returned: Date | null;
}

export async function powerOutcome(
  tx: Tx,
  accountId: string,
  { gwid, name, from, to }: { gwid: string; name: string; from: Date; to: Date },
): Promise<PowerOutcome | null> {
  const { rows } = await sql<PowerOutcome>`
    select c.state, c.reason, c.switch_serial as serial, c.port, c.cycled_at as cycled, c.returned_at as returned
    from peripheral p join peripheral_power_cycle c on c.account_id = p.account_id and c.peripheral_id = p.id
    where p.account_id = ${accountId} and p.gwid = ${gwid} and p.name = ${name}
      and c.began_at between ${from} and ${to}
    order by c.began_at desc limit 1
  `.execute(tx);
  return rows[0] ?? null;
}
