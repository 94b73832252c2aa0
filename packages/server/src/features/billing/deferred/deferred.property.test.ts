import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { type Acting, bySystem } from '../../../platform/acting.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { createDecisions } from '../decisions/index.ts';
import { createCards } from '../goods/cards.ts';
import { findEntitlement } from '../goods/entitlements.ts';
import { createGoods, startEntitlement } from '../goods/index.ts';
import { createPackages } from '../goods/packages.ts';
import { createOrders } from '../orders/orders.ts';
import type { PaymentProvider } from '../orders/payment-provider.ts';
import { createDeferredTask } from './daily.ts';
import { Recount } from './testing/recount.ts';

const masterKey = Buffer.alloc(32, 7);
const [hour, day] = [3_600_000, 86_400_000];
const zones = ['Asia/Shanghai', 'America/New_York'] as const;
const base = { bytes: 0, devices: 1, up_kbps: 0, down_kbps: 0, gwids: null };
/** Long by its minutes or by its days, and short. */
const packages = [
  { ...base, minutes: 60 * 24 * 60, valid_days: 180 },
  { ...base, minutes: 0, valid_days: 92 },
  { ...base, minutes: 120, valid_days: 90 },
] as const;
const short = 2;
const face = 3333;
const paid: PaymentProvider = {
  name: 'paid',
  sandbox: true,
  currency: 'CNY',
  accepted: '',
  enabled: async () => true,
  create: async () => ({ url: '' }),
  hosts: [],
  verify: async () => null,
  query: async () => ({ paidFen: 0 }),
  refund: async () => ({ state: 'accepted', reason: '' }),
  refundProgress: async () => ({ state: 'accepted', reason: '' }),
  statement: { hoursEast: 8, read: async () => [] },
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function openShop(zone: string, start: Date) {
  const clock = new ManualClock(start);
  const now = { zone };
  const [accountId, gwid] = [newId(), newId()];
  const query = async <T extends object>(text: string, ...values: unknown[]) =>
    (await db.database.systemPool.query<T>(text, [accountId, ...values])).rows;
  await query(
    "insert into account (account_id, name, binding_code, time_zone) values ($1, 'one', $2, $3)",
    accountId.slice(0, 13),
    zone,
  );
  await query(
    `insert into billing_deferred_setting (account_id, since, booked_day, version)
     values ($1, $2, ($2::timestamptz at time zone $3)::date - 1, 1)`,
    start,
    zone,
  );
  const acting: Acting = bySystem(accountId);
  const within = <T>(work: (tx: Tx) => Promise<T>) => db.database.withSystem(work);
  const log = { warn: () => undefined, info: () => undefined } as never;
  const decisions = createDecisions({ database: db.database, clock, messages: { post: async () => undefined } });
  const orders = createOrders({
    database: db.database,
    clock,
    log,
    providers: [paid],
    links: { of: () => '' } as never,
  });
  createGoods({
    clock,
    masterKey,
    orders,
    decisions: { ...decisions, on: () => undefined },
    accountCoupons: {} as never,
  });
  const cards = createCards({ clock, masterKey, decisions });
  const ids = await Promise.all(
    packages.map((terms, at) =>
      within((tx) =>
        createPackages({ clock }).create(tx, acting, { name: `P${at}`, price: '1', ...terms, enabled: true }),
      ),
    ),
  );
  const batches = await Promise.all(
    ids.map(({ id: package_id }, at) =>
      within((tx) =>
        cards.generate(tx, acting, { name: `C${at}`, package_id, face: '33.33', count: 4, prefix: '', valid_days: 45 }),
      ),
    ),
  );
  const book = createDeferredTask({ database: db.database, clock, log });
  const ledger = async (name: string) =>
    Number(
      (
        await query<{ fen: string }>(
          'select coalesce(sum(fen), 0) as fen from ledger_entry where account_id = $1 and ledger = $2',
          name,
        )
      )[0]!.fen,
    );
  const moveTo = async (other: string) => {
    now.zone = other;
    await query('update account set time_zone = $2 where account_id = $1', other);
  };
  return {
    zone: () => now.zone,
    moveTo,
    clock,
    accountId,
    gwid,
    query,
    acting,
    within,
    orders,
    cards,
    batches,
    book,
    ledger,
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

class Guests {
  readonly bought: { orderNo: string; id: string }[] = [];
  readonly openRefunds: { orderNo: string; id: string; refundNo: string; fen: number; at: Date }[] = [];

  constructor(
    private readonly shop: Shop,
    private readonly recount: Recount,
  ) {}

  async buy(n: number, fen: number): Promise<void> {
    const { within, orders, accountId, gwid, clock } = this.shop;
    const terms = packages[n % packages.length]!;
    const id = newId();
    const order_no = await within(async (tx) => {
      const subject = { id, package_id: newId(), name: 'P', terms, device: id };
      const payer = 'guest' as const;
      const asked = {
        accountId,
        kind: 'portal_package',
        subject,
        fen,
        gwid,
        payer,
        method: 'paid',
        key: id,
        returnUrl: null,
      };
      return (await orders.create(tx, asked)).order_no;
    });
    expect(await orders.apply('paid', { id, type: 'paid', orderNo: order_no, fen })).toBe('applied');
    this.bought.push({ orderNo: order_no, id });
    if (n % packages.length === short) return;
    const endsAt = new Date(clock.now().getTime() + terms.valid_days * day);
    this.recount.add(id, { fen, at: clock.now(), isCard: false, isLong: true, endsAt });
  }

  async sell(n: number): Promise<void> {
    const { within, cards, acting, batches, clock, query } = this.shop;
    const of = n % batches.length;
    const unsold = await query<{ id: string; valid_until: Date }>(
      `select c.id, b.valid_until from billing_card c join billing_card_batch b on b.id = c.batch_id
       where c.account_id = $1 and c.batch_id = $2 and c.sold_at is null order by c.id`,
      batches[of]!.id,
    );
    const [card] = unsold;
    if (!card || card.valid_until <= clock.now()) return;
    await within((tx) => cards.sell(tx, acting, { batch_id: batches[of]!.id, count: 1, unsold: unsold.length }));
    this.recount.add(card.id, {
      fen: face,
      at: clock.now(),
      isCard: true,
      isLong: of !== short,
      endsAt: card.valid_until,
    });
  }

  async redeem(n: number): Promise<void> {
    const { within, cards, batches, accountId, gwid, clock, query } = this.shop;
    const of = n % batches.length;
    const code = batches[of]!.codes[n % batches[of]!.codes.length]!;
    const now = clock.now();
    const unused = await query<{ id: string }>(
      'select id from billing_card where account_id = $1 and batch_id = $2 and tail = $3 and used_at is null',
      batches[of]!.id,
      code.slice(-4),
    );
    const done = await within((tx) => cards.redeem(tx, { accountId, gwid, code, now }));
    if ('refused' in done || !unused[0]) return;
    const { id } = unused[0];
    const sold = { fen: face, at: now, isCard: true, isLong: of !== short, endsAt: now };
    const item = this.recount.sold.get(id) ?? this.recount.add(id, sold);
    item.usedAt = now;
    item.endsAt = new Date(now.getTime() + packages[of]!.valid_days * day);
  }

  async start(n: number): Promise<void> {
    const { within, accountId, clock } = this.shop;
    const ids = [...this.recount.sold.keys()];
    const id = ids[n % Math.max(1, ids.length)];
    if (!id) return;
    const item = this.recount.sold.get(id)!;
    const now = clock.now();
    const entitlement = await within((tx) => findEntitlement(tx, accountId, item.isCard ? 'card' : 'order', id));
    if (!entitlement || entitlement.started_at || entitlement.refunded_at || entitlement.ends_at <= now) return;
    const { minutes } = entitlement.terms;
    await within((tx) => startEntitlement(tx, accountId, entitlement.id, now));
    item.startedAt = now;
    if (minutes > 0) item.endsAt = new Date(Math.min(item.endsAt.getTime(), now.getTime() + minutes * 60_000));
  }

  private async close(id: string): Promise<void> {
    const item = this.recount.sold.get(id);
    const { within, accountId } = this.shop;
    const entitlement = await within((tx) => findEntitlement(tx, accountId, 'order', id));
    if (item) item.closedAt = entitlement!.refunded_at;
  }

  async refundOrder(n: number, share: number, used: boolean): Promise<void> {
    const { within, orders, accountId, clock, query } = this.shop;
    const one = this.bought[n % Math.max(1, this.bought.length)];
    if (!one) return;
    const { orderNo, id } = one;
    const order = await within((tx) => orders.get(tx, accountId, orderNo));
    const fen = Math.floor((await within((tx) => orders.refundable(tx, order, used))) * share);
    if (fen === 0) return;
    await within((tx) => orders.refund(tx, { accountId, orderNo, fen, reason: '', by: '', used }));
    const at = clock.now();
    this.recount.sold.get(id)?.refunds.push({ fen, at, failedAt: null });
    await this.close(id);
    const [refund] = await query<{ refund_no: string }>(
      "select refund_no from billing_refund where account_id = $1 and order_no = $2 order by split_part(refund_no, '-r', 2)::int desc",
      orderNo,
    );
    this.openRefunds.push({ orderNo, id, refundNo: refund!.refund_no, fen, at });
  }

  async failRefund(n: number): Promise<void> {
    const [refund] = this.openRefunds.splice(n % Math.max(1, this.openRefunds.length), 1);
    if (!refund) return;
    const { orderNo, id, refundNo, fen, at } = refund;
    const failed = {
      id: newId(),
      type: 'refunded' as const,
      orderNo,
      fen,
      refundNo,
      state: 'failed' as const,
      reason: 'closed',
    };
    expect(await this.shop.orders.apply('paid', failed)).toBe('applied');
    const row = this.recount.sold.get(id)?.refunds.find((one) => one.at === at);
    if (row) row.failedAt = this.shop.clock.now();
    await this.close(id);
  }

  async refundCard(n: number, used: boolean): Promise<void> {
    const { within, cards, acting, query, clock } = this.shop;
    const rows = await query<{ id: string }>(
      'select id from billing_card where account_id = $1 and sold_at is not null and refunded_at is null order by id',
    );
    const card = rows[n % Math.max(1, rows.length)];
    if (!card) return;
    const asked = { id: card.id, reason: 'Test', used };
    const done = await within((tx) => cards.refund(tx, acting, asked)).catch(() => null);
    if (done) this.recount.sold.get(card.id)!.closedAt = clock.now();
  }
}

const act = fc.oneof(
  fc.record({ kind: fc.constant('buy'), n: fc.nat(50), fen: fc.integer({ min: 1, max: 50_000 }) }),
  fc.record({ kind: fc.constantFrom('sell', 'redeem', 'start', 'fail'), n: fc.nat(50) }),
  fc.record({ kind: fc.constant('refund'), n: fc.nat(50), share: fc.constantFrom(0.3, 1), used: fc.boolean() }),
  fc.record({ kind: fc.constant('refund_card'), n: fc.nat(50), used: fc.boolean() }),
  fc.record({ kind: fc.constant('hours'), n: fc.integer({ min: 1, max: 40 * 24 }) }),
  fc.record({ kind: fc.constant('zone') }),
) as fc.Arbitrary<{ kind: string; n?: number; fen?: number; share?: number; used?: boolean }>;

it('owes what a recount of sales, uses and refunds says, whatever happens in which order', async () => {
  const sequences = fc.array(act, { minLength: 8, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.nat({ max: 365 * 24 }),
      sequences,
      async (zone, offset, sequence) => {
        const shop = await openShop(zone, new Date(Date.UTC(2026, 0, 1) + offset * hour));
        const { clock, book, ledger, query } = shop;
        const recount = new Recount(shop.zone);
        const guests = new Guests(shop, recount);
        const pass = async (ms: number) => {
          clock.advance(ms);
          await book();
          await book();
          expect(0 - (await ledger('deferred'))).toBe(recount.liability(clock.now()));
        };
        for (const { kind, n = 0, fen = 0, share = 1, used = false } of sequence) {
          if (kind === 'buy') await guests.buy(n, fen);
          else if (kind === 'sell') await guests.sell(n);
          else if (kind === 'redeem') await guests.redeem(n);
          else if (kind === 'start') await guests.start(n);
          else if (kind === 'refund') await guests.refundOrder(n, share, used);
          else if (kind === 'refund_card') await guests.refundCard(n, used);
          else if (kind === 'fail') await guests.failRefund(n);
          else if (kind === 'hours') await pass(n * hour);
          else {
            await shop.moveTo(zones.find((one) => one !== shop.zone())!);
            await pass(2 * day);
          }
        }
        await pass(2 * day);
        const [apart] = await query<{ lines: number; items: number }>(
          `select (select coalesce(sum(change_fen), 0)::int from billing_deferred_line where account_id = $1) as lines,
           (select coalesce(sum(liability_fen), 0)::int from billing_deferred where account_id = $1) as items`,
        );
        const left = recount.liability(clock.now());
        expect(apart).toEqual({ lines: left, items: left });
        await pass(230 * day);
        const rest = await query(
          `select gwid, ledger from ledger_entry where account_id = $1 and ledger in ('deferred', 'earned')
         group by 1, 2 having sum(fen) <> 0`,
        );
        expect(rest).toEqual([]);
      },
    ),
    runs(5, 60),
  );
});
