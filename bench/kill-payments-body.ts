import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { type Mode, modes, strike } from './kill/strike.ts';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { type RunningServer, startServer } from './lib/server.ts';
import { inParallel, pause } from './lib/stats.ts';

export interface PaymentKillReport {
  kills: number;
  /** Orders whose webhook was accepted, and refunds. */
  payments: number;
  refunds: number;
  /** Failed attempts, those while the server was down included; each was repeated. */
  cutOff: number;
  problems: string[];
}

interface Payment {
  no: string;
  fen: number;
  refundedFen: number;
}

const payers = 6;
/** Milliseconds before a kill. */
const [least, most] = [300, 2500];
const answersWithin = 120_000;
const webhookSecret = 'whsec_bench';

/**
 * Kills a server while accounts order, the provider reports payments and refunds twice, and transfers are marked as
 * paid. The journal must have exactly what was accepted, once.
 */
export async function runPaymentKills({
  kills,
  log = () => undefined,
}: {
  kills: number;
  log?: (line: string) => void;
}): Promise<PaymentKillReport> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const start = () => startServer({ dataDir, httpPort, devicePort });
  const report: PaymentKillReport = { kills: 0, payments: 0, refunds: 0, cutOff: 0, problems: [] };
  const payments: Payment[] = [];
  let server = await start();
  try {
    const owner = await administrator(server, dataDir);
    let running = true;
    const work = Array.from({ length: payers }, async () => {
      while (running) payments.push(await pay(server.url, owner, report));
    });
    while (report.kills < kills) {
      await pause(randomInt(least, most));
      const mode = modes[report.kills % modes.length] as Mode;
      const known = payments.length;
      server = await strike(server, mode, start);
      report.kills += 1;
      report.problems.push(...(await wrongIn(server, owner, payments.slice(0, known).slice(-20))));
      log(`kill ${report.kills} of ${kills} (${mode}): ${payments.length} payments, ${report.cutOff} calls cut off`);
    }
    running = false;
    await Promise.all(work);
    report.payments = payments.length;
    report.refunds = payments.filter(({ refundedFen }) => refundedFen > 0).length;
    report.problems.push(...(await wrongIn(server, owner, payments)), ...(await unbalanced(server, owner, payments)));
    return report;
  } finally {
    await server.stop();
    removeFolder(folder, [dataDir]);
  }
}

async function administrator(server: RunningServer, dataDir: string): Promise<Owner> {
  const owner = await register(server.url, dataDir);
  const token = /\/install\?token=([\w-]+)/.exec(server.output())?.[1];
  await call(server.url, owner, 'install/claim', { token });
  const stripe = { provider: 'stripe', enabled: true, secret_key: 'sk_bench', webhook_secret: webhookSecret };
  await call(server.url, owner, 'install/payment/save', stripe);
  return owner;
}

async function call<T>(url: string, { token }: Owner, path: string, body: object): Promise<T> {
  return (await expectDone(post<T>(url, `/api/v3/${path}`, body, token))).data;
}

/** Repeats until the server answers: providers and browsers do the same. */
async function untilAnswered<T>(report: PaymentKillReport, work: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + answersWithin;
  for (;;) {
    const answer = await work().catch((error: Error) => {
      if (Date.now() > deadline) throw error;
      return null;
    });
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`refused for ${answersWithin / 1000} s`);
    report.cutOff += 1;
    await pause(50);
  }
}

async function pay(url: string, owner: Owner, report: PaymentKillReport): Promise<Payment> {
  const isTransfer = randomInt(5) === 0;
  const fen = randomInt(100, 10_000);
  const input = { amount: (fen / 100).toFixed(2), method: isTransfer ? 'manual' : 'stripe', key: randomUUID() };
  const { order_no: no } = await untilAnswered(report, () =>
    call<{ order_no: string }>(url, owner, 'billing/recharge', input),
  );
  const accept = (event: object) =>
    untilAnswered(report, async () => ((await webhook(url, event)) === 200 ? true : null));
  if (isTransfer) {
    // 4104: marked before a kill cut the answer off
    await untilAnswered(report, async () => {
      const { code } = await post(url, '/api/v3/billing/order/settle', { order_no: no }, owner.token);
      return code === 2000 || code === 4104 ? true : null;
    });
    return { no, fen, refundedFen: 0 };
  }
  const paid = {
    id: `evt_${no}`,
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1', client_reference_id: no, amount_total: fen, payment_status: 'paid' } },
  };
  await Promise.all([accept(paid), accept(paid)]);
  const refundedFen = randomInt(2) ? randomInt(1, fen + 1) : 0;
  const metadata = { order_no: no, refund_no: `r-${no}` };
  const refund = {
    id: `evt_r_${no}`,
    type: 'refund.created',
    data: { object: { id: 're_1', amount: refundedFen, status: 'succeeded', metadata } },
  };
  if (refundedFen > 0) await Promise.all([accept(refund), accept(refund)]);
  return { no, fen, refundedFen };
}

/** Returns the status. */
function webhook(url: string, event: object): Promise<number> {
  const body = JSON.stringify(event);
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex');
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/pay/webhook/stripe`,
      { method: 'POST', headers: { 'stripe-signature': `t=${t},v1=${v1}` } },
      (answer) => {
        answer.resume();
        answer.once('error', reject);
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

interface OrderAnswer {
  state: string;
  refunded: string;
  journal: { transaction_id: string; ledger: string; amount: string }[];
}

const fenOf = (amount: string) => Math.round(Number(amount) * 100);

/** Compares each payment with its order and journal lines. */
async function wrongIn({ url }: RunningServer, owner: Owner, payments: readonly Payment[]): Promise<string[]> {
  const problems = await inParallel(payments, 4, async ({ no, fen, refundedFen }) => {
    const order = await call<OrderAnswer>(url, owner, 'billing/order/get', { order_no: no });
    const lines = order.journal.filter(({ ledger }) => ledger === 'recharged').map(({ amount }) => fenOf(amount));
    const wanted = refundedFen > 0 ? [fen, -refundedFen] : [fen];
    const isRight =
      lines.toSorted((a, b) => b - a).join() === wanted.join() &&
      fenOf(order.refunded) === refundedFen &&
      order.state === (refundedFen === fen ? 'refunded' : 'completed');
    return isRight ? [] : [`order ${no} of ${fen} less ${refundedFen} is ${order.state} with lines ${lines.join()}`];
  });
  return problems.flat();
}

async function unbalanced({ url }: RunningServer, owner: Owner, payments: readonly Payment[]): Promise<string[]> {
  const { balance } = await call<{ balance: string }>(url, owner, 'billing/balance', {});
  const expected = payments.reduce((sum, { fen, refundedFen }) => sum + fen - refundedFen, 0);
  const month = new Date().toISOString().slice(0, 7);
  const { sums } = await call<{ sums: { closing: string }[] }>(url, owner, 'billing/books/trial_balance', { month });
  return [
    ...(fenOf(balance) === expected ? [] : [`the balance is ${balance}, the payments add up to ${expected} fen`]),
    ...sums.filter(({ closing }) => closing !== '0.00').map(({ closing }) => `the trial balance closes at ${closing}`),
  ];
}
