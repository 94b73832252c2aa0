import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { readPage } from '../../platform/database/page.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { portal, type SessionTable } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

export interface FoundVoucher {
  batch_id: string;
  name: string;
  minutes: number;
  devices: number;
  valid_until: Date;
  first_used_at: Date | null;
  voided_at: Date | null;
}

const byHash = ({ accountId, gwid }: SiteKey, hash: Buffer) => sql`
  select v.batch_id, b.name, b.minutes, b.devices, b.valid_until, v.first_used_at, v.voided_at
  from portal_voucher v join portal_voucher_batch b on b.account_id = v.account_id and b.id = v.batch_id
  where v.account_id = ${accountId} and v.gwid = ${gwid} and v.code_hash = ${hash}`;

export async function findVoucher(tx: Tx, site: SiteKey, hash: Buffer): Promise<FoundVoucher | null> {
  const { rows } = await sql<FoundVoucher>`${byHash(site, hash)}`.execute(tx);
  return rows[0] ?? null;
}

/** Serialises sign-ins with it. */
export async function lockVoucher(tx: Tx, site: SiteKey, hash: Buffer): Promise<FoundVoucher | null> {
  const { rows } = await sql<FoundVoucher>`${byHash(site, hash)} for update of v`.execute(tx);
  return rows[0] ?? null;
}

export function endOfVoucher({ first_used_at: used, minutes, valid_until: until }: FoundVoucher): Date | null {
  if (!used) return until;
  return minutes > 0 ? new Date(used.getTime() + minutes * 60_000) : null;
}

/** Returns the first use: now for a new voucher. */
export async function useVoucher(
  tx: Tx,
  { account_id, gwid, identity_hash }: Pick<SessionTable, 'account_id' | 'gwid' | 'identity_hash'>,
  now: Date,
): Promise<Date> {
  const row = await portal(tx)
    .updateTable('portal_voucher')
    .set({ first_used_at: sql<Date>`coalesce(first_used_at, ${now})` })
    .where('account_id', '=', account_id)
    .where('gwid', '=', gwid)
    .where('code_hash', '=', identity_hash!)
    .returning('first_used_at')
    .executeTakeFirst();
  return row?.first_used_at ?? now;
}

export async function insertBatch(
  tx: Tx,
  batch: Parameters<ReturnType<typeof batches>['values']>[0],
  vouchers: readonly { hash: Buffer; sealed: Buffer }[],
): Promise<number> {
  await batches(tx).values(batch).execute();
  const { account_id, gwid, id } = batch as { account_id: string; gwid: string; id: string };
  const done = await sql`
    insert into portal_voucher (account_id, gwid, code_hash, batch_id, code_sealed)
    select ${account_id}, ${gwid}, hash, ${id}, sealed
    from unnest(${vouchers.map(({ hash }) => hash)}::bytea[], ${vouchers.map(({ sealed }) => sealed)}::bytea[])
      as made (hash, sealed)
    on conflict do nothing`.execute(tx);
  return Number(done.numAffectedRows ?? 0);
}

const batches = (tx: Tx) => portal(tx).insertInto('portal_voucher_batch');

type BatchRow = DataOf<typeof contract.batchList>['list'][number];

export async function listBatches(
  tx: Tx,
  accountId: string,
  { gwid, page = 1, limit = 10, keyword = '', sort = 'created_at', order = 'desc' }: InputOf<typeof contract.batchList>,
): Promise<{ list: BatchRow[]; total: number }> {
  const found = sql`
    select b.id, b.name, b.minutes, b.devices, b.valid_until, b.created_at, b.created_by,
      count(v.code_hash)::int as total, count(v.first_used_at)::int as used, count(v.voided_at)::int as voided, count(v.code_sealed) > 0 as kept
    from portal_voucher_batch b left join portal_voucher v on v.account_id = b.account_id and v.batch_id = b.id
    where b.account_id = ${accountId} and b.gwid = ${gwid} and strpos(lower(b.name), ${keyword.toLowerCase()}) > 0
    group by b.account_id, b.id`;
  const inOrder = sql`${sql.ref(sort)} ${sql.raw(order)}, id`;
  const { rows, total } = await readPage<BatchRow & { valid_until: Date; created_at: Date }>(tx, found, inOrder, {
    page,
    limit,
  });
  const list = rows.map(({ valid_until: until, created_at: at, ...row }) => ({
    ...row,
    valid_until: new Date(until).toISOString(),
    created_at: new Date(at).toISOString(),
  }));
  return { list, total };
}

export async function vouchersOf(tx: Tx, accountId: string, batchId: string) {
  return portal(tx)
    .selectFrom('portal_voucher')
    .select(['code_hash', 'code_sealed', 'first_used_at'])
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .where('voided_at', 'is', null)
    .orderBy('code_hash')
    .execute();
}

export async function findBatch(tx: Tx, accountId: string, gwid: string, id: string) {
  return portal(tx)
    .selectFrom('portal_voucher_batch')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countValid(tx: Tx, accountId: string, gwid: string, now: Date): Promise<number> {
  const { rows } = await sql<{ valid: number }>`
    select count(*)::int as valid
    from portal_voucher v join portal_voucher_batch b on b.account_id = v.account_id and b.id = v.batch_id
    where v.account_id = ${accountId} and v.gwid = ${gwid} and v.voided_at is null
      and case when v.first_used_at is null then b.valid_until > ${now}
        else b.minutes = 0 or v.first_used_at + make_interval(mins => b.minutes) > ${now} end`.execute(tx);
  return rows[0]!.valid;
}

/** Returns how many were not void. */
export async function voidVouchers(tx: Tx, accountId: string, batchId: string, hash: Buffer | null, now: Date) {
  const query = portal(tx)
    .updateTable('portal_voucher')
    .set({ voided_at: now })
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .where('voided_at', 'is', null);
  const done = await (hash ? query.where('code_hash', '=', hash) : query).executeTakeFirst();
  return Number(done.numUpdatedRows);
}

export async function knownBatches(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await portal(tx)
    .selectFrom('portal_voucher_batch')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function listVoucherNetworks(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, keyword = '', order = 'asc' }: InputOf<typeof contract.voucherNetworks>,
): Promise<DataOf<typeof contract.voucherNetworks>> {
  const rows = await portal(tx).selectFrom('portal_site').select('gwid').where('account_id', '=', accountId).execute();
  const names = await fleetNetworks.names(
    tx,
    accountId,
    rows.map(({ gwid }) => gwid),
  );
  const found = [...names]
    .map(([gwid, name]) => ({ gwid, name }))
    .filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase()))
    .sort((one, other) => one.name.localeCompare(other.name) || one.gwid.localeCompare(other.gwid));
  if (order === 'desc') found.reverse();
  return { list: found.slice((page - 1) * limit, page * limit), total: found.length };
}
