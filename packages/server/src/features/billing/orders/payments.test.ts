import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { createLog } from '../../../platform/log.ts';
import { ledgerSum } from '../service.ts';
import { createOrders, type Orders } from './orders.ts';
import { createPayLinks } from './pay-links.ts';
import { createReconciliation } from './reconcile.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { orderTables } from './tables.ts';

const start = new Date('2026-11-20T08:00:00Z');
let now = start;
const clock = { now: () => now } as Clock;

const log = createLog('silent');
let db: TestDatabase;
let sandbox: Sandbox;
let orders: Orders;
let delivered: Map<string, number>;
beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
  sandbox = createSandbox({ database, clock, masterKey: db.masterKey, enabled: async () => true, currency: 'CNY' });
  const links = createPayLinks({ masterKey: db.masterKey, publicUrl: 'http://localhost' });
  orders = createOrders({ database, clock, log, links, providers: [sandbox.provider] });
  orders.kinds.add({
    kind: 'goods',
    ledger: 'expense',
    title: () => ({ key: 'goods', params: {} }),
    paid: async (_tx, { orderNo }) => void delivered.set(orderNo, (delivered.get(orderNo) ?? 0) + 1),
  });
});
afterAll(() => db.drop());

async function newAccount(): Promise<string> {
  const accountId = newId();
  await db.database.systemPool.query("insert into account (account_id, name, binding_code) values ($1, 'a', $2)", [
    accountId,
    accountId,
  ]);
  return accountId;
}

const create = (accountId: string, fen: number, kind = 'goods') =>
  db.database.withSystem((tx) =>
    orders.create(tx, {
      accountId,
      kind,
      subject: {},
      fen,
      gwid: null,
      payer: 'guest',
      method: 'sandbox',
      returnUrl: null,
      key: newId(),
    }),
  );

async function deliver(event: Parameters<Sandbox['sign']>[0], forged = false) {
  const { headers, body } = sandbox.sign(event);
  const verified = await sandbox.provider.verify(
    headers,
    Buffer.from(forged ? body.replace(/"fen":\d+/, '"fen":1') : body),
  );
  return verified && verified !== 'ignored' ? orders.apply('sandbox', verified) : verified;
}

const step = fc.record({
  act: fc.constantFrom('pay', 'lose', 'repeat', 'forge', 'partial', 'expire', 'refund', 'refund_event', 'query'),
  order: fc.nat(2),
  fen: fc.integer({ min: 1, max: 400 }),
});

it('counts each payment once, whatever happens to webhooks, and keeps debits equal to credits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      now = start;
      delivered = new Map();
      const accountId = await newAccount();
      const made = [];
      for (const fen of [100, 250, 400]) made.push({ fen, no: (await create(accountId, fen)).order_no });
      const { askProviders } = createReconciliation({ database: db.database, clock, log, orders });
      const find = (no: string) => db.database.withSystem((tx) => orders.get(tx, accountId, no));
      const sent = new Map<string, Parameters<typeof deliver>[0]>();
      for (const { act, order, fen } of steps) {
        const { no, fen: price } = made[order]!;
        const paid = { id: newId(), type: 'paid' as const, orderNo: no, fen: price };
        now = new Date(now.getTime() + 60_000);
        if (act === 'pay' || act === 'lose') {
          await sandbox.pay(await find(no));
          sent.set(no, paid);
          if (act === 'pay') await deliver(paid);
        } else if (act === 'repeat' && sent.has(no)) await deliver(sent.get(no)!);
        else if (act === 'forge') expect(await deliver({ ...paid, fen: price + 7 }, true)).toBeNull();
        else if (act === 'partial') await deliver({ ...paid, fen: price - 1 });
        else if (act === 'expire') {
          now = new Date(now.getTime() + 40 * 60_000);
          await orders.expire();
        } else if (act === 'refund')
          await db.database
            .withSystem((tx) => orders.refund(tx, { accountId, orderNo: no, fen, reason: 'r', by: 'p' }))
            .catch((error: Error) => expect(['changedMeanwhile', 'balanceInsufficient']).toContain(error.message));
        else if (act === 'refund_event')
          await deliver({
            ...paid,
            type: 'refunded',
            fen,
            refundNo: `theirs-${paid.id}`,
            state: 'arrived',
            reason: '',
          });
        else if (act === 'query') await askProviders();
      }
      // older orders are asked about once an hour
      now = new Date(Math.ceil((now.getTime() + 3 * 60_000) / 3_600_000) * 3_600_000);
      await askProviders();
      let expected = 0;
      for (const { no, fen } of made) {
        const { state, refundedFen } = await find(no);
        const isPaid = sent.has(no);
        expect(['completed', 'refunded'].includes(state)).toBe(isPaid);
        expect(delivered.get(no) ?? 0).toBe(isPaid ? 1 : 0);
        if (isPaid) expected += fen - refundedFen;
      }
      await db.database.withSystem(async (tx) => {
        expect(await ledgerSum(tx, accountId, 'balance')).toBe(expected);
        expect((await ledgerSum(tx, accountId, 'income')) + expected).toBe(0);
      });
    }),
    runs(10, 40),
  );
});

it('books one payment when the same webhook arrives many times at once', async () => {
  delivered = new Map();
  now = start;
  const accountId = await newAccount();
  const { order_no } = await create(accountId, 900);
  const event = { id: newId(), type: 'paid' as const, orderNo: order_no, fen: 900 };
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => deliver(event)));
  expect(outcomes.toSorted()).toEqual(['applied', ...Array.from({ length: 5 }, () => 'repeated')]);
  expect(delivered.get(order_no)).toBe(1);
});

it('logs a failed batch once', async () => {
  now = start;
  orders.kinds.add({
    kind: 'broken',
    ledger: 'expense',
    title: () => ({ key: 'broken', params: {} }),
    paid: async () => Promise.reject(new Error('not delivered')),
  });
  const warned = vi.spyOn(log, 'warn');
  const accountId = await newAccount();
  const { order_no } = await create(accountId, 100, 'broken');
  const paid = deliver({ id: newId(), type: 'paid', orderNo: order_no, fen: 100 });
  await expect(paid).rejects.toThrow('not delivered');
  expect(warned.mock.calls).toEqual([[{ events: 1, reason: 'not delivered' }, 'payments are applied one by one']]);
});

it('refuses an old signature', async () => {
  const event = { id: 'e', type: 'paid' as const, orderNo: '1', fen: 1 };
  const { headers, body } = sandbox.sign(event, new Date(now.getTime() - 6 * 60_000));
  expect(await sandbox.provider.verify(headers, Buffer.from(body))).toBeNull();
});

it('lists a payment that the provider has and the journal lacks', async () => {
  now = start;
  const accountId = await newAccount();
  const { order_no } = await create(accountId, 700);
  const order = await db.database.withSystem((tx) => orders.get(tx, accountId, order_no));
  await sandbox.pay(order);
  now = new Date(start.getTime() + 86_400_000);
  await createReconciliation({ database: db.database, clock, log, orders }).compareStatements();
  const found = await orderTables(db.database.system)
    .selectFrom('payment_difference')
    .select(['order_no', 'ours_fen', 'theirs_fen'])
    .where('account_id', '=', accountId)
    .execute();
  expect(found).toEqual([{ order_no, ours_fen: 0, theirs_fen: 700 }]);
});

it('sells to the account from its balance, and not beyond it, however many orders come at once', async () => {
  delivered = new Map();
  now = start;
  const accountId = await newAccount();
  const { order_no } = await create(accountId, 1000);
  await deliver({ id: newId(), type: 'paid', orderNo: order_no, fen: 1000 });
  const buy = () =>
    db.database.withSystem((tx) =>
      orders.create(tx, {
        accountId,
        kind: 'goods',
        subject: {},
        fen: 400,
        gwid: null,
        payer: 'account',
        method: 'balance',
        returnUrl: null,
        key: newId(),
      }),
    );
  const results = await Promise.allSettled(Array.from({ length: 4 }, buy));
  const bought = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(bought.map(({ state, pay_url }) => [state, pay_url])).toEqual([
    ['completed', null],
    ['completed', null],
  ]);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []));
  expect(refused).toEqual(['balanceInsufficient', 'balanceInsufficient']);
  // the rest is spent: no full refund
  const refund = db.database.withSystem((tx) =>
    orders.refund(tx, { accountId, orderNo: order_no, fen: 1000, reason: 'r', by: 'p' }),
  );
  await expect(refund).rejects.toThrow('balanceInsufficient');
});
