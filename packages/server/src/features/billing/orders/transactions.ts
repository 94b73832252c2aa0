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
  currency: Item['currency'];
  after: number | null;
  state: Item['state'];
}

interface Asked {
  accountId: string;
  input: InputOf<List>;
}

/** As in the partial index; the SMS log lists single messages. */
const isListed = sql`kind not in ('sms_send', 'sms_return')`;
/** Orders without a booking. */
const isUnpaid = sql`paid_at is null`;

const within = (column: string, { from, to }: Asked['input']): RawBuilder<unknown> => sql`
  ${from ? sql`and ${sql.ref(column)} >= ${from}` : sql``} ${to ? sql`and ${sql.ref(column)} < ${to}` : sql``}`;

/** @param cut order and limit before details are read, if those do not decide which rows are listed */
const booked = ({ accountId, input }: Asked, cut = sql``): RawBuilder<unknown> => sql`
  select t.id::text as id, t.id as booking, t.at, o.order_no, t.kind, t.gwid, s.fen, s.currency,
    coalesce(o.state, 'completed') as state,
    case when t.kind in ('recharge', 'refund') then t.kind
      when t.kind like 'withdrawal%' then 'withdrawal'
      when s.income < 0 then 'income'
      when s.fen < 0 then 'expense' else 'other' end as type
  from (
    select * from ledger_transaction where account_id = ${accountId} and ${isListed} ${within('at', input)} ${cut}) t
  cross join lateral (
    select coalesce(nullif(sum(fen) filter (where ledger = 'balance'), 0), nullif(sum(fen) filter (where ledger = 'cash'), 0),
        nullif(sum(fen) filter (where ledger = 'external'), 0), nullif(sum(-fen) filter (where ledger = 'expense'), 0), 0)::bigint as fen,
      sum(fen) filter (where ledger = 'income') as income, min(currency) as currency
    from ledger_entry e where e.account_id = t.account_id and e.transaction_id = t.id) s
  left join lateral (
    select order_no, state from billing_order
    where account_id = t.account_id and order_no = split_part(t.key, ':', 2) offset 0) o on true`;

const unpaid = ({ accountId, input }: Asked): RawBuilder<unknown> => sql`
  select 'order:' || order_no as id, null::uuid as booking, created_at as at, order_no, kind, gwid,
    case payer when 'guest' then fen else case kind when 'recharge' then fen else -fen end end as fen, currency, state,
    case when payer = 'guest' then 'income' when kind = 'recharge' then 'recharge' else 'expense' end as type
  from billing_order where account_id = ${accountId} and ${isUnpaid} ${within('created_at', input)}`;

/** Adds up the whole journal. */
const withBalances = (asked: Asked): RawBuilder<unknown> => sql`
  (${booked(asked)} union all ${unpaid(asked)}) listed
  left join (
    select transaction_id as booking, currency, sum(coalesce(sum(fen) filter (where ledger = 'balance'), 0))
      over (partition by currency order by at, transaction_id) as balance
    from ledger_entry where account_id = ${asked.accountId}
    group by currency, at, transaction_id) running using (booking, currency)`;

const matches = ({ input: { state, type, keyword = '' } }: Asked): RawBuilder<unknown> => sql`true
  ${state ? sql`and state = ${state}` : sql``} ${type ? sql`and type = ${type}` : sql``}
  ${keyword ? sql`and coalesce(order_no, id) ilike ${containing(keyword)}` : sql``}`;

/** Counts as cheaply as the filters allow. */
function totalOf(asked: Asked): RawBuilder<unknown> {
  const { accountId, input } = asked;
  const { state, type, keyword, from, to } = input;
  if (state || type || keyword)
    return sql`select count(*) from (${booked(asked)} union all ${unpaid(asked)}) listed where ${matches(asked)}`;
  const bookings =
    from || to
      ? sql`select count(*) from ledger_transaction where account_id = ${accountId} and ${isListed} ${within('at', input)}`
      : sql`select coalesce(sum(bookings), 0) from ledger_count where account_id = ${accountId} and ${isListed}`;
  const orders = sql`select count(*) from billing_order
    where account_id = ${accountId} and ${isUnpaid} ${within('created_at', input)}`;
  return sql`select (${bookings}) + (${orders})`;
}

export async function listTransactions(tx: Tx, accountId: string, locale: Locale, input: InputOf<List>) {
  const { page = 1, limit = 20, sort = 'at', order = 'desc', state, type, keyword } = input;
  const asked = { accountId, input };
  const [way, nulls] = order === 'asc' ? [sql`asc`, sql`nulls first`] : [sql`desc`, sql`nulls last`];
  const column = { at: sql``, amount: sql`fen ${way},`, balance_after: sql`balance ${way} nulls last,` }[sort];
  const orderBy = (unbooked: RawBuilder<unknown>) => sql`${column} at ${way}, booking ${way} ${unbooked}, id ${way}`;
  const inOrder = orderBy(nulls);
  // in the order of each side's index
  const first = (rows: RawBuilder<unknown>) =>
    sql`(select * from (${rows}) rows where ${matches(asked)} order by ${orderBy(sql``)} limit ${page * limit})`;
  const isPlain = sort === 'at' && !state && !type && !keyword;
  const cut = isPlain ? sql`order by at ${way}, id ${way} limit ${page * limit}` : sql``;
  const source =
    sort === 'balance_after'
      ? sql`${withBalances(asked)} where ${matches(asked)}`
      : sql`(${first(booked(asked, cut))} union all ${first(unpaid(asked))}) listed`;
  const ofBalance = sql`from ledger_entry e
    where e.account_id = ${accountId} and e.ledger = 'balance' and e.currency = p.currency`;
  // each from its end of the journal, so that first pages add up little
  const sumUpTo = sql`(select coalesce(sum(fen), 0)::bigint ${ofBalance}
    and (e.at, e.transaction_id) <= (p.at, p.booking))`;
  const totalLessLater = sql`(
    select coalesce(sum(fen), 0)::bigint from ledger_total b
    where b.account_id = ${accountId} and b.ledger = 'balance' and b.currency = p.currency) - (
    select coalesce(sum(fen), 0)::bigint ${ofBalance} and (e.at, e.transaction_id) > (p.at, p.booking))`;
  const { rows } = await sql<Row>`
    with paged as (
      select * from ${source}
      order by ${inOrder} limit ${limit} offset ${(page - 1) * limit})
    select p.*, case when booking is not null then ${order === 'asc' ? sumUpTo : totalLessLater} end as after
    from paged p order by ${inOrder}`.execute(tx);
  const { rows: totals } = await sql<{ total: number }>`select (${totalOf(asked)})::int as total`.execute(tx);
  return {
    list: rows.map(
      ({ id, at, order_no, type, kind, gwid, fen, currency, after, state }): Item => ({
        ...{ id, at: new Date(at).toISOString(), order_no, type, title: titleOfKind(locale, kind), gwid, state },
        ...{ amount: yuan(Number(fen)), currency, balance_after: after === null ? null : yuan(Number(after)) },
      }),
    ),
    total: totals[0]!.total,
  };
}

/** Names a kind of booking. */
export function titleOfKind(locale: Locale, kind: string): string {
  const key = `orders.${kind}`;
  const text = messageByKey(locale, key);
  return text === key ? messageByKey(locale, 'orders.booking') : text;
}
