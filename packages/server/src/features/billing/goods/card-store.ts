import type { CardState, billingGoods as contract, InputOf, PackageTerms } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { readPage } from '../../../platform/database/page.ts';
import { goodsTables } from './tables.ts';

export interface LockedCard {
  id: string;
  batch_id: string;
  package_id: string;
  terms: PackageTerms;
  face_fen: number;
  valid_until: Date;
  tail: string;
  sold_at: Date | null;
  used_at: Date | null;
  used_gwid: string | null;
  voided_at: Date | null;
  refunded_at: Date | null;
}

/** Serialises acts on a card. */
export async function lockCard(tx: Tx, accountId: string, by: { hash: Buffer } | { id: string }) {
  const which = 'hash' in by ? sql`c.code_hash = ${by.hash}` : sql`c.id = ${by.id}`;
  const { rows } = await sql<LockedCard>`
    select c.id, c.batch_id, b.package_id, b.terms, b.face_fen, b.valid_until, c.tail, c.sold_at, c.used_at, c.used_gwid,
      c.voided_at, c.refunded_at
    from billing_card c join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
    where c.account_id = ${accountId} and ${which} for update of c`.execute(tx);
  return rows[0] ?? null;
}

const stateOf = (now: Date): RawBuilder<CardState> => sql<CardState>`case
  when c.refunded_at is not null then 'refunded' when c.used_at is not null then 'used'
  when c.voided_at is not null then 'void' when b.valid_until <= ${now} then 'expired' else 'unused' end`;

const counts = (now: Date) => sql`
  count(*) filter (where c.id is not null and ${stateOf(now)} = 'unused')::int as unused,
  count(*) filter (where ${stateOf(now)} = 'unused' and c.sold_at is not null)::int as sold,
  count(*) filter (where ${stateOf(now)} = 'used' and c.id is not null)::int as used,
  count(*) filter (where ${stateOf(now)} = 'void' and c.id is not null)::int as voided,
  count(*) filter (where ${stateOf(now)} = 'expired' and c.id is not null)::int as expired,
  count(*) filter (where ${stateOf(now)} = 'refunded' and c.id is not null)::int as refunded`;

export interface CardCounts {
  unused: number;
  /** Of the unused ones. */
  sold: number;
  used: number;
  voided: number;
  expired: number;
  refunded: number;
}

/** Packages by card. */
export async function cardGoods(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await goodsTables(tx)
    .selectFrom('billing_card as c')
    .innerJoin('billing_card_batch as b', (join) =>
      join.onRef('b.account_id', '=', 'c.account_id').onRef('b.id', '=', 'c.batch_id'),
    )
    .select(['c.id', 'b.package_name'])
    .where('c.account_id', '=', accountId)
    .where('c.id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, package_name: name }) => [id, name]));
}

export async function countCards(tx: Tx, accountId: string, now: Date): Promise<CardCounts & { fen: number }> {
  const { rows } = await sql<CardCounts & { fen: number }>`
    select ${counts(now)},
      coalesce(sum(b.face_fen - coalesce(c.refunded_fen, 0)) filter (where c.sold_at is not null), 0)::bigint as fen
    from billing_card c join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
    where c.account_id = ${accountId}`.execute(tx);
  return rows[0]!;
}

/** Sums refunds of cards, fen. Nothing names a card's buyer, so those of all count. */
export async function refundedCards(tx: Tx, accountId: string, since: Date): Promise<number> {
  const row = await goodsTables(tx)
    .selectFrom('billing_card')
    .select(({ fn }) => fn.sum('refunded_fen').as('fen'))
    .where('account_id', '=', accountId)
    .where('refunded_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(row.fen ?? 0);
}

/** Counts redeemable cards. */
export async function usableCards(tx: Tx, accountId: string, now: Date): Promise<number> {
  return (await countCards(tx, accountId, now)).unused;
}

type BatchRow = CardCounts & {
  id: string;
  name: string;
  package_name: string;
  face_fen: number;
  valid_until: Date;
  created_at: Date;
  created_by: string;
  total: number;
};

export async function findBatch(
  tx: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<(CardCounts & { name: string }) | undefined> {
  const { rows } = await sql<CardCounts & { name: string }>`
    select b.name, ${counts(now)}
    from billing_card_batch b left join billing_card c on c.account_id = b.account_id and c.batch_id = b.id
    where b.account_id = ${accountId} and b.id = ${id} group by b.account_id, b.id`.execute(tx);
  return rows[0];
}

export async function listBatches(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, keyword = '', sort = 'created_at', order = 'desc' }: InputOf<typeof contract.batchList>,
  now: Date,
): Promise<{ rows: BatchRow[]; total: number }> {
  const batches = sql`
    select b.id, b.name, b.package_name, b.face_fen, b.valid_until, b.created_at, b.created_by,
      count(c.id)::int as total, ${counts(now)}
    from billing_card_batch b left join billing_card c on c.account_id = b.account_id and c.batch_id = b.id
    where b.account_id = ${accountId} and strpos(lower(b.name), ${keyword.toLowerCase()}) > 0
    group by b.account_id, b.id`;
  const inOrder = sql`${sql.ref(sort === 'face' ? 'face_fen' : sort)} ${sql.raw(order)}, id`;
  return readPage(tx, batches, inOrder, { page, limit });
}

interface CardRow {
  id: string;
  batch_id: string;
  batch: string;
  tail: string;
  face_fen: number;
  state: CardState;
  sold_at: Date | null;
  used_at: Date | null;
  used_gwid: string | null;
}

export async function listCards(
  tx: Tx,
  accountId: string,
  {
    page = 1,
    limit = 10,
    keyword = '',
    batch_id,
    state,
    sort = 'used_at',
    order = 'desc',
  }: InputOf<typeof contract.cardList>,
  now: Date,
): Promise<{ rows: CardRow[]; total: number }> {
  const from = sql`from billing_card c join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
    where c.account_id = ${accountId} and (${batch_id ?? null}::uuid is null or c.batch_id = ${batch_id ?? null})
      and (${state ?? null}::text is null or ${stateOf(now)} = ${state ?? null})
      and (strpos(lower(b.name), ${keyword.toLowerCase()}) > 0 or strpos(lower(c.tail), ${keyword.toLowerCase()}) > 0)`;
  const { rows } = await sql<CardRow>`
    select c.id, c.batch_id, b.name as batch, c.tail, b.face_fen, ${stateOf(now)} as state, c.sold_at, c.used_at, c.used_gwid
    ${from} order by ${sql.ref(sort === 'face' ? 'b.face_fen' : 'c.used_at')} ${sql.raw(order)} nulls last, c.id limit ${limit} offset ${(page - 1) * limit}`.execute(
    tx,
  );
  const count = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx);
  return { rows, total: count.rows[0]!.total };
}

export async function insertCards(
  tx: Tx,
  { accountId, batchId }: { accountId: string; batchId: string },
  cards: readonly { id: string; hash: Buffer; tail: string }[],
): Promise<number> {
  const done = await sql`
    insert into billing_card (account_id, id, batch_id, code_hash, tail)
    select ${accountId}, id, ${batchId}, hash, tail
    from unnest(${cards.map(({ id }) => id)}::uuid[], ${cards.map(({ hash }) => hash)}::bytea[],
      ${cards.map(({ tail }) => tail)}::text[]) as made (id, hash, tail) on conflict do nothing`.execute(tx);
  return Number(done.numAffectedRows ?? 0);
}

/** Voids unused, valid cards of a batch, or one. Returns their number. */
export async function voidCards(tx: Tx, accountId: string, batchId: string, id: string | null, now: Date) {
  const query = goodsTables(tx)
    .updateTable('billing_card')
    .set({ voided_at: now })
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .where('sold_at', 'is', null)
    .where('voided_at', 'is', null);
  const done = await (id ? query.where('id', '=', id) : query).executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** Marks cards that can be redeemed as sold, oldest first. Returns them; fewer than `count` if there are no more. */
export async function sellCards(
  tx: Tx,
  accountId: string,
  { batchId, count, now }: { batchId: string; count: number; now: Date },
): Promise<{ id: string; face_fen: number }[]> {
  const { rows } = await sql<{ id: string; face_fen: number }>`
    update billing_card c set sold_at = ${now}
    from (
      select c.id, b.face_fen from billing_card c
      join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
      where c.account_id = ${accountId} and c.batch_id = ${batchId} and c.sold_at is null and c.voided_at is null
        and b.valid_until > ${now}
      order by c.id limit ${count} for update of c) chosen
    where c.account_id = ${accountId} and c.id = chosen.id
    returning c.id, chosen.face_fen`.execute(tx);
  return rows.map(({ id, face_fen }) => ({ id, face_fen: Number(face_fen) }));
}

async function known(tx: Tx, table: 'billing_card' | 'billing_card_batch', ids: readonly string[]) {
  const rows = await goodsTables(tx)
    .selectFrom(table)
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export const knownCards = (tx: Tx, ids: readonly string[]) => known(tx, 'billing_card', ids);
export const knownBatches = (tx: Tx, ids: readonly string[]) => known(tx, 'billing_card_batch', ids);
