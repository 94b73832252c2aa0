import type { billingOrders, DataOf } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { cardGoods } from '../goods/card-store.ts';
import { ordersByNo } from './order-store.ts';

type Item = DataOf<(typeof billingOrders)['transactions']>['list'][number];
type Details = Pick<Item, 'goods' | 'network' | 'method' | 'payer' | 'device'>;

interface Booked {
  order_no: string | null;
  kind: string;
  key: string | null;
  gwid: string | null;
}

const deviceDigits = 8;
const cardKinds = ['recharge_card', 'recharge_card_refund'];
const unknown = { goods: null, method: null, payer: null, device: null };

const cardOf = ({ kind, key }: Booked): string[] => (cardKinds.includes(kind) && key ? [key.split(':')[1]!] : []);

export async function transactionDetails(
  tx: Tx,
  accountId: string,
  rows: readonly Booked[],
): Promise<(row: Booked) => Details> {
  const orders = await ordersByNo(
    tx,
    accountId,
    rows.flatMap(({ order_no }) => order_no ?? []),
  );
  const cards = await cardGoods(tx, accountId, rows.flatMap(cardOf));
  const gwids = [...new Set(rows.flatMap(({ gwid }) => gwid ?? []))];
  const networks = await fleetNetworks.names(tx, accountId, gwids);
  const ofRow = (row: Booked): Omit<Details, 'network'> => {
    const order = orders.get(row.order_no ?? '');
    const [card] = cardOf(row);
    if (!order)
      return card ? { ...unknown, goods: cards.get(card) ?? null, method: 'recharge_card', payer: 'guest' } : unknown;
    const { name, device } = (order.subject ?? {}) as { name?: string; device?: string };
    const { method, payer } = order;
    return { goods: name ?? null, method, payer, device: device?.slice(0, deviceDigits) ?? null };
  };
  return (row) => ({ ...ofRow(row), network: row.gwid === null ? null : (networks.get(row.gwid) ?? null) });
}
