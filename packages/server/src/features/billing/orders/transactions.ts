import type { billingOrders as contract, DataOf, InputOf, Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import { yuan } from '../service.ts';

type List = (typeof contract)['transactions'];
type Item = DataOf<List>['list'][number];

interface Row {
  id: string;
  at: Date;
  order_no: string | null;
  type: Item['type'];
  kind: string;
  gwid: string | null;
  fen: number;
  after: number | null;
  state: Item['state'];
  total: number;
}

/** Omits single SMS, which the SMS log lists, and orders without bookings. */
const rowsOf = (accountId: string): RawBuilder<unknown> => sql`
  select t.id::text as id, t.id as booking, t.at, o.order_no, t.kind, t.gwid, s.fen, coalesce(o.state, 'completed') as state,
    case when t.kind in ('recharge', 'refund') then t.kind
      when t.kind like 'withdrawal%' then 'withdrawal'
      when s.income < 0 then 'income'
      when s.fen < 0 then 'expense' else 'other' end as type
  from ledger_transaction t
  cross join lateral (
    select coalesce(nullif(sum(fen) filter (where ledger = 'balance'), 0), nullif(sum(fen) filter (where ledger = 'cash'), 0),
        nullif(sum(fen) filter (where ledger = 'external'), 0), nullif(sum(-fen) filter (where ledger = 'expense'), 0), 0)::bigint as fen,
      sum(fen) filter (where ledger = 'income') as income
    from ledger_entry e where e.account_id = t.account_id and e.transaction_id = t.id) s
  left join billing_order o on o.account_id = t.account_id and o.order_no = split_part(t.key, ':', 2)
  where t.account_id = ${accountId} and t.kind not in ('sms_send', 'sms_return')
  union all
  select 'order:' || order_no, null, created_at, order_no, kind, gwid, case payer when 'guest' then fen
      else case kind when 'recharge' then fen else -fen end end, state,
    case when payer = 'guest' then 'income' when kind = 'recharge' then 'recharge' else 'expense' end
  from billing_order where account_id = ${accountId} and state in ('incomplete', 'expired')`;

export async function listTransactions(tx: Tx, accountId: string, locale: Locale, input: InputOf<List>) {
  const { page = 1, limit = 20, sort = 'at', order = 'desc', keyword = '' } = input;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const column = { at: sql`at`, amount: sql`fen`, balance_after: sql`balance` }[sort];
  const balances =
    sort === 'balance_after'
      ? sql`left join (
          select transaction_id as booking, sum(coalesce(sum(fen) filter (where ledger = 'balance'), 0))
            over (order by at, transaction_id) as balance
          from ledger_entry where account_id = ${accountId} group by at, transaction_id) b using (booking)`
      : sql`cross join (select null::bigint as balance) b`;
  const { rows } = await sql<Row>`
    with listed as (${rowsOf(accountId)}), paged as (
      select listed.*, balance, (count(*) over ())::int as total from listed ${balances}
      where (${input.state ?? null}::text is null or state = ${input.state ?? null})
        and (${input.type ?? null}::text is null or type = ${input.type ?? null})
        and (${input.from ?? null}::timestamptz is null or at >= ${input.from ?? null})
        and (${input.to ?? null}::timestamptz is null or at < ${input.to ?? null})
        and (${keyword} = '' or coalesce(order_no, id) ilike ${containing(keyword)})
      order by ${column} ${direction} nulls last, id ${direction} limit ${limit} offset ${(page - 1) * limit})
    select p.*, case when booking is not null then (
      select coalesce(sum(fen), 0)::bigint from ledger_entry e where e.account_id = ${accountId} and e.ledger = 'balance'
        and (e.at, e.transaction_id) <= (p.at, p.booking)) end as after
    from paged p order by ${column} ${direction} nulls last, id ${direction}`.execute(tx);
  return {
    list: rows.map(
      ({ id, at, order_no, type, kind, gwid, fen, after, state }): Item => ({
        ...{ id, at: new Date(at).toISOString(), order_no, type, title: titleOf(locale, kind), gwid, state },
        ...{ amount: yuan(Number(fen)), balance_after: after === null ? null : yuan(Number(after)) },
      }),
    ),
    total: rows[0]?.total ?? 0,
  };
}

function titleOf(locale: Locale, kind: string): string {
  const key = `orders.${kind}`;
  const text = messageByKey(locale, key);
  return text === key ? messageByKey(locale, 'orders.booking') : text;
}
