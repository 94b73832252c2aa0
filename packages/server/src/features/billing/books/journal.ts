import type { billingBooks as contract, DataOf, InputOf, Locale } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { accounts } from '../../identity/index.ts';
import { titleOfKind } from '../orders/transactions.ts';
import { yuan } from '../service.ts';
import { monthOf } from './months.ts';

type Data = DataOf<typeof contract.journal>;

interface Row {
  transaction_id: string;
  seq: number;
  at: Date;
  kind: string;
  gwid: string | null;
  order_no: string | null;
  currency: Data['list'][number]['currency'];
  ledger: Data['list'][number]['ledger'];
  fen: number;
}

export async function listJournal(
  tx: Tx,
  accountId: string,
  locale: Locale,
  { page = 1, limit = 10, sort = 'at', order = 'desc', month, ledger, currency }: InputOf<typeof contract.journal>,
): Promise<Data> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const { from, to } = await monthOf(tx, accountId, month, zone);
  const within = sql`account_id = ${accountId} and at >= ${from} and at < ${to}
    ${ledger ? sql`and ledger = ${ledger}` : sql``} ${currency ? sql`and currency = ${currency}` : sql``}`;
  const way = sql.raw(order);
  const side = (fen: string) => sql`nullif(greatest(${sql.raw(fen)}, 0), 0) ${way} nulls last,`;
  const column = { at: sql``, debit: side('fen'), credit: side('-fen') }[sort];
  const inOrder = sql`${column} at ${way}, transaction_id ${way}, seq ${way}`;
  const { rows } = await sql<Row>`
    select * from (select e.*, t.kind, o.order_no from (
      select * from ledger_entry where ${within}
      order by ${inOrder} limit ${limit} offset ${(page - 1) * limit}) e
    join ledger_transaction t on t.account_id = e.account_id and t.id = e.transaction_id
    left join billing_order o on o.account_id = t.account_id and o.order_no = split_part(t.key, ':', 2)
    ) listed order by ${inOrder}`.execute(tx);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from ledger_entry where ${within}`.execute(tx);
  const names = await fleetNetworks.names(
    tx,
    accountId,
    rows.flatMap(({ gwid }) => gwid ?? []),
  );
  return {
    list: rows.map(({ transaction_id: id, seq, at, kind, gwid, order_no, currency: of, ledger: side, fen }) => ({
      id: `${id}:${seq}`,
      transaction_id: id,
      at: new Date(at).toISOString(),
      kind,
      order_no,
      title: titleOfKind(locale, kind),
      network: gwid === null ? null : (names.get(gwid) ?? null),
      currency: of,
      ledger: side,
      debit: fen > 0 ? yuan(Number(fen)) : null,
      credit: fen < 0 ? yuan(-Number(fen)) : null,
    })),
    total: counted[0]!.total,
  };
}
