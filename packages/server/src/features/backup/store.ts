import type { backup } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { tokenHash } from '../../platform/crypto/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Kept } from './retention.ts';
import { type BackupTable, backupTables } from './tables.ts';

export interface BackupRecord extends BackupTable {
  bytes: number;
  checksum: string;
}

const sealContext = (gwid: string, fingerprint: string) => `backup ${gwid} ${fingerprint}`;

/** Seals each once per network. */
export async function keepContents(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  contents: readonly { gwid: string; fingerprint: string; text: string }[],
): Promise<void> {
  const sealer = await keys.of(tx, accountId);
  const rows = contents.map(({ gwid, fingerprint, text }) => {
    const sealed = sealer.seal(text, sealContext(gwid, fingerprint));
    const checksum = tokenHash(sealed.toString('base64')).toString('hex');
    return { account_id: accountId, gwid, fingerprint, sealed, bytes: Buffer.byteLength(text), checksum };
  });
  await backupTables(tx)
    .insertInto('backup_content')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function openContent(
  tx: Tx,
  keys: AccountKeys,
  { account_id, gwid, fingerprint }: Pick<BackupTable, 'account_id' | 'gwid' | 'fingerprint'>,
): Promise<string> {
  const { sealed } = await backupTables(tx)
    .selectFrom('backup_content')
    .select('sealed')
    .where('account_id', '=', account_id)
    .where('gwid', '=', gwid)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirstOrThrow();
  return (await keys.of(tx, account_id)).open(sealed, sealContext(gwid, fingerprint)).toString('utf8');
}

export async function insertBackups(tx: Tx, rows: readonly BackupTable[]): Promise<void> {
  await backupTables(tx).insertInto('backup').values(rows).execute();
}

function records(tx: Tx, accountId: string) {
  return backupTables(tx)
    .selectFrom('backup')
    .innerJoin('backup_content', (join) =>
      join
        .onRef('backup_content.account_id', '=', 'backup.account_id')
        .onRef('backup_content.gwid', '=', 'backup.gwid')
        .onRef('backup_content.fingerprint', '=', 'backup.fingerprint'),
    )
    .selectAll('backup')
    .select(['backup_content.bytes', 'backup_content.checksum'])
    .where('backup.account_id', '=', accountId);
}

export function findBackup(tx: Tx, accountId: string, id: string): Promise<BackupRecord | undefined> {
  return records(tx, accountId).where('backup.id', '=', id).executeTakeFirst();
}

export async function newestBackups(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<Map<string, Pick<BackupTable, 'id' | 'type' | 'fingerprint' | 'created_at'>>> {
  const { rows } = await sql<Pick<BackupTable, 'gwid' | 'id' | 'type' | 'fingerprint' | 'created_at'>>`
    select n.* from unnest(${[...gwids]}::uuid[]) as g (gwid)
    cross join lateral (select gwid, id, type, fingerprint, created_at from backup
      where account_id = ${accountId} and gwid = g.gwid order by created_at desc, id desc limit 1) n`.execute(tx);
  return new Map(rows.map((row) => [row.gwid, row]));
}

export interface BackupFilter {
  gwid?: string | undefined;
  within?: RawBuilder<string> | undefined;
  type?: backup.BackupType | undefined;
  pinned?: boolean | undefined;
}

/** Sorts newest or largest first unless `ascending`. */
export async function listBackups(
  tx: Tx,
  accountId: string,
  filter: BackupFilter,
  page: { offset: number; limit: number; ascending: boolean; bySize?: boolean },
): Promise<{ rows: BackupRecord[]; total: number }> {
  let own = records(tx, accountId);
  if (filter.gwid) own = own.where('backup.gwid', '=', filter.gwid);
  if (filter.within) own = own.where('backup.gwid', 'in', filter.within);
  if (filter.type) own = own.where('backup.type', '=', filter.type);
  if (filter.pinned !== undefined) own = own.where('backup.pinned', '=', filter.pinned);
  const direction = page.ascending ? 'asc' : 'desc';
  const rows = await own
    .orderBy(page.bySize ? 'backup_content.bytes' : 'backup.created_at', direction)
    .orderBy('backup.id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await own
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export async function keptOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<Map<string, Kept[]>> {
  const rows = await backupTables(tx)
    .selectFrom('backup')
    .select(['gwid', 'id', 'created_at as at', 'pinned'])
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
  const there = new Map(gwids.map((gwid): [string, Kept[]] => [gwid, []]));
  for (const { gwid, ...one } of rows) there.get(gwid)?.push(one);
  return there;
}

/** Deletes orphaned contents too. */
export async function deleteBackups(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const gone = await backupTables(tx)
    .deleteFrom('backup')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .returning('gwid')
    .execute();
  const gwids = [...new Set(gone.map(({ gwid }) => gwid))];
  if (gwids.length === 0) return;
  await sql`
    delete from backup_content c where c.account_id = ${accountId} and c.gwid = any (${gwids}::uuid[])
      and not exists (select from backup b
        where b.account_id = c.account_id and b.gwid = c.gwid and b.fingerprint = c.fingerprint)`.execute(tx);
}

export async function changeBackup(
  tx: Tx,
  accountId: string,
  id: string,
  change: Partial<Pick<BackupTable, 'note' | 'pinned'>>,
): Promise<void> {
  await backupTables(tx)
    .updateTable('backup')
    .set(change)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export interface Sums {
  gwid: string;
  count: number;
  pinned: number;
  size: number;
  at: Date | null;
  type: backup.BackupType | null;
}

export async function sumsOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<Map<string, Sums>> {
  const { rows } = await sql<Sums>`
    select g.gwid, coalesce(b.count, 0)::int as count, coalesce(b.pinned, 0)::int as pinned,
      coalesce((select sum(c.bytes) from backup_content c where c.account_id = ${accountId} and c.gwid = g.gwid), 0)::int as size,
      n.created_at as at, n.type
    from unnest(${[...gwids]}::uuid[]) as g (gwid)
    left join lateral (select count(*), count(*) filter (where pinned) as pinned from backup
      where account_id = ${accountId} and gwid = g.gwid) b on true
    left join lateral (select created_at, type from backup where account_id = ${accountId} and gwid = g.gwid
      order by created_at desc, id desc limit 1) n on true`.execute(tx);
  return new Map(rows.map((row) => [row.gwid, row]));
}

export async function lastAutomatic(tx: Tx, accountId: string): Promise<Map<string, Date>> {
  const { rows } = await sql<{ gwid: string; at: Date }>`
    select gwid, max(created_at) as at from backup where account_id = ${accountId} and type = 'auto' group by gwid`.execute(
    tx,
  );
  return new Map(rows.map(({ gwid, at }) => [gwid, at]));
}

/** @returns their number */
export async function removeBackups(tx: Tx, accountId: string, gwid: string): Promise<number> {
  const { numDeletedRows } = await backupTables(tx)
    .deleteFrom('backup')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  for (const table of ['backup_content', 'backup_plan', 'backup_restore'] as const)
    await backupTables(tx).deleteFrom(table).where('account_id', '=', accountId).where('gwid', '=', gwid).execute();
  return Number(numDeletedRows);
}

export async function knownBackups(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await backupTables(tx)
    .selectFrom('backup')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
