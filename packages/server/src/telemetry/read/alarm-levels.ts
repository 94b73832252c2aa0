import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/ports.ts';
import type { KeptEdge } from '../extract/edge.ts';

/** Milliseconds that make a level. */
const levelMs = 10 * 60_000;
/** Milliseconds after which a report is outdated. */
const freshMs = 15 * 60_000;

/** Ten-minute means; null: not reported. */
export interface DeviceLevels extends DeviceRef {
  /** Percent. */
  memory: number | null;
  /** Percent of the busiest radio. */
  busy: number | null;
  /** Degrees Celsius. */
  temperature: number | null;
  load: number | null;
}

/** Returns devices of all accounts at or above a limit, and `tracked` ones. System role. */
export async function deviceLevels(
  tx: Tx,
  now: Date,
  limits: { memory: number; busy: number; temperature: number; load: number },
  tracked: readonly DeviceRef[],
): Promise<DeviceLevels[]> {
  const { rows } = await sql<DeviceLevels>`
    with tracked as (${unnested(tracked)})
    select s.account_id as "accountId", s.serial, s.memory, s.busy, s.temperature, s.load from (
      select account_id, serial, avg(mem) as memory, avg(temperature) as temperature, avg(load1) as load,
        avg(greatest(util_2g, util_5g, util_6g)) as busy
      from device_sample where at > ${new Date(now.getTime() - levelMs)} and at <= ${now}
      group by account_id, serial
    ) s left join tracked t on t.account_id = s.account_id and t.serial = s.serial
    where s.memory >= ${limits.memory} or s.busy >= ${limits.busy} or s.temperature >= ${limits.temperature}
      or s.load >= ${limits.load} or t.serial is not null
  `.execute(tx);
  return rows;
}

/** Returns devices of all accounts with health (percent) below a limit, and `tracked` ones. System role. */
export async function deviceHealth(
  tx: Tx,
  now: Date,
  limit: number,
  tracked: readonly DeviceRef[],
): Promise<(DeviceRef & { health: number })[]> {
  const { rows } = await sql<DeviceRef & { health: number }>`
    with tracked as (${unnested(tracked)})
    select l.account_id as "accountId", l.serial, l.sanity as health from device_latest l
    left join tracked t on t.account_id = l.account_id and t.serial = l.serial
    where l.health_at > ${new Date(now.getTime() - freshMs)} and l.sanity is not null
      and (l.sanity < ${limit} or t.serial is not null)
  `.execute(tx);
  return rows;
}

export interface WanState extends DeviceRef {
  /** Null: a gateway without a WAN. */
  name: string | null;
  alive: boolean | null;
  /** Milliseconds. */
  latency: number | null;
  /** Percent. */
  loss: number | null;
}

/** Covers gateways of our agent with a fresh report. System role. */
export async function wanStates(tx: Tx, now: Date): Promise<WanState[]> {
  const { rows } = await sql<WanState>`
    select l.account_id as "accountId", l.serial, line ->> 'interface' as name,
      case when jsonb_typeof(line -> 'alive') = 'boolean' then (line ->> 'alive')::boolean end as alive,
      case when jsonb_typeof(line -> 'latency_ms') = 'number' then (line ->> 'latency_ms')::float8 end as latency,
      case when jsonb_typeof(line -> 'loss_pct') = 'number' then (line ->> 'loss_pct')::float8 end as loss
    from device_latest l left join lateral jsonb_array_elements(l.edge -> 'lines') line on true
    where jsonb_typeof(l.edge -> 'lines') = 'array' and l.at > ${new Date(now.getTime() - freshMs)}
  `.execute(tx);
  return rows;
}

export interface GatewayLevels extends DeviceRef {
  /** Used percent. */
  disk: number | null;
  leases: KeptEdge['leases'];
  sdwan: KeptEdge['sdwan'];
}

/** Covers gateways of all accounts with a fresh report. System role. */
export async function gatewayLevels(tx: Tx, now: Date): Promise<GatewayLevels[]> {
  const { rows } = await sql<GatewayLevels>`
    select account_id as "accountId", serial, coalesce(edge -> 'leases', '[]') as leases,
      coalesce(edge -> 'sdwan', '[]') as sdwan,
      100 * (1 - (edge #>> '{disk,free}')::float8 / nullif((edge #>> '{disk,total}')::float8, 0)) as disk
    from device_latest where jsonb_typeof(edge -> 'lines') = 'array' and at > ${new Date(now.getTime() - freshMs)}
      and (edge ? 'leases' or jsonb_typeof(edge -> 'disk') = 'object')
  `.execute(tx);
  return rows;
}

function unnested(refs: readonly DeviceRef[]) {
  return sql`select distinct * from unnest(${refs.map((ref) => ref.accountId)}::uuid[],
    ${refs.map((ref) => ref.serial)}::text[]) as r (account_id, serial)`;
}
