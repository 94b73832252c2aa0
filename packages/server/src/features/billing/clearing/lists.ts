import type { billingClearing as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { containing } from '../../../platform/search/index.ts';
import { accounts } from '../../identity/index.ts';
import { yuan } from '../service.ts';
import { clearingTables } from './tables.ts';

export async function listMovements(
  tx: Tx,
  {
    page = 1,
    limit = 10,
    sort = 'at',
    order = 'desc',
    keyword,
    provider,
    settled,
  }: InputOf<typeof contract.movementList>,
): Promise<DataOf<typeof contract.movementList>> {
  let found = clearingTables(tx)
    .selectFrom('clearing_movement as m')
    .leftJoin('clearing_payout as p', 'p.id', 'm.payout_id');
  if (provider) found = found.where('m.provider', '=', provider);
  if (settled !== undefined)
    found = found.where('m.provider', '<>', 'bank').where('m.payout_id', settled ? 'is not' : 'is', null);
  if (keyword) found = found.where('m.order_no', 'ilike', containing(keyword));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .select(['m.account_id', 'm.key', 'm.provider', 'm.kind', 'm.order_no', 'm.fen', 'm.at', 'p.number'])
    .orderBy(sort === 'amount' ? 'm.fen' : 'm.at', order)
    .orderBy('m.key', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const names = await accounts.namesOfAccounts(tx, [...new Set(rows.map((row) => row.account_id))]);
  return {
    total: Number(total),
    list: rows.map((row) => ({
      id: `${row.account_id}:${row.key}`,
      account: names.get(row.account_id) ?? '',
      provider: row.provider,
      kind: row.kind,
      order_no: row.order_no,
      amount: yuan(row.fen),
      at: row.at.toISOString(),
      payout: row.number,
    })),
  };
}

export async function listLines(
  tx: Tx,
  { page = 1, limit = 10, sort = 'day', order = 'desc', keyword, result }: InputOf<typeof contract.lineList>,
): Promise<DataOf<typeof contract.lineList>> {
  let found = clearingTables(tx)
    .selectFrom('clearing_line as l')
    .innerJoin('clearing_payout as p', 'p.id', 'l.payout_id')
    .where('p.reversed_at', 'is', null);
  if (result) found = found.where('l.result', '=', result);
  if (keyword)
    found = found.where(({ or, eb }) =>
      or([eb('l.order_no', 'ilike', containing(keyword)), eb('l.reference', 'ilike', containing(keyword))]),
    );
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll('l')
    .select(['p.provider', 'p.number', 'p.day'])
    .orderBy(sort === 'amount' ? 'l.fen' : 'p.day', order)
    .orderBy('l.payout_id', order)
    .orderBy('l.seq')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    total: Number(total),
    list: rows.map((row) => ({
      id: `${row.payout_id}:${row.seq}`,
      provider: row.provider,
      number: row.number,
      day: row.day,
      result: row.result,
      reference: row.reference,
      order_no: row.order_no,
      amount: yuan(row.fen),
      ours: row.ours_fen === null ? null : yuan(row.ours_fen),
    })),
  };
}
