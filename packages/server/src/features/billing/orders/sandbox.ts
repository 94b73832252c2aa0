import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Currency } from '../service.ts';
import type { Order } from './order-kind.ts';
import type { PaymentEvent, PaymentProvider } from './payment-provider.ts';
import { orderTables } from './tables.ts';

export const sandboxName = 'sandbox';
const signatureAgeMs = 5 * 60_000;
const signatureHeader = 'sandbox-signature';

export interface SandboxDeps {
  database: Database;
  clock: Clock;
  masterKey: Buffer;
  enabled(): Promise<boolean>;
  /** A demo books its payments in yuan. */
  currency: Currency;
}

const arrived = { state: 'arrived', reason: '' } as const;

const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Keeps its own books and sends signed webhooks, without real money. */
export function createSandbox({ database, clock, masterKey, enabled, currency }: SandboxDeps) {
  const secret = Buffer.from(hkdfSync('sha256', masterKey, '', 'payment sandbox', 32));
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

  async function move({ accountId, orderNo }: Order, movement: string, fen: number): Promise<void> {
    await orderTables(database.system)
      .insertInto('sandbox_movement')
      .values({ account_id: accountId, order_no: orderNo, movement, fen, at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Signs a webhook: `t=<ms>,v1=<HMAC-SHA256 of "t.body">`. */
  function sign(event: PaymentEvent, at = clock.now()): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(event);
    const t = String(at.getTime());
    return {
      headers: { 'content-type': 'application/json', [signatureHeader]: `t=${t},v1=${mac(`${t}.${body}`)}` },
      body,
    };
  }

  const provider: PaymentProvider = {
    name: sandboxName,
    sandbox: true,
    hosts: [],
    currency,
    accepted: '{}',
    enabled,
    // its page is our own
    create: () => Promise.reject(new Error('the sandbox has no other page')),
    async verify(headers, rawBody) {
      const [, t = '', v1 = ''] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(String(headers[signatureHeader] ?? '')) ?? [];
      if (!equal(v1, mac(`${t}.${rawBody}`))) return null;
      if (Math.abs(clock.now().getTime() - Number(t)) > signatureAgeMs || !(await enabled())) return null;
      return JSON.parse(String(rawBody)) as PaymentEvent;
    },
    async query({ accountId, orderNo }) {
      if (!(await enabled())) return { paidFen: 0 };
      const rows = await orderTables(database.system)
        .selectFrom('sandbox_movement')
        .select(['movement', 'fen'])
        .where('account_id', '=', accountId)
        .where('order_no', '=', orderNo)
        .execute();
      return { paidFen: rows.find(({ movement }) => movement === 'paid')?.fen ?? 0 };
    },
    async refund(order, refundNo, fen) {
      await move(order, refundNo, -fen);
      return arrived;
    },
    refundProgress: async () => arrived,
    statement: {
      hoursEast: 0,
      async read({ from, to }) {
        const rows = await orderTables(database.system)
          .selectFrom('sandbox_movement')
          .select(['account_id', 'order_no', sql<number>`sum(fen)::bigint`.as('fen')])
          .where('at', '>=', from)
          .where('at', '<', to)
          .groupBy(['account_id', 'order_no'])
          .execute();
        return rows.map(({ account_id: accountId, order_no: orderNo, fen }) => ({ accountId, orderNo, fen }));
      },
    },
  };

  return {
    provider,
    sign,
    /** Takes play money. @returns its webhook */
    async pay(order: Order) {
      await move(order, 'paid', order.fen);
      return sign({ id: randomUUID(), type: 'paid', orderNo: order.orderNo, fen: order.fen });
    },
  };
}

export type Sandbox = ReturnType<typeof createSandbox>;
