import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import type { Tx } from '../../../platform/database/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { accounts } from '../../identity/index.ts';
import type { Order, OrderKind } from './order-kind.ts';

export function titleOf(locale: Locale, order: Order, kind: OrderKind): string {
  const { key, params } = kind.title(order);
  return messageByKey(locale, `orders.${key}`, params);
}

/** Names the shop and the goods for the payer's bill; the same for each try, which providers want. */
export async function describeOrder(tx: Tx, order: Order, kind: OrderKind): Promise<string> {
  const { accountId, gwid } = order;
  const shop = gwid
    ? (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid)
    : (await accounts.namesOfAccounts(tx, [accountId])).get(accountId);
  const goods = titleOf('zh-CN', order, kind);
  return shop ? messageByKey('zh-CN', 'orders.of_shop', { shop, goods }) : goods;
}
