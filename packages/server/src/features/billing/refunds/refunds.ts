import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import type { Log } from '../../../platform/log.ts';
import { movementOf, noteMovements } from '../clearing/movements.ts';
import type { Order, OrderKind } from '../orders/order-kind.ts';
import { findOrder, setOrder } from '../orders/order-store.ts';
import type { PaymentProvider, RefundEvent, RefundProgress } from '../orders/payment-provider.ts';
import { type Entry, lockMoney, post, yuan } from '../service.ts';
import { noteException } from './exceptions.ts';
import { refundEntries, reversedEntries } from './refund-entries.ts';
import { changeRefund, insertRefund, openRefunds, type RefundRow, refundsOf } from './refund-store.ts';

export const refundTask = 'billing-refund';

export interface RefundFollower {
  refunded(tx: Tx, order: Order, fen: number): Promise<void>;
  failed(tx: Tx, order: Order, fen: number): Promise<void>;
}

interface RefundDeps {
  database: Database;
  clock: Clock;
  log: Log;
  kindOf(kind: string): OrderKind;
  providerOf(method: string): PaymentProvider | undefined;
}

interface NewRefund {
  refundNo: string;
  fen: number;
  reason: string;
  by: string;
  used: boolean;
  key: string | null;
  /** Known of a refund that was made elsewhere, whose money has moved: ledgers may become negative. */
  elsewhere: (RefundProgress & { disputed?: boolean }) | null;
}

interface RefundBooking {
  key: string;
  kind: 'refund' | 'refund_failed';
  refundNo: string;
  fen: number;
  entries: Entry[];
  disputed?: boolean;
}

/** Milliseconds: between question and refund, frequent questions, all questions. */
const [askAfterMs, oftenMs, askMs] = [60_000, 3_600_000, 30 * 86_400_000];
const hourlyMinutes = 2;
const asksAtOnce = 500;

const refundKey = (order: Order, refundNo: string, failures: number) =>
  `refund:${order.orderNo}:${refundNo}${failures > 0 ? `:${failures}` : ''}`;
const failureKey = (order: Order, refundNo: string, failures: number) =>
  `refund_failed:${order.orderNo}:${refundNo}:${failures}`;

export function bookingKeys(order: Order, refunds: readonly RefundRow[]): string[] {
  return refunds.flatMap(({ refund_no: no, failures }) => [
    refundKey(order, no, 0),
    ...Array.from({ length: failures }, (_none, at) => [
      failureKey(order, no, at),
      refundKey(order, no, at + 1),
    ]).flat(),
  ]);
}

export function createRefunds({ database, clock, log, kindOf, providerOf }: RefundDeps) {
  const followers: RefundFollower[] = [];

  async function move(
    tx: Tx,
    order: Order,
    { key, kind, fen, entries, refundNo: refund_no, disputed = false }: RefundBooking,
  ) {
    const { accountId, gwid, currency } = order;
    const at = clock.now();
    await post(tx, { accountId, key, kind, at, gwid, currency, entries });
    await noteMovements(tx, movementOf(order, { key, kind: disputed ? 'dispute' : kind, refund_no, fen, at }));
    const refunded_fen = order.refundedFen - fen;
    return setOrder(tx, order, { refunded_fen, state: refunded_fen === order.fen ? 'refunded' : 'completed' });
  }

  /** Takes the money and the goods; the order is locked. @throws Failure balanceInsufficient unless made elsewhere */
  async function book(tx: Tx, order: Order, refund: NewRefund): Promise<Order> {
    const at = clock.now();
    const { refundNo: refund_no, fen, reason, by, used, key, elsewhere } = refund;
    await lockMoney(tx, order.accountId);
    const entries = await refundEntries(tx, order, kindOf(order.kind), fen, elsewhere !== null);
    const state = elsewhere ? elsewhere.state : providerOf(order.method) ? 'asked' : 'arrived';
    const confirmed_at = state === 'arrived' ? at : null;
    await insertRefund(tx, order, { refund_no, fen, reason, by, at, key, state, confirmed_at });
    const changed = await move(tx, order, {
      key: refundKey(order, refund_no, 0),
      kind: 'refund',
      refundNo: refund_no,
      fen: -fen,
      entries,
      disputed: elsewhere?.disputed ?? false,
    });
    await took(tx, changed, fen, used);
    return changed;
  }

  async function took(tx: Tx, order: Order, fen: number, used: boolean): Promise<void> {
    await kindOf(order.kind).refunded?.(tx, order, fen, used);
    for (const { refunded } of followers) await refunded(tx, order, fen);
  }

  /** @param expected a dispute that was won is no failure */
  async function fail(tx: Tx, order: Order, row: RefundRow, reason: string, expected: boolean): Promise<void> {
    const at = clock.now();
    const { refund_no, fen, failures } = row;
    await lockMoney(tx, order.accountId);
    await changeRefund(tx, row, { state: 'failed', failure: reason, failed_at: at, failures: failures + 1 });
    const entries = await reversedEntries(tx, order.accountId, refundKey(order, refund_no, failures));
    const key = failureKey(order, refund_no, failures);
    const changed = await move(tx, order, {
      key,
      kind: 'refund_failed',
      refundNo: refund_no,
      fen,
      entries,
      disputed: expected,
    });
    await kindOf(order.kind).refundFailed?.(tx, changed, fen);
    for (const { failed } of followers) await failed(tx, changed, fen);
    if (!expected) await noteException(tx, order, { kind: 'refund_failed', fen, refund_no, reason, at });
  }

  async function bookAgain(tx: Tx, order: Order, row: RefundRow): Promise<boolean> {
    const at = clock.now();
    const { refund_no, fen, failures } = row;
    if (fen > order.fen - order.refundedFen) {
      await noteException(tx, order, { kind: 'refund_elsewhere', fen, refund_no, at });
      return false;
    }
    await lockMoney(tx, order.accountId);
    await changeRefund(tx, row, { state: 'arrived', confirmed_at: at });
    const entries = await refundEntries(tx, order, kindOf(order.kind), fen, true);
    const key = refundKey(order, refund_no, failures);
    const changed = await move(tx, order, { key, kind: 'refund', refundNo: refund_no, fen: -fen, entries });
    await took(tx, changed, fen, true);
    return true;
  }

  /** Moves a refund of a locked order on; a repetition, or an earlier state, changes nothing. */
  async function advance(
    tx: Tx,
    order: Order,
    row: RefundRow,
    { state, reason, disputed = false }: RefundProgress & { disputed?: boolean },
  ): Promise<boolean> {
    if (row.state === state || (state === 'accepted' && row.state !== 'asked')) return false;
    if (state === 'failed') await fail(tx, order, row, reason, disputed);
    else if (row.state === 'failed') return bookAgain(tx, order, row);
    else await changeRefund(tx, row, state === 'arrived' ? { state, confirmed_at: clock.now() } : { state });
    return true;
  }

  async function settle(order: Order, refundNo: string, progress: RefundProgress): Promise<void> {
    await database.withSystem(async (tx) => {
      const locked = await findOrder(tx, order.accountId, order.orderNo, 'lock');
      const row = locked && (await refundsOf(tx, locked)).find(({ refund_no }) => refund_no === refundNo);
      if (locked && row) await advance(tx, locked, row, progress);
    });
  }

  async function askAgain(row: RefundRow): Promise<void> {
    const { account_id: accountId, order_no: orderNo, refund_no: refundNo, fen } = row;
    const order = await database.withSystem((tx) => findOrder(tx, accountId, orderNo));
    const provider = order && providerOf(order.method);
    if (!provider) return;
    const ask = row.state === 'asked' ? provider.refund : provider.refundProgress;
    try {
      await settle(order, refundNo, await ask(order, refundNo, fen));
    } catch (error) {
      const { message: reason } = error as Error;
      log.warn({ provider: provider.name, order: orderNo, refund: refundNo, reason }, 'the provider was not reached');
    }
  }

  return {
    follow: (follower: RefundFollower) => void followers.push(follower),

    /** Books a refund of a locked order, and asks its provider after the commit. @throws Failure balanceInsufficient */
    async refund(tx: Tx, order: Order, asked: Omit<NewRefund, 'refundNo' | 'elsewhere'>): Promise<Order> {
      const refundNo = `${order.orderNo}-r${(await refundsOf(tx, order)).length}`;
      const changed = await book(tx, order, { ...asked, refundNo, elsewhere: null });
      const { accountId, orderNo } = order;
      if (providerOf(order.method)) await enqueue(tx, refundTask, { accountId, orderNo, refundNo });
      return changed;
    },

    async apply(tx: Tx, order: Order, event: RefundEvent): Promise<'applied' | 'repeated' | 'amount_differs'> {
      const { refundNo, fen, state, reason, disputed = false } = event;
      const known = (await refundsOf(tx, order)).find(({ refund_no }) => refund_no === refundNo);
      if (known && known.fen === fen) return (await advance(tx, order, known, event)) ? 'applied' : 'repeated';
      const at = clock.now();
      if (known || fen <= 0 || fen > order.fen - order.refundedFen) {
        const ours = yuan(known?.fen ?? order.fen - order.refundedFen);
        await noteException(tx, order, {
          kind: 'amount_differs',
          fen,
          refund_no: refundNo,
          ours,
          theirs: yuan(fen),
          at,
        });
        return 'amount_differs';
      }
      if (state === 'failed') return 'repeated';
      await book(tx, order, { refundNo, fen, reason: '', by: order.method, used: true, key: null, elsewhere: event });
      if (!disputed) await noteException(tx, order, { kind: 'refund_elsewhere', fen, refund_no: refundNo, reason, at });
      return 'applied';
    },

    /** Asks the provider for a refund that is booked. @throws Error if it does not decide */
    async payBack({ accountId, orderNo, refundNo }: Record<'accountId' | 'orderNo' | 'refundNo', string>) {
      const found = await database.withSystem(async (tx) => {
        const order = await findOrder(tx, accountId, orderNo);
        const row = order && (await refundsOf(tx, order)).find(({ refund_no }) => refund_no === refundNo);
        return order && row?.state === 'asked' ? { order, fen: row.fen } : null;
      });
      const provider = found && providerOf(found.order.method);
      if (!provider) return;
      await settle(found.order, refundNo, await provider.refund(found.order, refundNo, found.fen));
    },

    /** Asks providers about refunds on their way: notices get lost, and some never come. */
    async askProviders(): Promise<void> {
      const now = clock.now();
      const ago = (ms: number) => new Date(now.getTime() - ms);
      const from = ago(now.getUTCMinutes() < hourlyMinutes ? askMs : oftenMs);
      const rows = await database.withSystem((tx) => openRefunds(tx, from, ago(askAfterMs), asksAtOnce));
      for (const row of rows) await askAgain(row);
    },
  };
}

export type Refunds = ReturnType<typeof createRefunds>;
