import { type ApplicationCategory, applicationCategories } from '@yunxun/contract';
import {
  asCount,
  asList,
  asRecord,
  asText,
  type EdgeFlowParams,
  type EdgeFlowRow,
  edgeFlowMaxRows,
  normaliseMac,
} from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';

/** Measured flow by application (gateway agent, IPFIX); never estimated. */

export interface AppFlowDevice {
  accountId: string;
  serial: string;
  gwid: string;
}

export interface AppFlowRow {
  at: Date;
  mac: string;
  category: ApplicationCategory;
  down: number;
  up: number;
  uses: number;
}

/** `seq` grows with each delivery of a device. */
export interface AppFlowDelivery {
  kind: 'edge' | 'ipfix';
  seq: number;
  at: Date;
  rows: readonly AppFlowRow[];
}

/** Maximum bytes per client and category: 100 Gbit/s for a quarter-hour. */
const maxBytes = 11_250_000_000_000;
const maxUses = 10_000_000;
/** Milliseconds of accepted age and lead of rows. */
const oldest = 6 * 86_400_000;
const ahead = 15 * 60_000;
/** Last second of a JavaScript date. */
const latest = 8_640_000_000_000;
const isCategory = (word: string | null): word is ApplicationCategory =>
  applicationCategories.some((category) => category === word);

/** Parses `yunxun.flow`, dropping invalid rows. @returns null without a sequence number */
export function readEdgeFlow(params: unknown, at: Date): AppFlowDelivery | null {
  const { seq: number, rows } = asRecord<EdgeFlowParams>(params);
  const seq = asCount(number);
  if (seq === null) return null;
  const read = asList(rows)
    .slice(0, edgeFlowMaxRows)
    .flatMap((entry): AppFlowRow[] => {
      const row = asRecord<EdgeFlowRow>(entry);
      const [seconds, mac, category] = [asCount(row.at), asText(row.mac, 32), asText(row.category, 32)];
      if (seconds === null || mac === null || !isCategory(category)) return [];
      const [down, up, uses] = [row.down, row.up, row.uses].map((value) => asCount(value) ?? 0) as [
        number,
        number,
        number,
      ];
      return [{ at: new Date(Math.min(seconds, latest) * 1000), mac, category, down, up, uses }];
    });
  return { kind: 'edge', seq, at, rows: read };
}

/**
 * Drops invalid rows, clamps large values.
 * @returns false for a repeated delivery
 */
export async function takeAppFlow(tx: Tx, device: AppFlowDevice, delivery: AppFlowDelivery): Promise<boolean> {
  const { accountId, serial, gwid } = device;
  const { numAffectedRows } = await sql`
    insert into app_flow_source (account_id, serial, gwid, kind, since, last_at, last_seq)
    values (${accountId}, ${serial}, ${gwid}, ${delivery.kind}, ${delivery.at}, ${delivery.at}, ${delivery.seq})
    on conflict (account_id, serial) do update set
      gwid = excluded.gwid, kind = excluded.kind, last_at = excluded.last_at, last_seq = excluded.last_seq,
      since = case when app_flow_source.gwid = excluded.gwid then app_flow_source.since else excluded.since end
    where app_flow_source.last_seq < excluded.last_seq
  `.execute(tx);
  if (numAffectedRows === 0n) return false;
  const rows = delivery.rows.flatMap((row) => clamped(row, delivery.at));
  if (rows.length === 0) return true;
  const column = <K extends keyof AppFlowRow>(key: K) => rows.map((row) => row[key]);
  // key order: gateways of one network must not deadlock
  await sql`
    with fresh as materialized (
      select date_bin('5 minutes', at, 'epoch') as bucket, mac, category, least(sum(down), ${maxBytes})::bigint as down, least(sum(up), ${maxBytes})::bigint as up, least(sum(uses), ${maxUses})::integer as uses
      from unnest(${column('at')}::timestamptz[], ${column('mac')}::text[], ${column('category')}::text[],
        ${column('down')}::bigint[], ${column('up')}::bigint[], ${column('uses')}::integer[]) r (at, mac, category, down, up, uses)
      group by 1, 2, 3),
    fine as (
      insert into app_flow (account_id, bucket, gwid, serial, mac, category, down, up, uses)
      select ${accountId}, bucket, ${gwid}, ${serial}, mac, category, down, up, uses from fresh order by 2, 5, 6
      on conflict (account_id, bucket, gwid, serial, mac, category) do update set
        down = app_flow.down + excluded.down, up = app_flow.up + excluded.up,
        uses = least(app_flow.uses::bigint + excluded.uses, ${maxUses})::integer),
    hours as (
      select date_bin('1 hour', bucket, 'epoch') as bucket, mac, category, least(sum(down), ${4 * maxBytes})::bigint as down,
        least(sum(up), ${4 * maxBytes})::bigint as up, sum(uses)::bigint as uses
      from fresh group by 1, 2, 3),
    clients as (
      insert into app_flow_client_1h as known (account_id, bucket, gwid, serial, mac, category, down, up, uses)
      select ${accountId}, bucket, ${gwid}, ${serial}, mac, category, down, up, uses from hours order by 2, 5, 6
      on conflict (account_id, bucket, gwid, serial, mac, category) do update set
        down = known.down + excluded.down, up = known.up + excluded.up, uses = known.uses + excluded.uses)
    insert into app_flow_1h (account_id, bucket, gwid, category, down, up, uses)
    select ${accountId}, bucket, ${gwid}, category,
      least(sum(down), ${4 * maxBytes})::bigint, least(sum(up), ${4 * maxBytes})::bigint, sum(uses)::bigint
    from hours group by 2, 4 order by 2, 4
    on conflict (account_id, bucket, gwid, category) do update set
      down = app_flow_1h.down + excluded.down, up = app_flow_1h.up + excluded.up, uses = app_flow_1h.uses + excluded.uses
  `.execute(tx);
  return true;
}

function clamped(row: AppFlowRow, now: Date): AppFlowRow[] {
  const age = +now - +row.at;
  if (!(age <= oldest && age >= -ahead) || !isCategory(row.category)) return [];
  const mac = normaliseMac(row.mac);
  if (!mac) return [];
  return [
    { ...row, mac, down: count(row.down, maxBytes), up: count(row.up, maxBytes), uses: count(row.uses, maxUses) },
  ];
}

function count(value: number, max: number): number {
  return value > 0 ? Math.min(Math.floor(value), max) : 0;
}
