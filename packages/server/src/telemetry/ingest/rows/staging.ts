import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export type Value = string | number | boolean | Date | Buffer | null;

const tables = {
  in_device: `account_id uuid, serial text, base_at timestamptz, new_at timestamptz, uptime_s bigint, localtime_s bigint,
    counters jsonb, state bytea, uuid bigint, latest_uptime_s bigint, cpu real, mem_used bigint, mem_total bigint, load1 real,
    clients_2g integer, clients_5g integer, clients_6g integer, clients_total integer, edge jsonb, measures boolean, stations bytea,
    links jsonb`,
  in_sample: `account_id uuid, serial text, at timestamptz, uptime_s bigint, gap_s integer, restarted boolean,
    cpu real, mem real, load1 real, temperature real, wan_down bigint, wan_up bigint,
    down_2g bigint, up_2g bigint, down_5g bigint, up_5g bigint, down_6g bigint, up_6g bigint,
    clients integer, clients_2g integer, clients_5g integer, clients_6g integer, clients_wired integer,
    util_2g real, util_5g real, util_6g real, noise_2g real, noise_5g real, noise_6g real,
    weak integer, rssi_sum integer, rssi_n integer, rate_sum bigint, rate_n integer,
    tx_packets bigint, tx_retries bigint, tx_failed bigint,
    wan_latency real, wan_loss real, leases integer`,
  in_revision: `account_id uuid, serial text, at timestamptz, restarted boolean, wan_down bigint, wan_up bigint,
    down_2g bigint, up_2g bigint, down_5g bigint, up_5g bigint, down_6g bigint, up_6g bigint`,
  in_session: `ended_at timestamptz, end_reason text, fresh boolean, news boolean, account_id uuid, serial text, mac text, bssid text, ssid text,
    band smallint, port text, behind text, behind_port text, ip text, ip6 text, username text, authenticated boolean, started_at timestamptz, last_at timestamptz,
    down bigint, up bigint, abs_tx bigint, abs_rx bigint, revocable_tx bigint, revocable_rx bigint, rssi smallint, rssi_min smallint, rssi_sum bigint, rssi_n integer,
    tx_rate integer, rx_rate integer`,
  in_share: `account_id uuid, serial text, mac text, bucket timestamptz, from_at timestamptz, to_at timestamptz,
    down bigint, up bigint, rssi_sum bigint, rssi_n integer, sessions integer, authenticated boolean, wireless boolean,
    random_mac boolean, hostname text, terminal_type text, type_source text, brand text, brand_source text, os text`,
} as const;

export type StagingTable = keyof typeof tables;

/** Creates tables that each commit empties. */
export async function makeStaging(db: pg.ClientBase): Promise<void> {
  const place = 'account_id uuid, serial text, gwid uuid, zone text, way_out boolean';
  for (const [name, columns] of Object.entries({ ...tables, in_place: place }))
    await db.query(`create temp table if not exists ${name} (${columns}) on commit delete rows`);
}

export async function stage(
  db: pg.ClientBase,
  table: StagingTable,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length > 0) await stageText(db, table, chunksOf(rows));
}

/** Stages rows that `chunksOf` made. */
export async function stageText(db: pg.ClientBase, table: StagingTable, chunks: Iterable<Buffer>): Promise<void> {
  const target = db.query(copyFrom(`copy ${table} from stdin`));
  await pipeline(Readable.from(chunks), target);
}

const chunkBytes = 256 * 1024;

/** Formats text for COPY. */
export function* chunksOf(rows: readonly (readonly Value[])[]): Generator<Buffer> {
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) text += (at === 0 ? '' : '\t') + textOf(row[at]!);
    text += '\n';
    if (text.length > chunkBytes) {
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text) yield Buffer.from(text);
}

const special = /[\\\t\n\r]/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function textOf(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'string') return value.replace(special, (one) => escapes[one]!);
  if (value instanceof Date) return value.toISOString();
  return `\\\\x${value.toString('hex')}`;
}
