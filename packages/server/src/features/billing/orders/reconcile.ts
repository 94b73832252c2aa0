import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { installationSettings } from '../../installation/index.ts';
import { orderOf } from './order-store.ts';
import type { Orders } from './orders.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { orderTables } from './tables.ts';

/** Milliseconds: first question without a webhook, end of frequent ones, end of hourly ones. */
const [askAfterMs, oftenUntilMs, askUntilMs] = [2 * 60_000, 3_600_000, 3 * 86_400_000];
/** Minutes past the hour for older orders. */
const hourlyMinutes = 2;
const dayMs = 86_400_000;
/** Days for which providers keep statements; milliseconds after a day until its statement is there. */
const [keptDays, readyMs] = [90, 12 * 3_600_000];

interface ReconcileDeps {
  database: Database;
  clock: Clock;
  log: Log;
  orders: Orders;
}

export function createReconciliation({ database, clock, log, orders }: ReconcileDeps) {
  /** Asks providers, because webhooks get lost. */
  async function askProviders(): Promise<void> {
    const now = clock.now().getTime();
    const untilMs = clock.now().getUTCMinutes() < hourlyMinutes ? askUntilMs : oftenUntilMs;
    const rows = await orderTables(database.system)
      .selectFrom('billing_order')
      .selectAll()
      .where('state', 'in', ['incomplete', 'expired'])
      .where('created_at', '<=', new Date(now - askAfterMs))
      .where('created_at', '>', new Date(now - untilMs))
      .where('method', 'in', ['', ...orders.providers.map(({ name }) => name)])
      .orderBy('created_at')
      .limit(1000)
      .execute();
    for (const row of rows) {
      const order = orderOf(row);
      const provider = orders.providers.find(({ name }) => name === order.method)!;
      const found = await provider.query(order).catch((error: Error) => {
        log.warn(
          { provider: provider.name, order: order.orderNo, reason: error.message },
          'the provider was not reached',
        );
        return null;
      });
      if (!found || found.paidFen === 0) continue;
      const { paidFen, differs } = found;
      // one id for all queries: applied once
      const id = `query:${order.orderNo}`;
      await orders.apply(provider.name, { id, type: 'paid', orderNo: order.orderNo, fen: paidFen, differs });
    }
  }

  /**
   * Compares each day since the last one that was compared with its statement, and the last day anew.
   * @param missed only providers whose last day should have been compared by now
   * @throws Error if one could not be read; the others are compared
   */
  async function compareStatements(missed: 'missed' | 'all' = 'all'): Promise<void> {
    const unread: Error[] = [];
    for (const provider of orders.providers) {
      if (!(await provider.enabled())) continue;
      await compareSince(provider, missed === 'missed').catch((error: Error) => {
        log.warn({ provider: provider.name, reason: error.message }, 'no statement');
        unread.push(error);
      });
    }
    if (unread.length > 0) throw new AggregateError(unread, 'statements were not read');
  }

  async function compareSince(provider: PaymentProvider, onlyMissed: boolean): Promise<void> {
    const eastMs = provider.statement.hoursEast * 3_600_000;
    const today = Math.floor((clock.now().getTime() + eastMs) / dayMs);
    const key = `statement.${provider.name}`;
    const compared = await installationSettings.readSetting<number>(database.system, key);
    if (onlyMissed && (compared === undefined || compared >= today - 1 || !isDue(today, eastMs))) return;
    const first = Math.min(today - 1, Math.max((compared ?? today - 2) + 1, today - keptDays));
    for (let day = first; day < today; day += 1) {
      await compare(provider, new Date(day * dayMs - eastMs));
      await database.withSystem((tx) => installationSettings.writeSetting(tx, key, day));
    }
  }

  const isDue = (today: number, eastMs: number) => clock.now().getTime() >= today * dayMs - eastMs + readyMs;

  async function compare({ name: provider, statement }: PaymentProvider, from: Date): Promise<void> {
    const to = new Date(from.getTime() + dayMs);
    const day = new Date(from.getTime() + statement.hoursEast * 3_600_000).toISOString().slice(0, 10);
    const lines = await statement.read({ day, from, to });
    await database.withSystem(async (tx) => {
      const sums = new Map<string, { account_id: string; order_no: string; ours_fen: number; theirs_fen: number }>();
      const sumOf = (account_id: string, order_no: string) => {
        const sum = sums.get(order_no) ?? { account_id, order_no, ours_fen: 0, theirs_fen: 0 };
        sums.set(order_no, sum);
        return sum;
      };
      const known = await accountsOf(
        tx,
        lines.flatMap(({ accountId, orderNo }) => (accountId ? [] : [orderNo])),
      );
      for (const { accountId, orderNo, fen } of lines) {
        const account = accountId ?? known.get(orderNo);
        // other programs may take payments for the same merchant
        if (!account) continue;
        if (!Number.isSafeInteger(fen)) throw new Error(`the statement has no readable amount for order ${orderNo}`);
        sumOf(account, orderNo).theirs_fen += fen;
      }
      for (const { account_id, order_no, fen } of await bookedIn(
        tx,
        provider,
        statement.failures === 'on their day',
        from,
        to,
      ))
        sumOf(account_id, order_no).ours_fen += fen;
      const found = [...sums.values()].filter(({ ours_fen, theirs_fen }) => ours_fen !== theirs_fen);
      const differences = orderTables(tx);
      await differences
        .deleteFrom('payment_difference')
        .where('provider', '=', provider)
        .where('day', '=', sql<string>`${day}::date`)
        .execute();
      if (found.length > 0)
        await differences
          .insertInto('payment_difference')
          .values(found.map((sum) => ({ ...sum, provider, day })))
          .execute();
    });
  }

  return { askProviders, compareStatements };
}

async function accountsOf(tx: Tx, orderNos: readonly string[]): Promise<Map<string, string>> {
  const rows = await orderTables(tx)
    .selectFrom('billing_order')
    .select(['account_id', 'order_no'])
    .where(sql<boolean>`order_no = any(${[...orderNos]})`)
    .execute();
  return new Map(rows.map(({ account_id, order_no }) => [order_no, account_id]));
}

/** Returns by order; each was booked with its row. */
async function bookedIn(tx: Tx, provider: string, failuresToo: boolean, from: Date, to: Date) {
  const paid = await orderTables(tx)
    .selectFrom('billing_order')
    .select(['account_id', 'order_no', 'fen'])
    .where('method', '=', provider)
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .execute();
  const refunds = orderTables(tx)
    .selectFrom('billing_refund as r')
    .innerJoin('billing_order as o', (join) =>
      join.onRef('o.account_id', '=', 'r.account_id').onRef('o.order_no', '=', 'r.order_no'),
    )
    .select(['r.account_id', 'r.order_no', 'r.fen'])
    .where('o.method', '=', provider);
  const refunded = await refunds
    .where('r.at', '>=', from)
    .where('r.at', '<', to)
    // the statement of that day shows what failed later
    .where(({ or, eb }) => or([eb('r.state', '<>', 'failed'), eb('r.failed_at', '>=', to)]))
    .execute();
  const failed = failuresToo
    ? await refunds
        .where('r.state', '=', 'failed')
        .where('r.at', '<', from)
        .where('r.failed_at', '>=', from)
        .where('r.failed_at', '<', to)
        .execute()
    : [];
  return [...paid, ...failed, ...refunded.map((row) => ({ ...row, fen: -row.fen }))];
}
