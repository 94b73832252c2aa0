import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Downloads } from '../../platform/http/download.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { IdentityService } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';
import { bookRoutes } from './books/routes.ts';
import { createClearing } from './clearing/index.ts';
import { createAccountCoupons } from './coupons/account-coupons.ts';
import { accountCouponRoutes, knownAccountCoupons } from './coupons/routes.ts';
import { createDecisions } from './decisions/index.ts';
import { createDeferredTask } from './deferred/daily.ts';
import { knownItems } from './deferred/list.ts';
import { deferredRoutes } from './deferred/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { createFapiao } from './fapiao/index.ts';
import { createGoods } from './goods/index.ts';
import { createInvoices } from './invoices/index.ts';
import { createOrders } from './orders/orders.ts';
import { createOwnOrders } from './orders/own-orders.ts';
import { createPayLinks } from './orders/pay-links.ts';
import { mountPayments } from './orders/pay-pages.ts';
import { rechargeKind } from './orders/recharge.ts';
import { createReconciliation } from './orders/reconcile.ts';
import { orderRoutes } from './orders/routes.ts';
import { createSandbox, sandboxName } from './orders/sandbox.ts';
import { transferRoutes } from './orders/transfers.ts';
import { createPaymentProviders, type PaymentEndpoints } from './providers/index.ts';
import { knownExceptions } from './refunds/exceptions.ts';
import { refundTask } from './refunds/refunds.ts';
import { refundRoutes } from './refunds/routes.ts';
import { billingRoutes } from './routes.ts';
import { shareRoutes } from './shares/index.ts';
import { createSettling } from './shares/settle.ts';
import { createWithdrawals } from './withdrawals/index.ts';

export { billingAlarms } from './alarm-source.ts';
export type { Decisions } from './decisions/index.ts';
export { type Entitlement, type Goods, startEntitlement } from './goods/index.ts';
export type { OrderKind } from './orders/order-kind.ts';
export type { Orders } from './orders/orders.ts';
export type { OwnOrders } from './orders/own-orders.ts';
export type { PaymentEndpoints } from './providers/index.ts';
export { ledger, yuan } from './service.ts';

interface BillingDeps {
  database: Database;
  downloads: Downloads;
  clock: Clock;
  masterKey: Buffer;
  keys: AccountKeys;
  adminEmail: string | null;
  proveWithdrawal: IdentityService['proveWithdrawal'];
  publicUrl: string;
  log: Log;
  messages: Messages;
  outbox: Pick<Outbox, 'queue' | 'flush'>;
  paymentEndpoints?: PaymentEndpoints | undefined;
  /** Switches the sandbox on initially; its payments are booked in yuan. */
  demo: boolean;
}

export function createBilling(deps: BillingDeps) {
  const { database, clock, log } = deps;
  const links = createPayLinks(deps);
  const external = createPaymentProviders({
    ...deps,
    sealer: createSealer(deps.masterKey),
    endpoints: deps.paymentEndpoints,
  });
  const sandbox = createSandbox({
    ...deps,
    enabled: () => external.isEnabled(sandboxName),
    currency: deps.demo ? 'CNY' : 'XTS',
  });
  const orders = createOrders({ database, clock, log, links, providers: [...external.providers, sandbox.provider] });
  orders.kinds.add(rechargeKind);
  const accountCoupons = createAccountCoupons({ database, clock });
  const ownOrders = createOwnOrders({ database, orders, coupons: accountCoupons });
  const decisions = createDecisions(deps);
  const { askProviders, compareStatements } = createReconciliation({ database, clock, log, orders });
  const goods = createGoods({ ...deps, orders, decisions, accountCoupons });
  const fapiao = createFapiao({ ...deps, orders, links });
  return {
    orders,
    ownOrders,
    decisions,
    goods,
    guestInvoices: fapiao.guests,
    parts: [
      goods,
      createWithdrawals(deps),
      createInvoices({ ...deps, orders }),
      fapiao,
      createClearing({ ...deps, providers: orders.providers }),
    ],
    objects: {
      money_decision: decisions.known,
      payment_exception: knownExceptions,
      deferred_item: knownItems,
      account_coupon: (_tx: Tx, ids: readonly string[]) => knownAccountCoupons(database, ids),
    },
    sandbox,
    routes: () => [
      ...billingRoutes({ clock }),
      ...bookRoutes({ clock }),
      ...deferredRoutes({ clock }),
      ...orderRoutes({ database, clock, orders, ownOrders, decisions, publicUrl: deps.publicUrl }),
      ...exportRoutes(deps),
      ...refundRoutes({ clock, orders }),
      ...decisions.routes(),
      ...transferRoutes({ ...deps, orders }),
      ...accountCouponRoutes({ database, clock }),
      ...external.routes(),
      ...shareRoutes({ database, clock }),
    ],
    mount: (app: FastifyInstance, { limitFactor }: { limitFactor: number }) => {
      mountPayments(app, limitFactor, { database, orders, sandbox, links, log });
      fapiao.mountGuests(app, limitFactor);
    },
    tasks: {
      [refundTask]: orders.payBack,
      'billing-expiry': orders.expire,
      'billing-query': askProviders,
      'billing-refunds': orders.askAboutRefunds,
      'billing-reconciliation': () => compareStatements(),
      'billing-statements-missed': () => compareStatements('missed'),
      'billing-deferred': createDeferredTask({ database, clock, log }),
      'billing-shares': createSettling({ database, clock, log }),
    },
    schedules: [
      { task: 'billing-expiry', cron: '* * * * *' },
      { task: 'billing-query', cron: '*/2 * * * *', exclusive: true as const },
      { task: 'billing-refunds', cron: '*/2 * * * *', exclusive: true as const },
      // WeChat Pay has its statement at 02:00 UTC
      { task: 'billing-reconciliation', cron: '17 3 * * *' },
      { task: 'billing-statements-missed', cron: '47 * * * *', exclusive: true as const },
      { task: 'billing-shares', cron: '41 * * * *', exclusive: true as const },
      { task: 'billing-deferred', cron: '13 * * * *', exclusive: true as const },
    ],
  };
}
