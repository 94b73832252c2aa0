import type { billingDeferred as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { readPage } from '../../../platform/database/page.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { yuan } from '../service.ts';
import { deferredTables, type Source } from './tables.ts';

interface Row {
  id: string;
  source: Source;
  name: string;
  order_no: string | null;
  code: string | null;
  network_id: string | null;
  amount: number;
  remaining: number;
  sold_at: Date;
  started_at: Date | null;
  ends_at: Date;
}

export async function listDeferred(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, sort = 'sold_at', order = 'desc', keyword = '' }: InputOf<typeof contract.list>,
): Promise<DataOf<typeof contract.list>> {
  const items = sql`
    select * from (
      select d.source_id as id, d.source, coalesce(o.subject ->> 'name', b.package_name) as name, o.order_no, c.tail as code,
        d.network_id, d.fen as amount, d.liability_fen as remaining, d.sold_at, e.started_at,
        coalesce(e.ends_at, b.valid_until, d.sold_at) as ends_at
      from billing_deferred d
      left join billing_order o on o.account_id = d.account_id and d.source = 'order' and o.kind = 'portal_package'
        and (o.subject ->> 'id')::uuid = d.source_id
      left join billing_card c on c.account_id = d.account_id and d.source = 'card' and c.id = d.source_id
      left join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id
      left join billing_entitlement e on e.account_id = d.account_id and e.source = d.source and e.source_id = d.source_id
      where d.account_id = ${accountId} and not d.ended) listed
    where strpos(lower(concat_ws(' ', name, order_no, code)), ${keyword.toLowerCase()}) > 0`;
  const { rows, total } = await readPage<Row>(tx, items, sql`${sql.ref(sort)} ${sql.raw(order)}, id`, { page, limit });
  const gwids = rows.flatMap(({ network_id }) => network_id ?? []);
  const names = await fleetNetworks.names(tx, accountId, gwids);
  return {
    list: rows.map(({ network_id, amount, remaining, sold_at, started_at, ends_at, ...row }) => ({
      ...row,
      network: network_id === null ? null : (names.get(network_id) ?? null),
      amount: yuan(Number(amount)),
      remaining: yuan(Number(remaining)),
      sold_at: new Date(sold_at).toISOString(),
      started_at: started_at && new Date(started_at).toISOString(),
      ends_at: new Date(ends_at).toISOString(),
    })),
    total,
  };
}

export async function listLines(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, order = 'desc', id }: InputOf<typeof contract.lines>,
): Promise<DataOf<typeof contract.lines>> {
  const found = sql`
    select l.day::text as day, l.change_fen, t.id as transaction_id, t.at
    from billing_deferred_line l
    join billing_deferred d on d.account_id = l.account_id and d.source = l.source and d.source_id = l.source_id
    left join ledger_transaction t on t.account_id = l.account_id
      and t.key = 'deferral:' || l.day || ':' || coalesce(d.network_id::text, '')
    where l.account_id = ${accountId} and l.source_id = ${id}`;
  const { rows, total } = await readPage<{
    day: string;
    change_fen: number;
    transaction_id: string | null;
    at: Date | null;
  }>(tx, found, sql`day ${sql.raw(order)}`, { page, limit });
  return {
    list: rows.map(({ day, change_fen, transaction_id, at }) => ({
      day,
      change: yuan(Number(change_fen)),
      transaction_id,
      booked_at: at && new Date(at).toISOString(),
    })),
    total,
  };
}

export async function knownItems(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await deferredTables(tx)
    .selectFrom('billing_deferred')
    .select('source_id')
    .where('source_id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ source_id }) => source_id));
}
