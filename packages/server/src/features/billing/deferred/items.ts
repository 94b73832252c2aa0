import type { PackageTerms } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { isLong, type Sold } from './liability.ts';
import { deferredTables, type Source } from './tables.ts';

export interface Item extends Sold {
  source: Source;
  sourceId: string;
  networkId: string | null;
  liabilityFen: number;
}

interface Row {
  source: Source;
  source_id: string;
  network_id: string | null;
  fen: number;
  liability_fen: number;
  terms: PackageTerms;
  used_at: Date | null;
  started_at: Date | null;
  ends_at: Date;
  closed_at: Date | null;
}

/** Adds what was sold in [`from`, `to`): cards, and packages longer than a month. */
export async function addSold(tx: Tx, accountId: string, from: Date, to: Date): Promise<void> {
  const { rows } = await sql<{
    source: Source;
    id: string;
    gwid: string | null;
    at: Date;
    fen: number;
    terms: PackageTerms;
  }>`
    select 'order' as source, (subject ->> 'id')::uuid as id, gwid, paid_at as at, fen, subject -> 'terms' as terms
    from billing_order
    where account_id = ${accountId} and kind = 'portal_package' and currency = 'CNY' and paid_at >= ${from} and paid_at < ${to}
    union all
    select 'card', c.id, c.used_gwid, c.sold_at, b.face_fen, b.terms
    from billing_card c join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
    where c.account_id = ${accountId} and c.sold_at >= ${from} and c.sold_at < ${to} and b.face_fen > 0`.execute(tx);
  const sold = rows.filter(({ source, terms }) => source === 'card' || isLong(terms));
  if (sold.length === 0) return;
  await sql`
    insert into billing_deferred (account_id, source, source_id, network_id, sold_at, fen)
    select ${accountId}, source, id, gwid, at, fen
    from json_to_recordset(${JSON.stringify(sold)}::json) as s (source text, id uuid, gwid uuid, at timestamptz, fen bigint)
    on conflict do nothing`.execute(tx);
}

/** Reads what has not ended, with refunds before `end`. */
export async function openItems(tx: Tx, accountId: string, end: Date): Promise<Item[]> {
  const { rows } = await sql<Row>`
    select d.source, d.source_id, d.network_id, d.liability_fen, e.started_at, e.refunded_at as closed_at,
      coalesce(e.ends_at, o.paid_at) as ends_at, null::timestamptz as used_at, o.subject -> 'terms' as terms,
      d.fen - coalesce((
        select sum(r.fen) from billing_refund r
        where r.account_id = o.account_id and r.order_no = o.order_no and r.at < ${end}
          and (r.state <> 'failed' or r.failed_at >= ${end})), 0) as fen
    from billing_deferred d
    join billing_order o on o.account_id = d.account_id and o.kind = 'portal_package'
      and (o.subject ->> 'id')::uuid = d.source_id
    left join billing_entitlement e on e.account_id = d.account_id and e.source = 'order' and e.source_id = d.source_id
    where d.account_id = ${accountId} and d.source = 'order' and not d.ended
    union all
    select d.source, d.source_id, d.network_id, d.liability_fen, e.started_at, coalesce(c.refunded_at, c.voided_at),
      case when c.used_at < ${end} then coalesce(e.ends_at, c.used_at) else b.valid_until end, c.used_at, b.terms, d.fen
    from billing_deferred d
    join billing_card c on c.account_id = d.account_id and c.id = d.source_id
    join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
    left join billing_entitlement e on e.account_id = d.account_id and e.source = 'card' and e.source_id = d.source_id
    where d.account_id = ${accountId} and d.source = 'card' and not d.ended
    order by 1, 2`.execute(tx);
  return rows.map((row) => ({
    source: row.source,
    sourceId: row.source_id,
    networkId: row.network_id,
    fen: Number(row.fen),
    liabilityFen: Number(row.liability_fen),
    isCard: row.source === 'card',
    usedAt: row.used_at,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    closedAt: row.closed_at,
    terms: row.terms,
  }));
}

/** Stores liabilities, and the changes of a day. */
export async function storeLiabilities(
  tx: Tx,
  accountId: string,
  day: string,
  changed: readonly { source: Source; sourceId: string; liabilityFen: number; changeFen: number; ended: boolean }[],
): Promise<void> {
  if (changed.length === 0) return;
  const rows = JSON.stringify(changed);
  const given = sql`json_to_recordset(${rows}::json)
    as s (source text, "sourceId" uuid, "liabilityFen" bigint, "changeFen" bigint, ended boolean)`;
  await sql`
    update billing_deferred d set liability_fen = s."liabilityFen", ended = s.ended from ${given}
    where d.account_id = ${accountId} and d.source = s.source and d.source_id = s."sourceId"`.execute(tx);
  await sql`
    insert into billing_deferred_line (account_id, day, source, source_id, change_fen)
    select ${accountId}, ${day}::date, source, "sourceId", "changeFen" from ${given} where "changeFen" <> 0`.execute(
    tx,
  );
}

export async function liabilityOf(tx: Tx, accountId: string): Promise<number> {
  const { fen } = await deferredTables(tx)
    .selectFrom('billing_deferred')
    .select(sql<number>`coalesce(sum(liability_fen), 0)::bigint`.as('fen'))
    .where('account_id', '=', accountId)
    .where('ended', '=', false)
    .executeTakeFirstOrThrow();
  return Number(fen);
}
