import { type Kysely, sql } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';
import { containing, macContaining } from '../../../platform/search/index.ts';
import type { ToolArguments, ToolName } from './catalogue.ts';
import type { ToolResult } from './results.ts';

const keepDays = 7;
export const pieceBytes = 256 * 1024;

interface RunTable {
  account_id: string;
  id: string;
  serial: string;
  tool: ToolName;
  arguments: ToolArguments;
  state: 'queued' | 'running' | 'uploading' | 'done' | 'failed' | 'skipped';
  reason: string | null;
  result: ToolResult | null;
  job_id: string;
  operator: string;
  created_at: Date;
  finished_at: Date | null;
  upload_hash: Buffer | null;
  upload_until: Date | null;
  file_size: number | null;
  speed_ways: string[];
}

interface ToolTables {
  tool_run: RunTable;
  tool_file: { account_id: string; run_id: string; serial: string; piece: number; bytes: Buffer };
}

export type Run = RunTable;
export type ShownRun = Omit<Run, 'upload_hash' | 'upload_until' | 'speed_ways'> & { remark: string };

export interface RunRef {
  accountId: string;
  id: string;
}

const db = (tx: Tx | Kysely<unknown>) => tables<ToolTables>(tx);

export async function insertRun(
  tx: Tx,
  run: Pick<Run, 'account_id' | 'id' | 'serial' | 'tool' | 'arguments' | 'job_id' | 'operator' | 'created_at'>,
): Promise<void> {
  await sql`
    insert into tool_run (account_id, id, serial, tool, arguments, state, job_id, operator, created_at)
    values (${run.account_id}, ${run.id}, ${run.serial}, ${run.tool}, ${JSON.stringify(run.arguments)}::jsonb, 'queued',
      ${run.job_id}, ${run.operator}, ${run.created_at})
  `.execute(tx);
}

export async function updateRun(
  tx: Tx,
  { accountId, id }: RunRef,
  patch: Partial<Pick<Run, 'state' | 'reason' | 'finished_at' | 'upload_hash' | 'upload_until'>> & {
    result?: ToolResult;
  },
): Promise<void> {
  const { result, ...rest } = patch;
  await db(tx)
    .updateTable('tool_run')
    .set({ ...rest, ...(result ? { result: sql<ToolResult>`${JSON.stringify(result)}::jsonb` } : {}) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Includes the upload secret's hash. */
export function findRun(tx: Tx, { accountId, id }: RunRef): Promise<Run | undefined> {
  return db(tx)
    .selectFrom('tool_run')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns false if claimed or expired. */
export async function claimSpeedWay(
  tx: Tx,
  { accountId, id }: RunRef,
  { hash, way, now }: { hash: Buffer; way: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update tool_run set speed_ways = array_append(speed_ways, ${way})
    where account_id = ${accountId} and id = ${id} and tool = 'speed' and upload_hash = ${hash}
      and upload_until > ${now} and not (${way} = any(speed_ways))
    returning id
  `.execute(tx);
  return rows.length > 0;
}

export async function countRuns(tx: Tx, accountId: string, tool: ToolName, since: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from tool_run
    where account_id = ${accountId} and tool = ${tool} and created_at > ${since}
  `.execute(tx);
  return rows[0]?.total ?? 0;
}

/** Stores the file and closes the upload. */
export async function keepFile(tx: Tx, run: Pick<Run, 'account_id' | 'id' | 'serial'>, file: Buffer): Promise<void> {
  const { account_id, id: run_id, serial } = run;
  for (let piece = 0; piece * pieceBytes < file.length; piece += 1) {
    const bytes = file.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);
    await db(tx).insertInto('tool_file').values({ account_id, run_id, serial, piece, bytes }).execute();
  }
  await db(tx)
    .updateTable('tool_run')
    .set({ file_size: file.length, upload_hash: null, upload_until: null })
    .where('account_id', '=', account_id)
    .where('id', '=', run_id)
    .execute();
}

export async function readPiece(tx: Tx, { accountId, id }: RunRef, piece: number): Promise<Buffer | undefined> {
  const row = await db(tx)
    .selectFrom('tool_file')
    .select('bytes')
    .where('account_id', '=', accountId)
    .where('run_id', '=', id)
    .where('piece', '=', piece)
    .executeTakeFirst();
  return row?.bytes;
}

export async function listRuns(
  tx: Tx,
  accountId: string,
  query: {
    serial?: string | undefined;
    gwid?: string | undefined;
    tool?: string | undefined;
    id?: string;
    keyword?: string | undefined;
  },
  page: { limit: number; offset: number },
): Promise<{ list: ShownRun[]; total: number }> {
  const terms = [sql`r.account_id = ${accountId}`];
  if (query.id) terms.push(sql`r.id = ${query.id}`);
  if (query.serial) terms.push(sql`r.serial = ${query.serial}`);
  if (query.gwid) terms.push(sql`d.gwid = ${query.gwid}`);
  if (query.tool) terms.push(sql`r.tool = ${query.tool}`);
  if (query.keyword) {
    const mac = macContaining(query.keyword);
    terms.push(sql`(d.remark ilike ${containing(query.keyword)} ${mac ? sql`or d.serial like ${mac}` : sql``})`);
  }
  const from = sql`from tool_run r join device d on d.account_id = r.account_id and d.serial = r.serial
    where ${sql.join(terms, sql` and `)}`;
  const { rows } = await sql<ShownRun>`
    select r.*, d.remark ${from} order by r.created_at desc, r.id desc limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx);
  return { list: rows, total: counted.rows[0]?.total ?? 0 };
}

export async function pruneRuns(on: Kysely<unknown>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keepDays * 86_400_000);
  const result = await sql`delete from tool_run where created_at < ${before}`.execute(on);
  return Number(result.numAffectedRows ?? 0);
}

export async function knownRuns(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db(tx)
    .selectFrom('tool_run')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
