import type { billingIncome as contract, DataOf, InputOf, Locale } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import { addDays, dayOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { readPage } from '../../platform/database/page.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { readSetting } from './deferred/daily.ts';
import { titleOfKind } from './orders/transactions.ts';
import { yuan } from './service.ts';

type Group = InputOf<typeof contract.list>['group'];

interface Asked {
  accountId: string;
  group: Group;
  days: number;
  now: Date;
}

interface Sums {
  key: string;
  income: number;
  refunds: number;
  fees: number;
  deferred: number;
}

interface Line {
  id: string;
  at: Date;
  kind: string;
  order_no: string | null;
  what: 'income' | 'refund' | 'fee' | 'deferral';
  fen: number;
}

/** Guests' payments, fees of withdrawals, and changes of deferred income: one row per entry, each in one of the columns. */
async function linesOf(tx: Tx, { accountId, group, days, now }: Asked): Promise<RawBuilder<unknown>> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const firstDay = addDays(dayOf(now, zone), 1 - days);
  const from = startOfDay(group === 'month' ? `${firstDay.slice(0, 7)}-01` : firstDay, zone);
  const method = sql`coalesce(o.method,
    case when t.kind like 'recharge_card%' then 'recharge_card' when e.ledger = 'expense' then 'withdrawal' else 'other' end)`;
  const key = {
    day: sql`to_char(e.at at time zone ${zone}, 'YYYY-MM-DD')`,
    month: sql`to_char(e.at at time zone ${zone}, 'YYYY-MM')`,
    network: sql`coalesce(e.gwid::text, '')`,
    method,
  }[group];
  return sql`
    select ${key} as key, t.id, e.at, t.kind, o.order_no,
      case when e.ledger = 'income' and e.fen < 0 and t.kind <> 'refund_failed' then -e.fen else e.fen end as fen,
      case when e.ledger = 'expense' then 'fee' when e.ledger = 'earned' then 'deferral'
        when e.fen < 0 and t.kind <> 'refund_failed' then 'income' else 'refund' end as what
    from ledger_entry e
    join ledger_transaction t on t.account_id = e.account_id and t.id = e.transaction_id
    left join billing_order o on o.account_id = t.account_id and o.order_no = split_part(t.key, ':', 2)
    where e.account_id = ${accountId} and e.currency = 'CNY' and e.at >= ${from}
      and (e.ledger = 'income' or (e.ledger = 'expense' and t.kind = 'withdrawal_payment')
        ${group === 'method' ? sql`` : sql`or e.ledger = 'earned'`})`;
}

export async function listIncome(
  tx: Tx,
  asked: Asked,
  { page = 1, limit = 10, sort = 'key', order = 'desc' }: InputOf<typeof contract.list>,
): Promise<DataOf<typeof contract.list>> {
  const sum = (what: Line['what']) => sql`coalesce(sum(fen) filter (where what = ${what}), 0)::bigint`;
  const sums = sql`
    select *, income - refunds - fees as net, income - refunds - deferred as earned from (
      select key, ${sum('income')} as income, ${sum('refund')} as refunds, ${sum('fee')} as fees,
        ${sum('deferral')} as deferred
      from (${await linesOf(tx, asked)}) lines group by key) sums`;
  const inOrder = sql`${sql.ref(sort)} ${sql.raw(order)}, key`;
  const { rows, total } = await readPage<Sums>(tx, sums, inOrder, { page, limit });
  const { rows: all } = await sql<Omit<Sums, 'key'>>`
    select coalesce(sum(income), 0)::bigint as income, coalesce(sum(refunds), 0)::bigint as refunds,
      coalesce(sum(fees), 0)::bigint as fees, coalesce(sum(deferred), 0)::bigint as deferred from (${sums}) sums`.execute(
    tx,
  );
  const gwids = asked.group === 'network' ? rows.flatMap(({ key }) => key || []) : [];
  const defers = asked.group !== 'method' && (await readSetting(tx, asked.accountId)) !== null;
  const names = await fleetNetworks.names(tx, asked.accountId, gwids);
  return {
    list: rows.map(({ key, ...fen }) => ({ key, name: names.get(key) ?? null, ...amountsOf(fen, defers) })),
    total,
    sums: amountsOf(all[0]!, defers),
  };
}

function amountsOf(fen: Omit<Sums, 'key'>, defers: boolean) {
  const [income, refunds, fees] = [Number(fen.income), Number(fen.refunds), Number(fen.fees)];
  return {
    income: yuan(income),
    refunds: yuan(refunds),
    fees: yuan(fees),
    net: yuan(income - refunds - fees),
    earned: defers ? yuan(income - refunds - Number(fen.deferred)) : null,
  };
}

export async function listIncomeLines(
  tx: Tx,
  asked: Asked,
  locale: Locale,
  { page = 1, limit = 10, order = 'desc', key }: InputOf<typeof contract.journal>,
): Promise<DataOf<typeof contract.journal>> {
  const lines = sql`select * from (${await linesOf(tx, asked)}) lines where key = ${key}`;
  const inOrder = sql`at ${sql.raw(order)}, id ${sql.raw(order)}`;
  const { rows, total } = await readPage<Line>(tx, lines, inOrder, { page, limit });
  return {
    list: rows.map(({ id, at, kind, order_no, what, fen }) => ({
      transaction_id: id,
      at: new Date(at).toISOString(),
      title: titleOfKind(locale, kind),
      order_no,
      what,
      amount: yuan(what === 'income' ? Number(fen) : -Number(fen)),
    })),
    total,
  };
}
