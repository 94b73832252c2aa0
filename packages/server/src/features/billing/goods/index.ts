import { billingGoods as contract, billingCoupons as couponContract } from '@yunxun/contract';
import type { Clock } from '../../../platform/clock.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import type { UnbindParticipant } from '../../fleet/index.ts';
import type { AccountCoupons } from '../coupons/account-coupons.ts';
import { createCoupons, forgetNetworkOfCoupons, knownCoupons } from '../coupons/guest-coupons.ts';
import type { Decisions } from '../decisions/index.ts';
import type { Orders } from '../orders/orders.ts';
import { knownBatches, knownCards } from './card-store.ts';
import { createCards } from './cards.ts';
import { createPackages, forgetNetworkOfPackages, knownPackages } from './packages.ts';
import { createPurchases } from './purchases.ts';

export { usableCards } from './card-store.ts';
export type { CardRefusal } from './cards.ts';
export { type Entitlement, startEntitlement } from './entitlements.ts';

export type { Offer, Purchases } from './purchases.ts';

export function createGoods(deps: {
  clock: Clock;
  masterKey: Buffer;
  orders: Orders;
  decisions: Decisions;
  accountCoupons: AccountCoupons;
}) {
  const { accountCoupons } = deps;
  const packages = createPackages(deps);
  const cards = createCards(deps);
  const coupons = createCoupons(deps);
  return {
    redeemCard: cards.redeem,
    purchases: createPurchases(deps),
    unbind: {
      part: 'value_added',
      remove: async (tx, unbound) =>
        (await forgetNetworkOfPackages(tx, unbound)) + (await forgetNetworkOfCoupons(tx, unbound)),
    } satisfies UnbindParticipant,
    routes: (): Route[] => [
      ...implement(couponContract, {
        list: ({ tx, acting, input }) => coupons.list(tx, acting, input),
        create: ({ tx, acting, input }) => coupons.create(tx, acting, input),
        save: ({ tx, acting, input }) => coupons.save(tx, acting, input),
        turn: ({ tx, acting, input }) => coupons.turn(tx, acting, input),
        end: ({ tx, acting, input }) => coupons.end(tx, acting, input),
        usable: ({ acting, input }) => accountCoupons.usable(acting, input),
        quote: ({ acting, input }) => accountCoupons.quote(acting, input),
      }),
      ...implement(contract, {
        packageList: ({ tx, acting, input }) => packages.list(tx, acting, input),
        packageCreate: ({ tx, acting, input }) => packages.create(tx, acting, input),
        packageSave: ({ tx, acting, input }) => packages.save(tx, acting, input),
        packageDelete: ({ tx, acting, input }) => packages.remove(tx, acting, input),
        batchList: ({ tx, acting, input }) => cards.batches(tx, acting, input),
        cardGenerate: ({ tx, acting, input }) => cards.generate(tx, acting, input),
        cardList: ({ tx, acting, input }) => cards.list(tx, acting, input),
        cardVoid: ({ tx, acting, input }) => cards.void(tx, acting, input),
        cardSell: ({ tx, acting, input }) => cards.sell(tx, acting, input),
        cardRefund: ({ tx, acting, input }) => cards.refund(tx, acting, input),
        cardStat: ({ tx, acting }) => cards.stat(tx, acting),
      }),
    ],
    objects: { package: knownPackages, card_batch: knownBatches, card: knownCards, coupon: knownCoupons },
  };
}

export type Goods = ReturnType<typeof createGoods>;
