import type { backup as contract, InputOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { sumsOf } from './store.ts';

/** Of an account. */
const maxNetworks = 100_000;

/** Returns networks; backups are counted here, because networks do not know of them. */
export async function routersOf(tx: Tx, accountId: string, now: Date, input: InputOf<typeof contract.routerList>) {
  const { sort, ...rest } = input;
  if (sort !== 'count' && sort !== 'size') return fleetNetworks.list(tx, accountId, now, { ...rest, sort });
  const { page = 1, limit = 10, order, keyword } = rest;
  const all = await fleetNetworks.find(tx, accountId, now, { keyword: keyword || undefined }, maxNetworks);
  const sums = await sumsOf(tx, accountId, all);
  const of = (gwid: string) => sums.get(gwid)?.[sort] ?? 0;
  const sorted = all.toSorted((a, b) => (of(a) - of(b)) * (order === 'desc' ? -1 : 1));
  const list = await fleetNetworks.rows(tx, accountId, now, sorted.slice((page - 1) * limit, page * limit));
  return { list, total: all.length };
}
