import type { Locale } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { accounts } from '../../identity/index.ts';
import { monthOf } from '../books/months.ts';
import { titleOfKind } from '../orders/transactions.ts';
import type { Ledger } from '../service.ts';
import { readAccountCodes } from './account-codes.ts';

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
  ledger: Ledger;
  gwid: string | null;
  debit: number;
  credit: number;
}

/** One voucher for each day and kind of booking, numbered in this order; a line for each ledger, network and side. */
export async function vouchersOf(
  tx: Tx,
  accountId: string,
  name: string,
  locale: Locale,
): Promise<{ lines: VoucherLine[]; final: boolean }> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const { from, to, closed } = await monthOf(tx, accountId, name, zone);
  const { rows } = await sql<Row>`
    select dense_rank() over (order by day, kind)::int as number, * from (
      select to_char(e.at at time zone ${closed?.time_zone ?? zone}, 'YYYY-MM-DD') as day, t.kind, e.ledger, e.gwid,
        coalesce(sum(e.fen) filter (where e.fen > 0), 0)::bigint as debit,
        coalesce(-sum(e.fen) filter (where e.fen < 0), 0)::bigint as credit
      from ledger_entry e join ledger_transaction t on t.account_id = e.account_id and t.id = e.transaction_id
      where e.account_id = ${accountId} and e.at >= ${from} and e.at < ${to} and e.currency = 'CNY'
      group by 1, 2, 3, 4) lines
    order by number, credit > 0, ledger, gwid nulls first`.execute(tx);
  const { list } = await readAccountCodes(tx, accountId);
  const codes = new Map(list.map((one) => [one.ledger, one]));
  const gwids = [...new Set(rows.flatMap(({ gwid }) => gwid ?? []))];
  const networks = await fleetNetworks.names(tx, accountId, gwids);
  const lines = rows.flatMap(({ number, day, kind, ledger, gwid, debit, credit }): VoucherLine[] => {
    const { code, name: account } = codes.get(ledger)!;
    const common = { number, day, summary: titleOfKind(locale, kind), code, account };
    const network = gwid === null ? null : (networks.get(gwid) ?? null);
    return [
      { ...common, network, debitFen: Number(debit), creditFen: 0 },
      { ...common, network, debitFen: 0, creditFen: Number(credit) },
    ].filter(({ debitFen, creditFen }) => debitFen > 0 || creditFen > 0);
  });
  return { lines, final: closed !== null };
}
