import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pollTimeoutMs } from '../../../../../tools/poll-timeout.ts';
import { loginOf, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { administrator } from '../installation/testing/administrator.ts';
import { newClient, nextOf, openPage, sealedFas, submit } from '../portal/testing/guest.ts';
import type { PortalNetwork } from '../portal/testing/portal-network.ts';
import { sellPackage, shopNetwork, shopTemplates } from '../portal/testing/shop.ts';
import { type Movement, recountDays, recountMonth } from './testing/month-recount.ts';
import { settleAll } from './testing/month-settlement.ts';
import { type ProviderStand, startProviderStand, type Webhook } from './testing/provider-stand.ts';
import {
  createProviderWorld,
  type Fate,
  type Payment,
  type ProviderName,
  type Refund,
} from './testing/provider-world.ts';

/** The autumn change of New York is on 1 November. */
const clock = new ManualClock(new Date('2026-10-28T20:00:00Z'));
const [hourMs, dayMs] = [3_600_000, 86_400_000];
const end = Date.parse('2026-12-03T00:00:00Z');
/** On and beside the midnights of the zones, in UTC. */
const hours = [0, 4, 5, 15, 16, 18, 19];
const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu'];
const methods: readonly ProviderName[] = ['alipay', 'wechat', 'stripe'];
const months = ['2026-10', '2026-11', '2026-12'];
/** The console is down at the time of the comparison. */
const downOn = [10, 11, 12];
const packageFen = 990;
const providerCalls = [
  'GET /bill.zip',
  'GET /v1/balance_transactions',
  'GET /v1/payment_intents/',
  'GET /v1/payment_intents/search',
  'GET /v1/refunds',
  'GET /v3/bill/tradebill',
  'GET /v3/billdownload',
  'GET /v3/pay/transactions/out-trade-no/',
  'GET /v3/refund/domestic/refunds/',
  'POST /v1/refunds',
  'POST /v3/refund/domestic/refunds',
  'POST alipay.data.dataservice.bill.downloadurl.query',
  'POST alipay.trade.fastpay.refund.query',
  'POST alipay.trade.query',
  'POST alipay.trade.refund',
];

let seed = 20_261_130;
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const isLikely = (share: number) => random() < share;

interface Sale {
  payment: Payment;
  payer: Movement['payer'];
  shop: Shop;
  leftFen: number;
}
interface Shop {
  zone: string;
  owner: Registered;
  lobby: PortalNetwork;
  packageId: string;
  movements: Movement[];
  exceptions: Record<string, number>;
  balanceFen: number;
}

let stand: ProviderStand;
let server: TestServer;
let admin: Registered;
let world: ReturnType<typeof createProviderWorld>;
const shops: Shop[] = [];
const sales: Sale[] = [];
const late: (() => Promise<void>)[] = [];
const open = new Set<Refund>();
const won: Refund[] = [];
const seen = new Map<string, number>();

const fates: readonly Fate[] = ['arrives', 'arrives', 'later', 'fails', 'refused', 'undecided'];
/** Alipay's refunds do not fail once they are accepted. */
const fateOf = (refundNo: string): Fate => {
  const fate = oneOf(fates);
  const isAlipay = world.payments.get(refundNo.slice(0, 18))!.provider === 'alipay';
  return isAlipay && fate === 'fails' ? 'later' : fate;
};

beforeAll(async () => {
  stand = await startProviderStand(() => clock.now());
  world = createProviderWorld(stand, () => clock.now(), fateOf);
  server = await startTestServer({ clock, portalTemplates: shopTemplates, paymentEndpoints: stand.endpoints });
  admin = await administrator(server);
  for (const settings of Object.values(stand.settings))
    expect((await server.call('/api/v3/install/payment/save', settings, admin)).code).toBe(2000);
  for (const zone of zones) {
    const owner = await server.register();
    await server.call('/api/v3/account/update', { time_zone: zone }, owner);
    const lobby = await shopNetwork(server, owner);
    const packageId = await sellPackage(server, owner);
    shops.push({ zone, owner, lobby, packageId, movements: [], exceptions: {}, balanceFen: 0 });
  }
}, pollTimeoutMs);
afterAll(async () => {
  await server.stop();
  await stand.stop();
});

async function call<T>({ owner }: Shop, path: string, input: object = {}): Promise<T> {
  const answer = await server.call<T>(`/api/v3/billing/${path}`, input, owner);
  if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${JSON.stringify(answer.errors)}`);
  return answer.data;
}

async function tell(provider: string, { headers, body }: Webhook): Promise<void> {
  const answer = await fetch(`${server.url}/pay/webhook/${provider}`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

async function run(task: string): Promise<void> {
  await server.db.database.withSystem((tx) => enqueue(tx, task, {}));
  const waiting = 'select from graphile_worker.jobs where task_identifier = $1';
  await expect
    .poll(async () => (await server.db.database.systemPool.query(waiting, [task])).rowCount, { timeout: pollTimeoutMs })
    .toBe(0);
}

const yuanOf = (fen: number) => (fen / 100).toFixed(2);
const fenOf = (yuan: string) => Math.round(Number(yuan) * 100);
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

function note(sale: Sale, what: Movement['what'], fen: number): void {
  const { shop, payer } = sale;
  shop.movements.push({ at: clock.now(), what, payer, fen });
  const sign = what === 'refund' ? -1 : 1;
  shop.balanceFen += sign * fen;
  if (what === 'refund' || what === 'refund_failed') sale.leftFen += sign * fen;
  count(what);
}

function except(shop: Shop, kind: string): void {
  shop.exceptions[kind] = (shop.exceptions[kind] ?? 0) + 1;
  count(kind);
}

async function sell(shop: Shop): Promise<void> {
  const provider = oneOf(methods);
  const payer = isLikely(0.6) ? 'guest' : 'account';
  const fen = payer === 'guest' ? packageFen : 1 + Math.floor(random() * 20_000);
  const no =
    payer === 'guest'
      ? await sellToGuest(shop, provider)
      : (
          await call<{ order_no: string }>(shop, 'recharge', {
            amount: yuanOf(fen),
            method: provider,
            key: randomUUID(),
          })
        ).order_no;
  if (isLikely(0.1)) return;
  if (provider === 'stripe' && isLikely(0.1)) {
    await tell(provider, world.paidInYen({ provider, no, fen, at: clock.now() }));
    return except(shop, 'currency_differs');
  }
  if (isLikely(0.05)) {
    await tell(provider, world.paid({ provider, no, fen: fen + 1, at: clock.now() }));
    return except(shop, 'amount_differs');
  }
  const payment = world.pay(provider, no, fen);
  const sale: Sale = { payment, payer, shop, leftFen: fen };
  const hear = async () => {
    await tell(provider, world.paid(payment));
    note(sale, payer === 'guest' ? 'sale' : 'recharge', fen);
    sales.push(sale);
  };
  const way = random();
  if (way < 0.6) await hear();
  else if (way < 0.75) {
    await hear();
    await tell(provider, world.paid(payment));
    count('repeated');
  } else if (way < 0.9) late.push(hear);
  else
    late.push(async () => {
      // no notice comes: the console asks
      await run('billing-query');
      note(sale, payer === 'guest' ? 'sale' : 'recharge', fen);
      sales.push(sale);
      count('asked');
    });
}

async function sellToGuest({ lobby, packageId }: Shop, provider: ProviderName): Promise<string> {
  const page = await openPage(`${lobby.base}/fas?${sealedFas(newClient(), lobby.secret)}`);
  const bought = await submit(page, 'purchase', { package: packageId, pay: provider, step: 'buy' });
  return /\/(\d{18})\?/.exec(nextOf(bought))![1]!;
}

async function refundSome(shop: Shop): Promise<void> {
  const sale = sales.findLast((one) => one.shop === shop && one.leftFen > 0 && isLikely(0.5));
  if (!sale || shop.balanceFen < sale.leftFen) return;
  const fen = isLikely(0.4) ? sale.leftFen : 1 + Math.floor(random() * sale.leftFen);
  const { no, provider } = sale.payment;
  const how = random();
  if (how < 0.15) return refundElsewhere(sale, fen, provider === 'stripe' && isLikely(0.5) ? 'dispute' : 'elsewhere');
  const asked = { order_no: no, amount: yuanOf(fen), reason: 'Test', used: true, key: randomUUID() };
  await call(shop, 'order/refund', asked);
  note(sale, 'refund', fen);
  const { refunds } = await call<{ refunds: { state: string }[] }>(shop, 'order/get', { order_no: no });
  const refundNo = `${no}-r${refunds.length - 1}`;
  await expect
    .poll(
      async () => {
        const order = await call<{ refunds: { state: string }[] }>(shop, 'order/get', { order_no: no });
        const { state } = order.refunds.at(-1)!;
        return state !== 'asked' || world.refunds.get(refundNo)?.fate === 'undecided';
      },
      { timeout: pollTimeoutMs },
    )
    .toBe(true);
  const refund = world.refunds.get(refundNo);
  if (!refund) {
    note(sale, 'refund_failed', fen);
    except(shop, 'refund_failed');
  } else if (refund.state === 'open' && refund.fate !== 'undecided') open.add(refund);
}

async function refundElsewhere(sale: Sale, fen: number, kind: 'elsewhere' | 'dispute'): Promise<void> {
  const { payment, shop } = sale;
  const refund = world.refundElsewhere(payment, `theirs-${randomUUID()}`, fen, kind);
  if (kind === 'dispute') {
    const { data } = JSON.parse(world.refunded(refund).body) as { data: object };
    await tell('stripe', stand.stripe({ type: 'charge.dispute.created', data }));
    except(shop, 'dispute');
  }
  await tell(payment.provider, world.refunded(refund));
  note(sale, 'refund', fen);
  if (kind === 'dispute') won.push(refund);
  else except(shop, 'refund_elsewhere');
}

async function endRefunds(share: number): Promise<void> {
  for (const refund of open) {
    if (!isLikely(share)) continue;
    open.delete(refund);
    world.decide(refund, refund.fate === 'fails' ? 'failed' : 'arrived');
    if (isLikely(0.5) && refund.provider !== 'alipay') await tell(refund.provider, world.refunded(refund));
    else await run('billing-refunds');
    if (refund.state === 'arrived') continue;
    const sale = sales.find(({ payment }) => payment.no === refund.no)!;
    note(sale, 'refund_failed', refund.fen);
    except(sale.shop, 'refund_failed');
  }
  const dispute = isLikely(share / 4) ? won.shift() : undefined;
  if (!dispute) return;
  world.decide(dispute, 'failed');
  await tell('stripe', world.refunded(dispute));
  note(sales.find(({ payment }) => payment.no === dispute.no)!, 'refund_failed', dispute.fen);
}

async function deliver(): Promise<void> {
  for (const one of late.splice(0)) await one();
}

async function signIn(): Promise<void> {
  for (const { owner } of shops) owner.token = (await server.call('/api/v3/login', loginOf(owner))).token!;
}

async function liveAMonth(): Promise<void> {
  for (let at = clock.now().getTime() + hourMs; at < end; at += hourMs) {
    const hour = new Date(at).getUTCHours();
    if (!hours.includes(hour)) continue;
    clock.advance(at - clock.now().getTime());
    await signIn();
    await deliver();
    await endRefunds(0.3);
    for (const shop of shops) {
      if (isLikely(0.7)) await sell(shop);
      if (isLikely(0.4)) await refundSome(shop);
    }
    if (hour === 4 && !downOn.includes(new Date(at).getUTCDate())) await run('billing-reconciliation');
  }
  clock.advance(hourMs);
  await deliver();
  await endRefunds(1);
  for (let day = 0; day < 2; day += 1) {
    clock.advance(dayMs);
    await signIn();
    await run('billing-reconciliation');
  }
}

interface TrialLine {
  ledger: string;
  opening: string;
  debit: string;
  credit: string;
}

it(
  'keeps the books of three shops through a month of their providers, to the fen',
  async () => {
    await liveAMonth();
    for (const shop of shops) {
      const { balance } = await call<{ balance: string }>(shop, 'balance');
      expect(balance, shop.zone).toBe(yuanOf(shop.balanceFen));

      const { list: days } = await call<{ list: { key: string; income: string; refunds: string }[] }>(
        shop,
        'income/list',
        { group: 'day', days: 60, limit: 100 },
      );
      const counted = [...recountDays(shop)].map(([key, { income, refunds }]) => [key, income, refunds]);
      expect(days.map(({ key, income, refunds }) => [key, fenOf(income), fenOf(refunds)]).toSorted()).toEqual(
        counted.toSorted(),
      );

      for (const month of months) {
        const trial = await call<{ list: TrialLine[]; sums: { closing: string }[] }>(shop, 'books/trial_balance', {
          month,
        });
        const sumOf = (...ledgers: string[]) => {
          const sum = { opening: 0, debit: 0, credit: 0 };
          for (const line of trial.list.filter(({ ledger }) => ledgers.includes(ledger)))
            for (const side of ['opening', 'debit', 'credit'] as const) sum[side] += fenOf(line[side]);
          return sum;
        };
        expect(
          { money: sumOf('balance', 'recharged'), income: sumOf('income'), external: sumOf('external') },
          `${shop.zone} ${month}`,
        ).toEqual(recountMonth(shop, month));
        expect(trial.sums.every(({ closing }) => closing === '0.00')).toBe(true);
      }

      const { list: exceptions } = await call<{ list: { kind: string }[] }>(shop, 'exception/list', { limit: 100 });
      const kinds: Record<string, number> = {};
      for (const { kind } of exceptions) kinds[kind] = (kinds[kind] ?? 0) + 1;
      expect(kinds, shop.zone).toEqual(shop.exceptions);

      const { list: differences } = await call<{ list: { order_no: string; ours: string; theirs: string }[] }>(
        shop,
        'difference/list',
      );
      const left = new Map<string, number>();
      for (const { order_no, ours, theirs } of differences)
        left.set(order_no, (left.get(order_no) ?? 0) + fenOf(ours) - fenOf(theirs));
      expect([...left].filter(([, fen]) => fen !== 0)).toEqual([]);
    }
    admin.token = (await server.call('/api/v3/login', loginOf(admin))).token!;
    const owed = shops.reduce((sum, { balanceFen }) => sum + Math.max(0, balanceFen), 0);
    await settleAll(server, admin, world, owed);
    expect(stand.asked.filter((asked) => !stand.isGenuine(asked))).toEqual([]);
    const calls = stand.asked.map(
      ({ method, path, body }) =>
        `${method} ${new URLSearchParams(body).get('method') ?? path.replace(/\?.*|\d{18}.*|pi_.*/, '')}`,
    );
    expect(new Set(calls)).toEqual(new Set(providerCalls));
    const theirs = [...world.payments.values()].reduce((sum, { fen }) => sum + fen, 0);
    const back = [...world.refunds.values()].reduce((sum, { state, fen }) => sum + (state === 'failed' ? 0 : fen), 0);
    expect(shops.reduce((sum, { balanceFen }) => sum + balanceFen, 0)).toBe(theirs - back);
    for (const what of [
      'repeated',
      'asked',
      'refund_failed',
      'refund_elsewhere',
      'dispute',
      'currency_differs',
      'amount_differs',
    ])
      expect(seen.get(what), what).toBeGreaterThan(2);
  },
  20 * pollTimeoutMs,
);
