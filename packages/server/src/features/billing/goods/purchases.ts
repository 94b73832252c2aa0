import type { PackageTerms, payments } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { applyCoupon, type CouponRefusal, insertCouponUse } from '../coupons/guest-coupons.ts';
import type { Order, OrderKind } from '../orders/order-kind.ts';
import { findByKey, orderByKey } from '../orders/order-store.ts';
import type { Orders } from '../orders/orders.ts';
import { orderTables } from '../orders/tables.ts';
import { yuan } from '../service.ts';
import {
  type Entitlement,
  endEntitlement,
  findEntitlement,
  insertEntitlement,
  reopenEntitlement,
  usedFen,
} from './entitlements.ts';
import { findPackage } from './packages.ts';
import { goodsTables } from './tables.ts';

/** Of the order: the package as it was sold. */
interface Subject {
  id: string;
  package_id: string;
  name: string;
  terms: PackageTerms;
  /** Hash of the buyer's device. */
  device: string;
}

export interface Offer {
  id: string;
  name: string;
  price: string;
  terms: PackageTerms;
}

interface Ordered {
  payUrl: string | null;
  orderNo: string;
  expiresAt: Date;
  leaves: boolean;
}

interface Bought {
  entitlement: Entitlement;
  name: string;
  orderNo: string;
  price: string;
}

interface Site {
  accountId: string;
  gwid: string;
}

const kind = 'portal_package';
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const subjectOf = (order: Pick<Order, 'subject'>) => order.subject as Subject;
const isHere = (terms: PackageTerms, gwid: string) => terms.gwids === null || terms.gwids.includes(gwid);

export function createPurchases({ orders, clock }: { orders: Orders; clock: Clock }) {
  async function usedOf(tx: Tx, order: Order): Promise<number> {
    const entitlement = await findEntitlement(tx, order.accountId, 'order', subjectOf(order).id);
    return usedFen(order.fen, entitlement, clock.now());
  }

  orders.kinds.add({
    kind,
    ledger: 'income',
    title: (order) => ({ key: 'package_named', params: { name: subjectOf(order).name } }),
    async paid(tx, order) {
      const { id: sourceId, package_id: packageId, terms } = subjectOf(order);
      const { accountId, gwid, paidAt } = order;
      await insertEntitlement(tx, { accountId, gwid: gwid!, source: 'order', sourceId, packageId, terms }, paidAt!);
    },
    used: usedOf,
    async refunded(tx, order, _fen, used) {
      const rest = order.fen - order.refundedFen;
      if (rest === 0 || (!used && rest <= (await usedOf(tx, order))))
        await endEntitlement(tx, order.accountId, 'order', subjectOf(order).id, clock.now());
    },
    refundFailed: (tx, order) => reopenEntitlement(tx, order.accountId, 'order', subjectOf(order).id),
  } satisfies OrderKind);

  return {
    payHosts: (): string[] => orders.providers.flatMap(({ hosts }) => hosts),

    async payNeeds(): Promise<{ hosts: string[]; ways: payments.PaymentSwitch[] }> {
      const offered = await orders.offered();
      const ways: payments.PaymentSwitch[] = [];
      for (const { phone } of offered)
        for (const way of ['h5', 'jsapi'] as const) if (await phone?.isOn(way)) ways.push(way);
      return { hosts: offered.flatMap(({ hosts }) => hosts), ways };
    },

    /** Lists what is on sale, cheapest first. */
    async offers(tx: Tx, { accountId, gwid }: Site): Promise<{ offers: Offer[]; methods: string[] }> {
      const rows = await goodsTables(tx)
        .selectFrom('billing_package')
        .select(['id', 'name', 'price_fen', 'terms'])
        .where('account_id', '=', accountId)
        .where('enabled', '=', true)
        .where('price_fen', '>', 0)
        .orderBy('price_fen')
        .orderBy('id')
        .execute();
      return {
        offers: rows
          .filter(({ terms }) => isHere(terms, gwid))
          .map(({ id, name, price_fen, terms }) => ({ id, name, price: yuan(price_fen), terms })),
        methods: (await orders.offered()).map(({ name }) => name),
      };
    },

    /**
     * Orders once per key.
     * @returns the payment page's address, null for a paid or expired order; or why not
     * @throws Failure notFound; Invalid for an unknown method
     */
    async buy(
      tx: Tx,
      { accountId, gwid }: Site,
      asked: Record<'packageId' | 'method' | 'device' | 'key' | 'returnUrl' | 'coupon', string>,
    ): Promise<Ordered | { refused: CouponRefusal; minFen?: number }> {
      const { packageId, method, device, key, returnUrl, coupon } = asked;
      if (!(await orders.offered()).some(({ name }) => name === method)) invalid('method', 'billing.method_unknown');
      const sold = idForm.test(packageId) ? await findPackage(tx, accountId, packageId) : undefined;
      if (!sold?.enabled || sold.price_fen === 0 || !isHere(sold.terms, gwid)) throw new Failure('notFound');
      const subject: Subject = { id: newId(), package_id: sold.id, name: sold.name, terms: sold.terms, device };
      const price = sold.price_fen;
      const wanted = { code: coupon, fen: price, device, now: clock.now() };
      const found = coupon ? await applyCoupon(tx, { accountId, gwid }, wanted) : null;
      // after the coupon's lock: a repeated order holds its use already
      const known = await findByKey(tx, accountId, key);
      if (!known && found && 'refused' in found) return found;
      const cheaper = known || !found || 'refused' in found ? null : found;
      const { pay_url: payUrl, order_no } = await orders.create(tx, {
        accountId,
        kind,
        subject,
        fen: known?.fen ?? price - (cheaper?.fen ?? 0),
        gwid,
        payer: 'guest',
        method,
        key,
        returnUrl,
      });
      if (cheaper && cheaper.fen > 0)
        await insertCouponUse(tx, {
          account_id: accountId,
          order_no,
          coupon_id: cheaper.id,
          gwid,
          device,
          fen: cheaper.fen,
        });
      const { orderNo, expiresAt } = await orderByKey(tx, accountId, key);
      const { hosts = [] } = orders.providers.find(({ name }) => name === method) ?? {};
      return { payUrl, orderNo, expiresAt, leaves: hosts.length > 0 };
    },

    /** Returns what the order of a key brought; its state while nothing. */
    async bought(tx: Tx, { accountId }: Site, key: string): Promise<Bought | Order['state']> {
      const order = await orderByKey(tx, accountId, key);
      const { id, name } = subjectOf(order);
      const entitlement = await findEntitlement(tx, accountId, 'order', id);
      if (!entitlement) return order.state;
      return entitlement.refunded_at
        ? 'refunded'
        : { entitlement, name, orderNo: order.orderNo, price: yuan(order.fen) };
    },

    /** Finds the device's newest valid purchase. */
    async boughtBy(
      tx: Tx,
      { accountId, gwid }: Site,
      device: string,
      now: Date,
    ): Promise<{ key: string; name: string } | null> {
      const row = await orderTables(tx)
        .selectFrom('billing_order as o')
        .select(['o.key', sql<string>`o.subject ->> 'name'`.as('name')])
        .where('o.account_id', '=', accountId)
        .where('o.kind', '=', kind)
        .where('o.gwid', '=', gwid)
        .where('o.state', '=', 'completed')
        .where(sql<boolean>`o.subject ->> 'device' = ${device}`)
        .where(
          sql<boolean>`exists (select from billing_entitlement e where e.account_id = o.account_id and e.source = 'order'
            and e.source_id = (o.subject ->> 'id')::uuid and e.refunded_at is null and e.ends_at > ${now})`,
        )
        .orderBy('o.created_at', 'desc')
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

export type Purchases = ReturnType<typeof createPurchases>;
