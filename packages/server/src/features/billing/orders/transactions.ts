import { billingOrders as contract, type DataOf, type InputOf, type Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import { yuan } from '../service.ts';
import { transactionDetails } from './transaction-details.ts';

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
  earned: string | null;
  recharged: string | null;
  key: string | null;
  state: Item['state'];
}

interface Asked {
  accountId: string;
  input: InputOf<List>;
}

/** As in the partial indexes; the SMS log lists single messages. */
const isListed = sql`kind not in ('sms_send', 'sms_return') and kind <> 'deferral'`;
/** Orders without a booking. */
const isUnpaid = sql`paid_at is null`;
const unpaidTypes = ['income', 'recharge', 'expense'] as const;

const isPaidState = (state: Item['state']) => state === 'completed' || state === 'refunded';

const within = (column: string, { from, to }: Asked['input']): RawBuilder<unknown> => sql`
  ${from ? sql`and ${sql.ref(column)} >= ${from}` : sql``} ${to ? sql`and ${sql.ref(column)} < ${to}` : sql``}`;

/** Bookings; of refunded orders by those. */
function bookings({ accountId, input: { state, type, ...input } }: Asked): RawBuilder<unknown> {
  if (state && !isPaidState(state)) return sql`ledger_transaction where false`;
  const source =
    state === 'refunded'
      ? sql`(
          select t.* from billing_order o cross join lateral (
            select * from ledger_transaction where account_id = ${accountId} and key = 'order:' || o.order_no
            union all
            select * from ledger_transaction
            where account_id = ${accountId} and kind in ('refund', 'refund_failed')
              and split_part(key, ':', 2) = o.order_no) t
          where o.account_id = ${accountId} and o.state = 'refunded') ledger_transaction`
      : sql`ledger_transaction`;
  return sql`${source} where account_id = ${accountId} and ${isListed}
    ${type ? sql`and type = ${type}` : sql``} ${within('at', input)}`;
}

/** @param cut order and limit before details are read, if those do not decide which rows are listed */
const booked = (asked: Asked, cut = sql``): RawBuilder<unknown> => sql`
  select t.id::text as id, t.id as booking, t.key, t.at, o.order_no, t.kind, t.gwid, t.fen, t.currency,
    coalesce(o.state, 'completed') as state, t.type
  from (select * from ${bookings(asked)} ${cut}) t
  left join lateral (
    select order_no, state from billing_order
    where account_id = t.account_id and order_no = split_part(t.key, ':', 2) offset 0) o on true`;

function unpaidOrders({ accountId, input: { state, type, ...input } }: Asked): RawBuilder<unknown> {
  if (state && isPaidState(state)) return sql`billing_order where false`;
  return sql`billing_order where account_id = ${accountId} and ${isUnpaid} ${state ? sql`and state = ${state}` : sql``}
    ${type ? sql`and line_type = ${type}` : sql``} ${within('created_at', input)}`;
}

const unpaid = (asked: Asked): RawBuilder<unknown> => sql`
  select 'order:' || order_no as id, null::uuid as booking, null::text as key, created_at as at, order_no, kind, gwid,
    line_fen as fen, currency, state, line_type as type
  from ${unpaidOrders(asked)}`;

const ledgersOf = {
  balance_after: ['balance', 'recharged'],
  earned_after: ['balance'],
  recharged_after: ['recharged'],
} as const;

/** Adds up the whole journal. */
const withBalances = (asked: Asked, of: readonly string[]): RawBuilder<unknown> => sql`
  (${booked(asked)} union all ${unpaid(asked)}) listed
  left join (
    select transaction_id as booking, currency, sum(coalesce(sum(fen) filter (where ledger = any(${[...of]}::text[])), 0))
      over (partition by currency order by at, transaction_id) as balance
    from ledger_entry where account_id = ${asked.accountId}
    group by currency, at, transaction_id) running using (booking, currency)`;

const matches = ({ input: { state, keyword = '' } }: Asked): RawBuilder<unknown> => sql`true
  ${state ? sql`and state = ${state}` : sql``}
  ${keyword ? sql`and coalesce(order_no, id) ilike ${containing(keyword)}` : sql``}`;

/** Counts as cheaply as the filters allow. */
function totalOf(asked: Asked): RawBuilder<unknown> {
  const { state, keyword } = asked.input;
  if (keyword)
    return sql`select count(*) from (${booked(asked)} union all ${unpaid(asked)}) listed where ${matches(asked)}`;
  const refunded = sql`(${refundedTotal(asked)})`;
  const paid = {
    refunded,
    completed: sql`(${paidTotal(asked)}) - ${refunded}`,
    incomplete: sql`0`,
    expired: sql`0`,
    refused: sql`0`,
    all: sql`(${paidTotal(asked)})`,
  }[state ?? 'all'];
  return sql`select ${paid} + (select count(*) from ${unpaidOrders(asked)})`;
}

function refundedTotal({ accountId, input }: Asked): RawBuilder<unknown> {
  const { type, from, to } = input;
  if (type || from || to)
    return sql`select count(*) from ${bookings({ accountId, input: { ...input, state: 'refunded' } })}`;
  // each has one booking of its payment
  const ofOrders = sql`from billing_order o where o.account_id = ${accountId} and o.state = 'refunded'`;
  return sql`select (select count(*) ${ofOrders}) + (
    select count(*) from ledger_transaction t where t.account_id = ${accountId} and t.kind in ('refund', 'refund_failed')
      and split_part(t.key, ':', 2) in (select o.order_no ${ofOrders}))`;
}

function paidTotal({ accountId, input }: Asked): RawBuilder<unknown> {
  const { type, from, to } = input;
  if (from || to) return sql`select count(*) from ${bookings({ accountId, input: { ...input, state: undefined } })}`;
  return sql`select coalesce(sum(bookings), 0) from ledger_count
    where account_id = ${accountId} and ${isListed} ${type ? sql`and type = ${type}` : sql``}`;
}

/** The ledger now, less later days and the rest of the day of the row `p`. */
const balanceAfter = (accountId: string, ledger: 'balance' | 'recharged'): RawBuilder<unknown> => sql`
  case when booking is not null then (
    select coalesce(sum(fen), 0) from ledger_total b
    where b.account_id = ${accountId} and b.ledger = ${ledger} and b.currency = p.currency) - (
    select coalesce(sum(fen), 0) from later
    where later.ledger = ${ledger} and later.currency = p.currency and later.day > p.day) - (
    select coalesce(sum(fen), 0) from ledger_entry e
    where e.account_id = ${accountId} and e.ledger = ${ledger} and e.currency = p.currency
      and (e.at, e.transaction_id) > (p.at, p.booking) and e.at < (p.day + 1)::timestamp at time zone 'UTC') end`;

export async function listTransactions(tx: Tx, accountId: string, locale: Locale, input: InputOf<List>) {
  const { page = 1, limit = 10, sort = 'at', order = 'desc', state, type, keyword } = input;
  const asked = { accountId, input };
  const [way, nulls] = order === 'asc' ? [sql`asc`, sql`nulls first`] : [sql`desc`, sql`nulls last`];
  const ofBalance = sort === 'at' || sort === 'amount' ? null : ledgersOf[sort];
  const column = ofBalance ? sql`balance ${way} nulls last,` : sort === 'amount' ? sql`fen ${way},` : sql``;
  const orderBy = (unbooked: RawBuilder<unknown>) => sql`${column} at ${way}, booking ${way} ${unbooked}, id ${way}`;
  const inOrder = orderBy(nulls);
  // in the order of each side's index
  const first = (rows: RawBuilder<unknown>) =>
    sql`(select * from (${rows}) rows where ${matches(asked)} order by ${orderBy(sql``)} limit ${page * limit})`;
  const cut =
    keyword || state === 'completed' ? sql`` : sql`order by ${column} at ${way}, id ${way} limit ${page * limit}`;
  // the index of amounts is one of each type
  const eachOf = (types: readonly Item['type'][]) =>
    sort === 'amount' && !type ? types.map((one) => ({ accountId, input: { ...input, type: one } })) : [asked];
  const firsts = () => [
    ...eachOf(contract.transactionTypes).map((one) => first(booked(one, cut))),
    ...eachOf(unpaidTypes).map((one) => first(unpaid(one))),
  ];
  const source = ofBalance
    ? sql`${withBalances(asked, ofBalance)} where ${matches(asked)}`
    : sql`(${sql.join(firsts(), sql` union all `)}) listed`;
  const { rows } = await sql<Row>`
    with paged as materialized (
      select *, (at at time zone 'UTC')::date as day from ${source}
      order by ${inOrder} limit ${limit} offset ${(page - 1) * limit}),
    later as materialized (
      select currency, ledger, day, sum(fen) as fen from ledger_day
      where account_id = ${accountId} and day > (select min(day) from paged) group by currency, ledger, day)
    select p.*, ${balanceAfter(accountId, 'balance')} as earned, ${balanceAfter(accountId, 'recharged')} as recharged
    from paged p order by ${inOrder}`.execute(tx);
  const { rows: totals } = await sql<{ total: number }>`select (${totalOf(asked)})::int as total`.execute(tx);
  const detailsOf = await transactionDetails(tx, accountId, rows);
  return {
    list: rows.map((row): Item => {
      const after = row.earned === null || row.recharged === null ? null : [Number(row.earned), Number(row.recharged)];
      return {
        id: row.id,
        at: new Date(row.at).toISOString(),
        order_no: row.order_no,
        type: row.type,
        title: titleOfKind(locale, row.kind),
        gwid: row.gwid,
        state: row.state,
        amount: yuan(Number(row.fen)),
        currency: row.currency,
        balance_after: after && yuan(after[0]! + after[1]!),
        earned_after: after && yuan(after[0]!),
        recharged_after: after && yuan(after[1]!),
        ...detailsOf(row),
      };
    }),
    total: totals[0]!.total,
  };
}

/** Names a kind of booking. */
export function titleOfKind(locale: Locale, kind: string): string {
  const key = `orders.${kind}`;
  const text = messageByKey(locale, key);
  return text === key ? messageByKey(locale, 'orders.booking') : text;
}
