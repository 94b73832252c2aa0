import { randomInt } from 'node:crypto';
import { createBatcher } from '../../../platform/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import type { Log } from '../../../platform/log.ts';
import { movementOf, noteMovements } from '../clearing/movements.ts';
import { noteException } from '../refunds/exceptions.ts';
import { createRefunds } from '../refunds/refunds.ts';
import { type Booking, type Entry, post, spend, yuan } from '../service.ts';
import { bookTogether, lockUnpaid } from './book-together.ts';
import { goodsEntries } from './goods-entries.ts';
import type { NewOrder, Order, OrderKind } from './order-kind.ts';
import * as store from './order-store.ts';
import type { PayLinks } from './pay-links.ts';
import type { Contradiction, PaymentEvent, PaymentProvider } from './payment-provider.ts';

export interface OrdersDeps {
  database: Database;
  clock: Clock;
  log: Log;
  providers: readonly PaymentProvider[];
  links: PayLinks;
}

/** Milliseconds until expiry; manual payments may take days. */
const openMs = { provider: 30 * 60_000, manual: 7 * 86_400_000 } as const;

/** `early`: refund before its payment; must be sent again. */
export type Outcome = 'applied' | 'repeated' | Contradiction['kind'] | 'early' | 'unknown_order';

interface Received {
  provider: string;
  event: PaymentEvent;
}

const refundLimit = (order: Order) => order.fen - order.refundedFen;

export function createOrders({ database, clock, log, providers, links }: OrdersDeps) {
  const kinds = new Map<string, OrderKind>();

  function kindOf(kind: string): OrderKind {
    const found = kinds.get(kind);
    if (!found) throw new Error(`no kind of order is called ${kind}`);
    return found;
  }

  function providerOf(method: string): PaymentProvider | undefined {
    return providers.find(({ name }) => name === method);
  }

  /** Of payments that do not come from the balance. */
  function entriesOf(order: Order): Entry[] {
    const { payer, method, kind, fen } = order;
    if (payer === 'guest')
      return [
        // operators keep cash; providers collect for the account
        { ledger: method === 'manual' ? 'cash' : 'balance', fen },
        { ledger: 'income', fen: -fen },
      ];
    return [...goodsEntries(kindOf(kind), order, fen, 0), { ledger: 'external', fen: -fen }];
  }

  const refunds = createRefunds({ database, clock, log, kindOf, providerOf });

  /** Returns fen; without what was used, unless `used`. */
  async function refundable(tx: Tx, order: Order, used: boolean): Promise<number> {
    if (order.state !== 'completed') return 0;
    const usedFen = used ? 0 : ((await kindOf(order.kind).used?.(tx, order)) ?? 0);
    return Math.max(0, refundLimit(order) - usedFen);
  }

  /** @throws Failure changedMeanwhile unless paid; Invalid beyond what was paid, or was not used */
  async function requireRefundable(tx: Tx, order: Order, fen: number, used: boolean): Promise<void> {
    if (!order.paidAt) throw new Failure('changedMeanwhile', { params: { kind: 'order_unpaid' } });
    const left = await refundable(tx, order, true);
    if (fen > left) invalid('amount', 'billing.refund_most', { max: yuan(left) });
    const max = await refundable(tx, order, used);
    if (fen > max) invalid('amount', 'billing.refund_used', { max: yuan(max) });
  }

  function bookingOf(order: Order, at: Date): Booking {
    const { accountId, orderNo, kind, gwid, currency } = order;
    return {
      accountId,
      key: `order:${orderNo}`,
      kind,
      at,
      gwid,
      currency,
      entries: entriesOf(order),
    };
  }

  async function complete(tx: Tx, order: Order): Promise<Order> {
    const at = clock.now();
    const { accountId, kind } = order;
    const { fen, method, currency } = order;
    const booking = bookingOf(order, at);
    await post(
      tx,
      method === 'balance'
        ? {
            ...booking,
            entries: [...goodsEntries(kindOf(kind), order, fen, 0), ...(await spend(tx, accountId, fen, { currency }))],
          }
        : booking,
    );
    await noteMovements(tx, movementOf(order, { key: booking.key, kind: 'payment', fen, at }));
    const paid = await store.setOrder(tx, order, { state: 'completed', paid_at: at });
    await kindOf(kind).paid(tx, paid);
    return paid;
  }

  async function applyTo(tx: Tx, order: Order, event: PaymentEvent): Promise<Outcome> {
    const { fen } = event;
    const at = clock.now();
    if (event.type === 'disputed') {
      const { refundNo: refund_no, reason } = event;
      await noteException(tx, order, { kind: 'dispute', fen, refund_no, reason, at });
      return 'applied';
    }
    if (event.differs) {
      await noteException(tx, order, { ...event.differs, fen, at });
      return event.differs.kind;
    }
    const isPaid = order.state === 'completed' || order.state === 'refunded';
    if (event.type === 'refunded') return isPaid ? refunds.apply(tx, order, event) : 'early';
    if (fen !== order.fen) {
      await noteException(tx, order, { kind: 'amount_differs', fen, ours: yuan(order.fen), theirs: yuan(fen), at });
      return 'amount_differs';
    }
    if (isPaid) return 'repeated';
    await complete(tx, order);
    return 'applied';
  }

  function applyAlone(provider: string, event: PaymentEvent): Promise<Outcome> {
    return database.withSystem(async (tx) => {
      const order = await store.findOrder(tx, null, event.orderNo, 'lock');
      if (order?.method !== provider) return 'unknown_order';
      if (await store.isKnownEvent(tx, order, provider, event.id)) return 'repeated';
      const outcome = await applyTo(tx, order, event);
      // not recorded: its repetition is applied
      if (outcome === 'early') return outcome;
      const { id: event_id, type, fen } = event;
      await store.insertEvent(tx, order, { provider, event_id, type, fen, outcome, at: clock.now() });
      return outcome;
    });
  }

  /** Completes unpaid orders in one transaction; `false` for other events, and for all if one fails. */
  function completeTogether(received: readonly Received[]): Promise<boolean[]> {
    return database.withSystem(async (tx) => {
      const unpaid = await lockUnpaid(
        tx,
        received.map(({ event }) => event.orderNo),
      );
      const at = clock.now();
      const payments = received.flatMap((one) => {
        const { type, orderNo, fen } = one.event;
        const order = unpaid.get(orderNo);
        if (type !== 'paid' || one.event.differs || order?.method !== one.provider || order.fen !== fen) return [];
        unpaid.delete(orderNo);
        return [{ ...one, order, booking: bookingOf(order, at) }];
      });
      if (payments.length > 0)
        for (const paid of await bookTogether(tx, payments, at)) await kindOf(paid.kind).paid(tx, paid);
      const done = new Set(payments.map(({ event }) => event));
      return received.map(({ event }) => done.has(event));
    });
  }

  /** Webhooks that arrive during a commit share the next. */
  const completed = createBatcher<Received, boolean>(
    (received) =>
      completeTogether(received).catch((error: Error) => {
        log.warn({ events: received.length, reason: error.message }, 'payments are applied one by one');
        return received.map(() => false);
      }),
    { max: 100 },
  );

  return {
    kinds: {
      add(kind: OrderKind): void {
        if (kinds.has(kind.kind)) throw new Error(`${kind.kind} is a kind of order already`);
        kinds.set(kind.kind, kind);
      },
      of: kindOf,
    },
    onRefund: refunds.follow,
    providers,

    async offered(): Promise<PaymentProvider[]> {
      const known = await Promise.all(
        providers.map(async (provider) => ((await provider.enabled()) ? [provider] : [])),
      );
      return known.flat();
    },

    /**
     * Returns the existing order of a key. Completes an order by balance.
     * @throws Failure balanceInsufficient, changedMeanwhile for the key of another order; Invalid for a provider that is not offered
     */
    async create(
      tx: Tx,
      asked: NewOrder,
    ): Promise<{ order_no: string; pay_url: string | null; state: Order['state'] }> {
      const kind = kindOf(asked.kind);
      const provider = providerOf(asked.method);
      if (!provider && asked.method !== 'balance' && asked.method !== 'manual')
        throw new Error(`no payment method is called ${asked.method}`);
      if (provider && !(await provider.enabled())) invalid('method', 'billing.method_unknown');
      if (asked.method === 'balance' && (asked.payer === 'guest' || kind.ledger === 'recharged'))
        throw new Error('the balance pays for goods of the account only');
      const created_at = clock.now();
      const lasts = asked.method === 'manual' ? openMs.manual : (provider?.openMs ?? openMs.provider);
      const expires_at = new Date(created_at.getTime() + lasts);
      const inserted = await store.insertOrder(tx, {
        ...asked,
        currency: provider?.currency ?? 'CNY',
        order_no: newOrderNo(created_at),
        created_at,
        expires_at,
      });
      let order = inserted ?? (await store.orderByKey(tx, asked.accountId, asked.key));
      if (order.kind !== asked.kind || order.fen !== asked.fen || order.method !== asked.method)
        throw new Failure('changedMeanwhile', { params: { kind: 'key' } });
      if (inserted && asked.method === 'balance') order = await complete(tx, order);
      const open = order.state === 'incomplete' && provider;
      return { order_no: order.orderNo, pay_url: open ? links.of(order) : null, state: order.state };
    },

    /** @throws Failure orderUnknown */
    async get(tx: Tx, accountId: string, orderNo: string, lock: 'lock' | 'read' = 'read'): Promise<Order> {
      const order = await store.findOrder(tx, accountId, orderNo, lock);
      if (!order) throw new Failure('orderUnknown');
      return order;
    },

    list: store.listOrders,
    refundable,
    requireRefundable,

    /** Applies a verified event in one transaction: event, order, goods, journal. */
    apply: async (provider: string, event: PaymentEvent): Promise<Outcome> =>
      event.type === 'paid' && (await completed({ provider, event })) ? 'applied' : applyAlone(provider, event),

    /** Marks a manual order as paid. @throws Failure orderUnknown, changedMeanwhile */
    async settle(tx: Tx, accountId: string, orderNo: string): Promise<Order> {
      const order = await store.findOrder(tx, accountId, orderNo, 'lock');
      return complete(tx, requireOpen(order));
    },

    /**
     * Refuses a manual order and frees its key.
     * @throws Failure orderUnknown, changedMeanwhile
     */
    async refuse(tx: Tx, accountId: string, orderNo: string): Promise<void> {
      const order = requireOpen(await store.findOrder(tx, accountId, orderNo, 'lock'));
      await store.setOrder(tx, order, { state: 'refused', key: `refused:${orderNo}` });
    },

    /**
     * Refunds to where the money came from.
     * @throws Failure orderUnknown, changedMeanwhile beyond what was paid, balanceInsufficient
     */
    async refund(
      tx: Tx,
      {
        accountId,
        orderNo,
        fen,
        reason,
        by,
        used = false,
        key = null,
      }: { accountId: string; orderNo: string; fen: number; used?: boolean; key?: string | null } & Record<
        'reason' | 'by',
        string
      >,
    ): Promise<Order> {
      const order = await store.findOrder(tx, accountId, orderNo, 'lock');
      if (!order) throw new Failure('orderUnknown');
      if (fen > (await refundable(tx, order, true))) throw new Failure('changedMeanwhile');
      return refunds.refund(tx, order, { fen, reason, by, used, key });
    },

    payBack: refunds.payBack,
    askAboutRefunds: refunds.askProviders,

    expire: () => database.withSystem((tx) => store.expireOrders(tx, clock.now())),
  };
}

export type Orders = ReturnType<typeof createOrders>;

/** @throws Failure orderUnknown unless manual, changedMeanwhile if paid or refused */
function requireOpen(order: Order | null): Order {
  if (order?.method !== 'manual') throw new Failure('orderUnknown');
  if (order.state !== 'incomplete' && order.state !== 'expired') throw new Failure('changedMeanwhile');
  return order;
}

/** Adds twelve random digits to the date, against guesses. */
function newOrderNo(at: Date): string {
  const digits = () => String(randomInt(0, 1_000_000)).padStart(6, '0');
  return `${at.toISOString().slice(2, 10).replaceAll('-', '')}${digits()}${digits()}`;
}
