import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pollTimeoutMs } from '../../../../../tools/poll-timeout.ts';
import { requestOf, withdrawalPassword } from '../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { administrator } from '../installation/testing/administrator.ts';
import { contentWith, freeLimits, newClient, nextOf, openPage, sealedFas, submit } from '../portal/testing/guest.ts';
import { type PortalNetwork, portalNetwork } from '../portal/testing/portal-network.ts';
import { sellPackage, shopTemplates } from '../portal/testing/shop.ts';
import { createSandbox, type Sandbox } from './orders/sandbox.ts';
import { type StripeStand, startStripeStand, type Webhook } from './testing/stripe-stand.ts';

const clock = new ManualClock(new Date('2026-11-20T08:00:00Z'));
const [minute, hour] = [60_000, 3_600_000];
const faceFen = 850;

/** Of all sequences: meaningless without them. */
const seen = { payments: 0, refunds: 0, cards: 0, decisions: 0 };

let server: TestServer;
/** Of its own: kills end the server's connections. */
let database: pg.Client;
let stripe: StripeStand;
let sandbox: Sandbox;
beforeAll(async () => {
  stripe = await startStripeStand('whsec_1');
  server = await startTestServer({
    clock,
    portalTemplates: shopTemplates,
    paymentEndpoints: { stripe: stripe.url },
  });
  database = new pg.Client(server.db.owner);
  await database.connect();
  const { database: shared, masterKey } = server.db;
  sandbox = createSandbox({ database: shared, clock, masterKey, enabled: async () => true, currency: 'CNY' });
  const admin = await administrator(server);
  const setup = { provider: 'stripe', enabled: true, secret_key: 'sk_1', webhook_secret: 'whsec_1' };
  await server.call('/api/v3/install/payment/save', setup, admin);
  const rule = { min_amount: '0.01', fee_rate: 33, min_fee: '0.00', two_persons_above: null };
  await server.call('/api/v3/install/withdrawal/rule/save', rule, admin);
});
afterAll(async () => {
  await database.end();
  await server.stop();
  await stripe.stop();
});

const query = async <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
  (await database.query<T>(text, values)).rows;

async function killTransactions(): Promise<void> {
  const killed = await query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename in ('yunxun_app', 'yunxun_system') and xact_start is not null`,
    [],
  );
  const pids = killed.map(({ pid }) => pid);
  await expect.poll(() => query('select from pg_stat_activity where pid = any($1)', [pids])).toEqual([]);
  // pools have read of their ends before the next step takes a connection
  await setImmediate();
}

/** By the program's role: the tables do not belong to the database's owner. */
const askProviders = () => server.db.database.systemPool.query("select graphile_worker.add_job('billing-query')");

interface Sale {
  no: string;
  fen: number;
  method: string;
}

class Shop {
  readonly sales: Sale[] = [];
  readonly taken = new Set<string>();
  readonly sentRefunds = new Map<string, Sale & { refundNo: string }>();
  constructor(
    readonly owner: Registered,
    /** Signed in lately, as decisions about money need. */
    readonly admin: Registered,
    readonly lobby: PortalNetwork,
    readonly packageId: string,
    readonly codes: string[],
  ) {}

  static async open(): Promise<Shop> {
    const [owner, admin] = [await server.register(), await server.register()];
    await query('update person set administers = true where id = $1', [admin.userId]);
    const methods = [
      { kind: 'purchase' as const, ...freeLimits },
      { kind: 'recharge_card' as const, ...freeLimits },
    ];
    const shop = { gateway: 'opennds_3' as const, content: contentWith(methods) };
    const lobby = await portalNetwork(server, owner, shopTemplates, shop);
    const package_id = await sellPackage(server, owner);
    const batch = { name: 'Cards', package_id, face: '8.50', count: 3, prefix: '', valid_days: 90 };
    const { data } = await server.call<{ codes: string[] }>('/api/v3/recharge_card/generate', batch, owner);
    const password = { password: withdrawalPassword, confirm_password: withdrawalPassword };
    await server.call('/api/v3/security/withdrawal_password', password, owner);
    return new Shop(owner, admin, lobby, package_id, data.codes);
  }

  call = <T>(path: string, input: object, as: Registered = this.owner) => server.call<T>(`/api/v3/${path}`, input, as);

  arrive = () => openPage(`${this.lobby.base}/fas?${sealedFas(newClient(), this.lobby.secret)}`);

  async recharge(method: string, fen: number): Promise<void> {
    const input = { amount: (fen / 100).toFixed(2), method, key: randomUUID() };
    const { code, data } = await this.call<{ order_no: string }>('billing/recharge', input);
    if (code === 2000) this.sales.push({ no: data.order_no, fen, method });
  }

  async sellToGuest(method: string): Promise<void> {
    const page = await this.arrive();
    const bought = await submit(page, 'purchase', { package: this.packageId, pay: method, step: 'buy' });
    const no = /\/(\d{18})\?/.exec(nextOf(bought))?.[1];
    if (no) this.sales.push({ no, fen: 990, method });
  }

  async take({ no, fen, method }: Sale): Promise<void> {
    this.taken.add(no);
    if (method === 'stripe') stripe.paid.set(no, fen);
    else
      await query('insert into sandbox_movement values ($1, $2, $3, $4, $5) on conflict do nothing', [
        this.owner.accountId,
        no,
        'paid',
        fen,
        clock.now(),
      ]);
  }

  paid({ no, fen, method }: Sale, id = `evt_${no}`): Webhook {
    return method === 'stripe'
      ? stripe.webhook(stripe.paidEvent(no, fen, id), clock.now())
      : sandbox.sign({ id, type: 'paid', orderNo: no, fen });
  }

  refunded({ no, fen, method, refundNo }: Sale & { refundNo: string }): Webhook {
    return method === 'stripe'
      ? stripe.webhook(stripe.refundEvent(no, fen, refundNo), clock.now())
      : sandbox.sign({
          id: `evt_${refundNo}`,
          type: 'refunded',
          orderNo: no,
          fen,
          refundNo,
          state: 'arrived',
          reason: '',
        });
  }
}

const send = async (method: string, { headers, body }: Webhook): Promise<number> =>
  (await fetch(`${server.url}/pay/webhook/${method}`, { method: 'POST', headers, body })).status;

const step = fc.record({
  act: fc.constantFrom(
    'recharge',
    'guest',
    'pay',
    'pay',
    'pay',
    'pay',
    'lose',
    'repeat',
    'forge',
    'partial',
    'expire',
    'query',
    'refund',
    'refund',
    'refund_event',
    'card',
    'withdraw',
    'withdraw',
    'decide',
    'decide',
  ),
  nth: fc.nat(7),
  fen: fc.integer({ min: 1, max: 600 }),
  times: fc.integer({ min: 1, max: 3 }),
  kill: fc.nat(3).map((one) => one === 0),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function act(shop: Shop, { act: what, nth, fen, times }: Step): Promise<void> {
  const method = nth % 2 ? 'stripe' : 'sandbox';
  if (what === 'recharge') return shop.recharge(method, fen);
  if (what === 'guest') return shop.sellToGuest(method);
  if (what === 'expire') return clock.advance(31 * minute);
  if (what === 'query') return void (await askProviders());
  const often = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: times }, work));
  if (what === 'card') {
    const pages = await Promise.all(Array.from({ length: times }, () => shop.arrive()));
    await Promise.all(pages.map((page) => submit(page, 'recharge_card', { card: shop.codes[nth % 3]! })));
    return;
  }
  if (what === 'withdraw') {
    const request = requestOf((fen / 100).toFixed(2));
    await often(() => shop.call('billing/withdrawal/request', request));
    return;
  }
  if (what === 'decide') {
    const rows = await query<{ id: string }>('select id from withdrawal where account_id = $1 order by id', [
      shop.owner.accountId,
    ]);
    const decision = (['approve', 'pay', 'refuse'] as const)[nth % 3]!;
    const id = rows[fen % Math.max(1, rows.length)]?.id;
    const input = { id, ...{ approve: {}, pay: { receipt: 'R' }, refuse: { reason: 'no' } }[decision] };
    if (id) await often(() => shop.call(`install/withdrawal/${decision}`, input, shop.admin));
    return;
  }
  const sale = shop.sales[nth % shop.sales.length]!;
  if (what === 'forge') {
    const { headers, body } = shop.paid(sale, randomUUID());
    expect(await send(sale.method, { headers, body: body.replace(/\d+(?=[,}])/, '7777') })).toBe(401);
  } else if (what === 'partial') await send(sale.method, shop.paid({ ...sale, fen: sale.fen + 1 }, randomUUID()));
  else if (what === 'refund') {
    const input = { order_no: sale.no, amount: (fen / 100).toFixed(2), reason: 'asked', key: randomUUID() };
    await often(() => shop.call('billing/order/refund', input));
  } else if (what === 'refund_event') {
    const refund = { ...sale, fen, refundNo: `theirs-${sale.no}-${fen}` };
    shop.sentRefunds.set(refund.refundNo, refund);
    await often(() => send(sale.method, shop.refunded(refund)));
  } else if (what !== 'repeat' || shop.taken.has(sale.no)) {
    await shop.take(sale);
    if (what !== 'lose') await often(() => send(sale.method, shop.paid(sale)));
  }
}

it(
  'counts every payment once, whatever comes in which order and whatever dies with it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 28 }), async (steps) => {
        const shop = await Shop.open();
        await shop.recharge('stripe', 500);
        await shop.recharge('sandbox', 300);
        await shop.sellToGuest('stripe');
        for (const one of steps) {
          clock.advance(1000);
          // a killed call fails; what it leaves behind is compared below
          const running = act(shop, one).catch((error: Error) => {
            if (!one.kill || error.name === 'AssertionError') throw error;
          });
          for (let more = one.kill ? 3 : 0; more > 0; more--) await killTransactions();
          await running;
        }
        await settle(shop);
        await hold(shop);
      }),
      { numRuns: 30, endOnFailure: true },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  },
  10 * pollTimeoutMs,
);

async function settle(shop: Shop): Promise<void> {
  clock.advance(hour - ((clock.now().getTime() + 3 * minute) % hour) + 3 * minute);
  // a pool may still hold a connection that was killed
  await expect.poll(() => askProviders().then(Boolean, () => false)).toBe(true);
  await expect
    .poll(() =>
      query('select order_no from billing_order where account_id = $1 and paid_at is null and order_no = any($2)', [
        shop.owner.accountId,
        [...shop.taken],
      ]),
    )
    .toEqual([]);
  for (const refund of shop.sentRefunds.values())
    await expect.poll(() => send(refund.method, shop.refunded(refund))).toBe(shop.taken.has(refund.no) ? 200 : 409);
}

interface Row {
  order_no: string;
  fen: number;
  refunded_fen: number;
  booked: number;
  refunds: number;
  refund_rows: number;
  refund_bookings: number;
}

async function hold({ owner, taken, sentRefunds, call }: Shop): Promise<void> {
  const { accountId } = owner;
  const orders = await query<Row>(
    `select order_no, fen::int, refunded_fen::int,
       (select count(*)::int from ledger_transaction t where t.account_id = $1 and key = 'order:' || order_no) as booked,
       (select coalesce(sum(r.fen), 0)::int from billing_refund r where r.account_id = $1 and r.order_no = o.order_no) as refunds,
       (select count(*)::int from billing_refund r where r.account_id = $1 and r.order_no = o.order_no) as refund_rows,
       (select count(*)::int from ledger_transaction t
        where t.account_id = $1 and key like 'refund:' || order_no || ':%') as refund_bookings
     from billing_order o where account_id = $1`,
    [accountId],
  );
  let net = 0;
  for (const { order_no, fen, refunded_fen, booked, refunds, refund_rows, refund_bookings } of orders) {
    expect(booked).toBe(taken.has(order_no) ? 1 : 0);
    expect(refunds).toBe(refunded_fen);
    expect(refund_bookings).toBe(refund_rows);
    net += booked * fen - refunded_fen;
    seen.payments += booked;
    seen.refunds += refund_rows;
  }
  const [sums] = await query<{ unbalanced: number; drifted: number; cards: number; card_lines: number }>(
    `select (select coalesce(sum(fen), 0)::int from ledger_entry where account_id = $1) as unbalanced,
       (select count(*)::int from (select ledger, currency, sum(fen) as fen from ledger_entry where account_id = $1 group by 1, 2) j
        full join (select ledger, currency, sum(fen) as fen from ledger_total where account_id = $1 group by 1, 2) t
          using (ledger, currency) where j.fen is distinct from t.fen) as drifted,
       (select count(*)::int from billing_card where account_id = $1 and used_at is not null) as cards,
       (select count(*)::int from ledger_transaction where account_id = $1 and kind = 'recharge_card') as card_lines`,
    [accountId],
  );
  seen.cards += sums!.cards;
  expect(sums).toMatchObject({ unbalanced: 0, drifted: 0, card_lines: sums!.cards });
  const [withdrawn] = await query<{ paid: number; open: number; decided: number }>(
    `select count(*) filter (where state <> 'requested')::int as decided, coalesce(sum(fen) filter (where state = 'paid'), 0)::int as paid,
       coalesce(sum(fen) filter (where state in ('requested', 'approved')), 0)::int as open
     from withdrawal where account_id = $1`,
    [accountId],
  );
  seen.decisions += withdrawn!.decided;
  const ledgers = Object.fromEntries(
    (
      await query<{ ledger: string; fen: number }>(
        'select ledger, sum(fen)::int as fen from ledger_entry where account_id = $1 group by ledger',
        [accountId],
      )
    ).map(({ ledger, fen }) => [ledger, fen]),
  );
  const balance = net - withdrawn!.paid - withdrawn!.open;
  expect((ledgers.balance ?? 0) + (ledgers.recharged ?? 0)).toBe(balance);
  expect(ledgers.frozen ?? 0).toBe(withdrawn!.open);
  expect(ledgers.cash ?? 0).toBe(sums!.cards * faceFen);
  const shown = await call<{ balance: string }>('billing/balance', {});
  expect(shown.data.balance).toBe((balance / 100).toFixed(2));
  const month = clock.now().toISOString().slice(0, 7);
  const trial = await call<{ sums: { closing: string }[] }>('billing/books/trial_balance', { month });
  expect(trial.data.sums.every(({ closing }) => closing === '0.00')).toBe(true);
  const known = await query<{ refund_no: string }>('select refund_no from billing_refund where account_id = $1', [
    accountId,
  ]);
  for (const [refundNo, { no, fen }] of sentRefunds) {
    const order = orders.find(({ order_no }) => order_no === no)!;
    const isBooked = known.some(({ refund_no }) => refund_no === refundNo);
    // refused only for more than what is left
    if (!isBooked && taken.has(no)) expect(fen).toBeGreaterThan(order.fen - order.refunded_fen);
  }
  // the provider paid back what the journal says, and each refund once
  await expect
    .poll(async () => {
      const unsent = await query<{ refund_no: string; fen: number }>(
        `select refund_no, r.fen::int from billing_refund r join billing_order using (account_id, order_no)
         where account_id = $1 and method = 'stripe' and refund_no not like 'theirs-%'`,
        [accountId],
      );
      return unsent.filter(({ refund_no, fen }) => stripe.refunds.get(refund_no) !== fen);
    })
    .toEqual([]);
}
