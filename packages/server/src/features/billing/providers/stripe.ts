import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Contradiction, PaymentEvent, RefundProgress, StatementLine } from '../orders/payment-provider.ts';
import { type Adapter, type AdapterDeps, isFresh, type ProviderKind } from './adapter.ts';
import { type Answer, ask, isRefusal, successOf } from './ask.ts';

/** Pinned: the default of an account changes what events hold. */
const apiVersion = '2024-06-20';

/** Of a session, which lasts as long as its order. */
const [openMs, shortestMs] = [2 * 3_600_000, 30 * 60_000];
const nameLength = 250;

interface StripeObject {
  id: string;
  object?: string;
  currency?: string;
  livemode?: boolean;
  payment_intent?: string | null;
  failure_reason?: string;
  reason?: string;
  client_reference_id?: string;
  amount_total?: number;
  payment_status?: string;
  amount?: number;
  amount_received?: number;
  status?: string;
  metadata?: Record<string, string>;
}
/** A charge, refund, failure of a refund, or dispute; payouts have another source. */
interface Movement {
  id: string;
  amount: number;
  source: StripeObject | null;
}
interface Page<T> {
  data: T[];
  has_more?: boolean;
}

export function createStripe({ clock, endpoint, values }: AdapterDeps): Adapter {
  async function request(method: 'GET' | 'POST', path: string, form: Record<string, string> = {}, key = '') {
    const { secret_key } = await values();
    const query = new URLSearchParams(form).toString();
    const headers = {
      authorization: `Bearer ${secret_key}`,
      'stripe-version': apiVersion,
      ...(key && { 'idempotency-key': key }),
    };
    if (method === 'GET') return ask(`${endpoint}${path}?${query}`, { headers });
    return ask(`${endpoint}${path}`, { method, headers, body: new URLSearchParams(form) });
  }

  async function read<T>(path: string, form: Record<string, string> = {}): Promise<T> {
    return successOf<T>(await request('GET', path, form));
  }

  async function paymentOf(orderNo: string): Promise<StripeObject | undefined> {
    const found = await read<Page<StripeObject>>('/v1/payment_intents/search', {
      query: `metadata['order_no']:'${orderNo}'`,
    });
    return found.data.find(({ status }) => status === 'succeeded');
  }

  /** Refunds and disputes of Stripe's own site have no metadata: their payment has. */
  async function orderOf({ object, metadata, payment_intent }: StripeObject): Promise<string | null> {
    if (metadata?.order_no || object === 'charge' || !payment_intent) return metadata?.order_no ?? null;
    const payment = await read<StripeObject>(`/v1/payment_intents/${encodeURIComponent(payment_intent)}`);
    return payment.metadata?.order_no ?? null;
  }

  async function* movements(from: Date, to: Date): AsyncGenerator<Movement> {
    const bounds = { 'created[gte]': String(from.getTime() / 1000), 'created[lt]': String(to.getTime() / 1000) };
    for (let after: string | undefined; ; ) {
      const page = await read<Page<Movement>>('/v1/balance_transactions', {
        ...bounds,
        limit: '100',
        'expand[]': 'data.source',
        ...(after && { starting_after: after }),
      });
      yield* page.data;
      if (!page.has_more) return;
      after = page.data.at(-1)!.id;
    }
  }

  return {
    async create({ orderNo, accountId, fen, returnUrl, expiresAt, description }) {
      const answer = await request(
        'POST',
        '/v1/checkout/sessions',
        {
          mode: 'payment',
          client_reference_id: orderNo,
          success_url: returnUrl,
          cancel_url: returnUrl,
          expires_at: String(Math.floor(expiresAt.getTime() / 1000)),
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': 'cny',
          'line_items[0][price_data][unit_amount]': String(fen),
          'line_items[0][price_data][product_data][name]': description.slice(0, nameLength),
          'payment_intent_data[metadata][order_no]': orderNo,
          'payment_intent_data[metadata][account_id]': accountId,
        },
        `order-${orderNo}`,
      );
      // a repetition gets its session; a new one would end before the half hour that Stripe asks for
      if (isRefusal(answer) && expiresAt.getTime() - clock.now().getTime() < shortestMs) return 'over';
      return { url: successOf<{ url: string }>(answer).url };
    },

    async verify(headers, rawBody) {
      const { webhook_secret, secret_key } = await values();
      const parts = String(headers['stripe-signature'] ?? '').split(',');
      const t = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
      const wanted = createHmac('sha256', webhook_secret).update(`${t}.`).update(rawBody).digest();
      // several while a secret is replaced
      const signed = parts.some((part) => {
        const given = Buffer.from(part.startsWith('v1=') ? part.slice(3) : '', 'hex');
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      if (!signed || !isFresh(clock, t)) return null;
      const { id, type, data, livemode } = JSON.parse(String(rawBody)) as {
        id: string;
        type: string;
        livemode?: boolean;
        data: { object: StripeObject };
      };
      const differs = inMode(secret_key, livemode) ?? inYuan(data.object.currency);
      return eventOf({ id, type, object: data.object, differs }, orderOf);
    },

    async query({ orderNo }) {
      const { secret_key } = await values();
      const payment = await paymentOf(orderNo);
      if (!payment) return { paidFen: 0 };
      const { amount_received: paidFen = 0, currency, livemode } = payment;
      return { paidFen, differs: inMode(secret_key, livemode) ?? inYuan(currency) };
    },

    async refund({ orderNo, accountId }, refundNo, fen) {
      const payment = await paymentOf(orderNo);
      if (!payment) throw new Error(`Stripe does not know a payment of order ${orderNo}`);
      const answer = await request(
        'POST',
        '/v1/refunds',
        {
          payment_intent: payment.id,
          amount: String(fen),
          'metadata[order_no]': orderNo,
          'metadata[account_id]': accountId,
          'metadata[refund_no]': refundNo,
        },
        `refund-${refundNo}`,
      );
      if (isRefusal(answer)) return { state: 'failed', reason: refusalOf(answer) };
      return progressOf(successOf<StripeObject>(answer));
    },

    async refundProgress({ orderNo }, refundNo) {
      const payment = await paymentOf(orderNo);
      const { data } = await read<Page<StripeObject>>('/v1/refunds', {
        payment_intent: payment?.id ?? '',
        limit: '100',
      });
      const refund = data.find(({ metadata }) => metadata?.refund_no === refundNo);
      return refund ? progressOf(refund) : { state: 'accepted', reason: '' };
    },

    statement: {
      hoursEast: 0,
      failures: 'on their day',
      async read({ from, to }) {
        const lines: StatementLine[] = [];
        for await (const { amount, source } of movements(from, to)) {
          const orderNo = source && (await orderOf(source));
          // the movement is in the currency of the merchant's payouts, its source in the payer's
          if (orderNo) lines.push({ accountId: null, orderNo, fen: Math.sign(amount) * (source.amount ?? 0) });
        }
        return lines;
      },
    },
  };
}

function progressOf({ status, failure_reason }: StripeObject): RefundProgress {
  if (status === 'succeeded') return { state: 'arrived', reason: '' };
  return status === 'failed' || status === 'canceled'
    ? { state: 'failed', reason: failure_reason ?? status }
    : { state: 'accepted', reason: '' };
}

function refusalOf({ status, text }: Answer): string {
  try {
    const { error = {} } = JSON.parse(text) as { error?: { code?: string; message?: string } };
    return `${error.code ?? status} ${error.message ?? ''}`.trim();
  } catch {
    return String(status);
  }
}

const inYuan = (currency = 'cny'): Contradiction | undefined =>
  currency === 'cny' ? undefined : { kind: 'currency_differs', ours: 'CNY', theirs: currency.toUpperCase() };

const payments = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
const refunds = ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'];

/** Keys name their mode: `sk_live_…`, `rk_test_…`. */
function inMode(key: string, isLive?: boolean): Contradiction | undefined {
  const ours = /^[a-z]+_(live|test)_/.exec(key)?.[1];
  const theirs = isLive ? 'live' : 'test';
  return ours === undefined || isLive === undefined || ours === theirs
    ? undefined
    : { kind: 'merchant_differs', ours, theirs };
}

async function eventOf(
  { id, type, object, differs }: { id: string; type: string; object: StripeObject; differs: Contradiction | undefined },
  orderOf: (object: StripeObject) => Promise<string | null>,
): Promise<PaymentEvent | 'ignored'> {
  if (payments.includes(type)) {
    if (object.payment_status !== 'paid' || !object.client_reference_id) return 'ignored';
    return { id, type: 'paid', orderNo: object.client_reference_id, fen: object.amount_total ?? 0, differs };
  }
  const isDispute = type.startsWith('charge.dispute.');
  if (!isDispute && !refunds.includes(type)) return 'ignored';
  const orderNo = await orderOf(object);
  if (!orderNo) return 'ignored';
  const refundNo = object.metadata?.refund_no ?? object.id;
  const moved = { id, orderNo, fen: object.amount ?? 0, refundNo };
  if (!isDispute) return { ...moved, type: 'refunded', differs, ...progressOf(object) };
  const reason = object.reason ?? '';
  if (type === 'charge.dispute.created') return { ...moved, type: 'disputed', reason };
  if (type === 'charge.dispute.funds_withdrawn')
    return { ...moved, type: 'refunded', differs, state: 'arrived', reason, disputed: true };
  return type === 'charge.dispute.funds_reinstated'
    ? { ...moved, type: 'refunded', differs, state: 'failed', reason, disputed: true }
    : 'ignored';
}

const stripeHosts = [
  'checkout.stripe.com',
  'js.stripe.com',
  'api.stripe.com',
  'hooks.stripe.com',
  'm.stripe.com',
  'm.stripe.network',
  'q.stripe.com',
  'r.stripe.com',
  'b.stripecdn.com',
  'c.stripecdn.com',
].map((host) => ({ host, documented: 'docs.stripe.com/ips' }));

export const stripe: ProviderKind = {
  openMs,
  create: createStripe,
  endpoint: 'https://api.stripe.com',
  accepted: '{}',
  elsewhere: { captive: 'unsure' },
  hosts: stripeHosts,
};
