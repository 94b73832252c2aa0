import { billingOrders as contract, type DataOf, type InputOf, type Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
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
  earned: string | null;
  recharged: string | null;
  method: string | null;
  payer: Item['payer'];
  device: string | null;
  goods: string | null;
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
  select t.id::text as id, t.id as booking, t.at, o.order_no, t.kind, t.gwid, t.fen, t.currency,
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
  select 'order:' || order_no as id, null::uuid as booking, created_at as at, order_no, kind, gwid,
    line_fen as fen, currency, state, line_type as type
  from ${unpaidOrders(asked)}`;

/** Adds up the whole journal. */
const withBalances = (asked: Asked): RawBuilder<unknown> => sql`
  (${booked(asked)} union all ${unpaid(asked)}) listed
  left join (
    select transaction_id as booking, currency, sum(coalesce(sum(fen) filter (where ledger in ('balance', 'recharged')), 0))
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

/** The balance now, less later days and the rest of the day of the row `p`. */
const balanceAfter = (accountId: string): RawBuilder<unknown> => sql`(
  select coalesce(sum(fen), 0) from ledger_total b
  where b.account_id = ${accountId} and b.ledger in ('balance', 'recharged') and b.currency = p.currency) - (
  select coalesce(sum(fen), 0) from later where later.currency = p.currency and later.day > p.day) - (
  select coalesce(sum(fen), 0) from ledger_entry e
  where e.account_id = ${accountId} and e.ledger in ('balance', 'recharged') and e.currency = p.currency
    and (e.at, e.transaction_id) > (p.at, p.booking) and e.at < (p.day + 1)::timestamp at time zone 'UTC')`;

/** Few bookings move it: adds up those since the row `p`. */
const rechargedAfter = (accountId: string): RawBuilder<unknown> => sql`(
  select coalesce(sum(fen), 0) from ledger_total b
  where b.account_id = ${accountId} and b.ledger = 'recharged' and b.currency = p.currency) - (
  select coalesce(sum(fen), 0) from ledger_entry e
  where e.account_id = ${accountId} and e.ledger = 'recharged' and e.currency = p.currency
    and (e.at, e.transaction_id) > (p.at, p.booking))`;

export async function listTransactions(tx: Tx, accountId: string, locale: Locale, input: InputOf<List>) {
  const { page = 1, limit = 10, sort = 'at', order = 'desc', state, type, keyword } = input;
  const asked = { accountId, input };
  const [way, nulls] = order === 'asc' ? [sql`asc`, sql`nulls first`] : [sql`desc`, sql`nulls last`];
  const column = { at: sql``, amount: sql`fen ${way},`, balance_after: sql`balance ${way} nulls last,` }[sort];
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
  const source =
    sort === 'balance_after'
      ? sql`${withBalances(asked)} where ${matches(asked)}`
      : sql`(${sql.join(firsts(), sql` union all `)}) listed`;
  const { rows } = await sql<Row>`
    with paged as materialized (
      select *, (at at time zone 'UTC')::date as day from ${source}
      order by ${inOrder} limit ${limit} offset ${(page - 1) * limit}),
    later as materialized (
      select currency, day, sum(fen) as fen from ledger_day
      where account_id = ${accountId} and day > (select min(day) from paged) group by currency, day)
    select p.*, d.method, d.payer, d.subject ->> 'device' as device, d.subject ->> 'name' as goods,
      case when booking is not null then ${balanceAfter(accountId)} - (${rechargedAfter(accountId)}) end as earned,
      case when booking is not null then ${rechargedAfter(accountId)} end as recharged
    from paged p left join billing_order d on d.account_id = ${accountId} and d.order_no = p.order_no
    order by ${inOrder}`.execute(tx);
  const { rows: totals } = await sql<{ total: number }>`select (${totalOf(asked)})::int as total`.execute(tx);
  const gwids = [...new Set(rows.flatMap(({ gwid }) => gwid ?? []))];
  const names = await fleetNetworks.names(tx, accountId, gwids);
  const sumOf = (one: string | null, other: string | null) =>
    one === null ? null : yuan(Number(one) + Number(other ?? 0));
  return {
    list: rows.map(
      ({
        id,
        at,
        order_no,
        type,
        kind,
        gwid,
        fen,
        currency,
        earned,
        recharged,
        state,
        method,
        payer,
        device,
        goods,
      }): Item => ({
        id,
        at: new Date(at).toISOString(),
        order_no,
        type,
        title: titleOfKind(locale, kind),
        goods,
        gwid,
        network: gwid === null ? null : (names.get(gwid) ?? null),
        method,
        payer,
        device,
        state,
        amount: yuan(Number(fen)),
        currency,
        balance_after: sumOf(earned, recharged),
        earned_after: sumOf(earned, null),
        recharged_after: sumOf(recharged, null),
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
