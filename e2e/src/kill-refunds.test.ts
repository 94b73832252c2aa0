import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { expectDone, type Owner, post, register } from '../../bench/lib/client.ts';
import { makeFolder, removeFolder } from '../../bench/lib/folder.ts';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { type RunningServer, startServer } from '../../bench/lib/server.ts';
import { pollTimeoutMs } from '../../tools/poll-timeout.ts';

const webhookSecret = 'whsec_kill';
const folder = makeFolder();
const dataDir = join(folder, 'data');
/** By idempotency key: Stripe answers a repetition as it did before. */
const refunds = new Map<string, { id: string; status: string; amount: number }>();
let stand: Server;
let start: () => Promise<RunningServer>;
let server: RunningServer;
let owner: Owner;
let onRefund: (answer: () => void, response: ServerResponse) => void;
let status = 'succeeded';

beforeAll(async () => {
  stand = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += String(part)));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://stripe');
      const reply = (data: object) => response.end(JSON.stringify(data));
      const no = /'(\d+)'$/.exec(searchParams.get('query') ?? '')?.[1] ?? '';
      if (pathname.endsWith('/search'))
        return reply({ data: [{ id: `pi_${no}`, status: 'succeeded', amount_received: 1000 }] });
      if (pathname !== '/v1/refunds' || request.method !== 'POST') return reply({ data: [] });
      const form = new URLSearchParams(body);
      const key = String(request.headers['idempotency-key']);
      onRefund(() => {
        const known = refunds.get(key) ?? { id: `re_${key}`, status, amount: Number(form.get('amount')) };
        refunds.set(key, known);
        reply(known);
      }, response);
    });
  });
  await new Promise<void>((done) => stand.listen(0, '127.0.0.1', done));
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const environment = { STRIPE_STAND: `http://127.0.0.1:${(stand.address() as AddressInfo).port}` };
  const preload = pathToFileURL(join(import.meta.dirname, 'stripe-at-stand.mjs')).href;
  start = () => startServer({ dataDir, httpPort, devicePort, preload, environment });
  server = await start();
  owner = await register(server.url, dataDir);
  await call('install/claim', { token: /\/install\?token=([\w-]+)/.exec(server.output())?.[1] });
  const stripe = { provider: 'stripe', enabled: true, secret_key: 'sk_kill', webhook_secret: webhookSecret };
  await call('install/payment/save', stripe);
}, pollTimeoutMs);
afterAll(async () => {
  await server.stop();
  stand.close();
  removeFolder(folder, [dataDir]);
});
beforeEach(() => {
  status = 'succeeded';
  onRefund = (answer) => answer();
});

const call = async <T>(path: string, body: object) =>
  (await expectDone(post<T>(server.url, `/api/v3/${path}`, body, owner.token))).data;

function hear(type: string, object: object): Promise<number> {
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, type, data: { object } });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${t},v1=${v1}` };
  return fetch(`${server.url}/pay/webhook/stripe`, { method: 'POST', headers, body }).then((answer) => answer.status);
}

async function restart(): Promise<void> {
  await server.kill();
  server = await start();
}

async function paidOrder(): Promise<string> {
  const asked = { amount: '10.00', method: 'stripe', key: randomUUID() };
  const { order_no } = await call<{ order_no: string }>('billing/recharge', asked);
  const paid = { id: 'cs_1', client_reference_id: order_no, amount_total: 1000, payment_status: 'paid' };
  expect(await hear('checkout.session.completed', paid)).toBe(200);
  return order_no;
}

interface OrderAnswer {
  state: string;
  refunded: string;
  refunds: { state: string }[];
  journal: { kind: string; ledger: string; amount: string }[];
}
const order = (order_no: string) => call<OrderAnswer>('billing/order/get', { order_no });
const refund = (order_no: string, key: string = randomUUID()) =>
  call('billing/order/refund', { order_no, amount: '4.00', reason: 'Test', key });
const refundsAre = (order_no: string, states: string[]) =>
  expect
    .poll(async () => (await order(order_no)).refunds.map(({ state }) => state), { timeout: pollTimeoutMs })
    .toEqual(states);

async function booked(order_no: string, ...kinds: string[]): Promise<void> {
  const { journal } = await order(order_no);
  expect(journal.filter(({ ledger }) => ledger === 'external').map(({ kind }) => kind)).toEqual(kinds);
  const mine = [...refunds].filter(([key]) => key.includes(order_no));
  expect(mine.map(([, { amount }]) => amount)).toEqual([400]);
}

it(
  'asks again for a refund that it was killed before asking, and books it once',
  async () => {
    const no = await paidOrder();
    const key = randomUUID();
    const asked = new Promise<void>((resolve) => {
      onRefund = (_answer, response) => {
        response.destroy();
        resolve();
      };
    });
    await refund(no, key);
    await asked;
    await server.kill();
    onRefund = (answer) => answer();
    server = await start();
    // the form is sent again, because its answer was lost
    await refund(no, key);
    await refundsAre(no, ['arrived']);
    await booked(no, 'recharge', 'refund');
  },
  pollTimeoutMs,
);

it(
  'is killed when Stripe has the refund and the answer is on its way',
  async () => {
    const no = await paidOrder();
    const asked = new Promise<void>((resolve) => {
      onRefund = (answer, response) => {
        response.end = () => response;
        answer();
        resolve();
      };
    });
    await refund(no);
    await asked;
    await server.kill();
    onRefund = (answer) => answer();
    server = await start();
    await refundsAre(no, ['arrived']);
    await booked(no, 'recharge', 'refund');
  },
  pollTimeoutMs,
);

it(
  'is killed while notices say that an accepted refund arrived, and that another failed',
  async () => {
    for (const [end, type, kinds] of [
      ['succeeded', 'refund.updated', ['recharge', 'refund']],
      ['failed', 'refund.failed', ['recharge', 'refund', 'refund_failed']],
    ] as const) {
      status = 'pending';
      const no = await paidOrder();
      await refund(no);
      await refundsAre(no, ['accepted']);
      await restart();
      await refundsAre(no, ['accepted']);
      const metadata = { order_no: no, refund_no: `${no}-r0` };
      const object = { id: 're_1', amount: 400, status: end, failure_reason: 'lost_or_stolen_card', metadata };
      const first = hear(type, object).catch(() => 0);
      await restart();
      await first;
      // Stripe repeats what was not answered
      expect(await hear(type, object)).toBe(200);
      await refundsAre(no, [end === 'failed' ? 'failed' : 'arrived']);
      await booked(no, ...kinds);
    }
  },
  pollTimeoutMs,
);

it('closes its books at zero after all kills', async () => {
  const month = new Date().toISOString().slice(0, 7);
  const { sums } = await call<{ sums: { closing: string }[] }>('billing/books/trial_balance', { month });
  expect(sums.every(({ closing }) => closing === '0.00')).toBe(true);
});
