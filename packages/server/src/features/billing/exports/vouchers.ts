import type { Locale } from '@yunxun/contract';
import { message } from '@yunxun/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { titleOfKind } from '../orders/transactions.ts';
import type { Ledger } from '../service.ts';
import { readAccountCodes } from './account-codes.ts';
import { numbersOf, type VoucherMonth } from './numbers.ts';

export interface VoucherLine {
  /** In the month, from 1. */
  number: number;
  /** `YYYY-MM-DD` in the account's zone. */
  day: string;
  summary: string;
  code: string;
  account: string;
  debitFen: number;
  creditFen: number;
  network: string | null;
}

interface Row {
  number: number;
  day: string;
  kind: string;
  bookings: number;
  order_no: string | null;
  ledger: Ledger;
  gwid: string | null;
  fen: number;
}

const numbered = (month: VoucherMonth): RawBuilder<unknown> => sql`
  select *, (count(*) over (partition by number))::int as bookings from (${numbersOf(month)}) given`;

export async function voucherSums(tx: Tx, month: VoucherMonth): Promise<{ vouchers: number; debitFen: number }> {
  const { rows } = await sql<{ vouchers: number; fen: number }>`
    select coalesce(max(n.number), 0)::int as vouchers, coalesce(sum(e.fen) filter (where e.fen > 0), 0)::bigint as fen
    from (${numbersOf(month)}) n
    join ledger_entry e on e.account_id = ${month.accountId} and e.transaction_id = n.transaction_id`.execute(tx);
  return { vouchers: rows[0]!.vouchers, debitFen: Number(rows[0]!.fen) };
}

/** A line for each ledger, network and side of the vouchers numbered (`after`, `upTo`]. */
export async function vouchersBetween(
  tx: Tx,
  month: VoucherMonth,
  locale: Locale,
  { after, upTo }: { after: number; upTo: number },
): Promise<VoucherLine[]> {
  const { accountId } = month;
  const { rows } = await sql<Row>`
    select n.number, n.day::text as day, n.bookings, t.kind, e.ledger, e.gwid, sum(e.fen)::bigint as fen,
      case when n.bookings = 1 then min(o.order_no) end as order_no
    from (${numbered(month)}) n
    join ledger_transaction t on t.account_id = ${accountId} and t.id = n.transaction_id
    join ledger_entry e on e.account_id = t.account_id and e.transaction_id = t.id
    left join billing_order o on o.account_id = t.account_id and o.order_no = split_part(t.key, ':', 2)
    where n.number > ${after} and n.number <= ${upTo}
    group by n.number, n.day, n.bookings, t.kind, e.ledger, e.gwid, e.fen < 0
    order by n.number, e.fen < 0, e.ledger, e.gwid nulls first`.execute(tx);
  const { list } = await readAccountCodes(tx, accountId);
  const codes = new Map(list.map((one) => [one.ledger, one]));
  const gwids = [...new Set(rows.flatMap(({ gwid }) => gwid ?? []))];
  const networks = await fleetNetworks.names(tx, accountId, gwids);
  return rows.map(({ number, day, ledger, gwid, fen, ...row }): VoucherLine => {
    const { code, name: account } = codes.get(ledger)!;
    return {
      number,
      day,
      summary: summaryOf(locale, row),
      code,
      account,
      debitFen: Math.max(Number(fen), 0),
      creditFen: Math.max(-Number(fen), 0),
      network: gwid === null ? null : (networks.get(gwid) ?? null),
    };
  });
}

function summaryOf(locale: Locale, { kind, bookings, order_no: no }: Pick<Row, 'kind' | 'bookings' | 'order_no'>) {
  const title = titleOfKind(locale, kind);
  if (bookings > 1) return message(locale, 'voucher.of_day', { title, n: bookings });
  return no === null ? title : message(locale, 'voucher.of_order', { title, no });
}
