import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentEvent, StatementLine } from '../orders/payment-provider.ts';
import { type Adapter, type AdapterDeps, isFresh, type ProviderKind } from './adapter.ts';
import { ask, successOf } from './ask.ts';

interface StripeObject {
  id: string;
  client_reference_id?: string;
  amount_total?: number;
  payment_status?: string;
  amount?: number;
  amount_received?: number;
  status?: string;
  metadata?: Record<string, string>;
}
interface StripePage {
  data: StripeObject[];
  has_more?: boolean;
}

export function createStripe({ clock, endpoint, values }: AdapterDeps): Adapter {
  async function request<T>(method: 'GET' | 'POST', path: string, form: Record<string, string> = {}, key = '') {
    const { secret_key } = await values();
    const query = new URLSearchParams(form).toString();
    const headers = { authorization: `Bearer ${secret_key}`, ...(key && { 'idempotency-key': key }) };
    if (method === 'GET') return successOf<T>(await ask(`${endpoint}${path}?${query}`, { headers }));
    return successOf<T>(await ask(`${endpoint}${path}`, { method, headers, body: new URLSearchParams(form) }));
  }

  async function paymentOf(orderNo: string): Promise<StripeObject | undefined> {
    const found = await request<StripePage>('GET', '/v1/payment_intents/search', {
      query: `metadata['order_no']:'${orderNo}'`,
    });
    return found.data.find(({ status }) => status === 'succeeded');
  }

  async function* pages(path: string, from: Date, to: Date) {
    const bounds = { 'created[gte]': String(from.getTime() / 1000), 'created[lt]': String(to.getTime() / 1000) };
    for (let after: string | undefined; ; ) {
      const page = await request<StripePage>('GET', path, {
        ...bounds,
        limit: '100',
        ...(after && { starting_after: after }),
      });
      yield* page.data;
      if (!page.has_more) return;
      after = page.data.at(-1)!.id;
    }
  }

  return {
    async create({ orderNo, accountId, fen, returnUrl, expiresAt }) {
      const session = await request<{ url: string }>(
        'POST',
        '/v1/checkout/sessions',
        {
          mode: 'payment',
          client_reference_id: orderNo,
          success_url: returnUrl,
          cancel_url: returnUrl,
          // Stripe needs half an hour; fixed, so that a repetition returns the same session
          expires_at: String(Math.ceil(expiresAt.getTime() / 1000) + 1860),
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': 'cny',
          'line_items[0][price_data][unit_amount]': String(fen),
          'line_items[0][price_data][product_data][name]': orderNo,
          'payment_intent_data[metadata][order_no]': orderNo,
          'payment_intent_data[metadata][account_id]': accountId,
        },
        `order-${orderNo}`,
      );
      return { url: session.url };
    },

    async verify(headers, rawBody) {
      const { webhook_secret } = await values();
      const parts = String(headers['stripe-signature'] ?? '').split(',');
      const t = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
      const wanted = createHmac('sha256', webhook_secret).update(`${t}.`).update(rawBody).digest();
      // several while a secret is replaced
      const signed = parts.some((part) => {
        const given = Buffer.from(part.startsWith('v1=') ? part.slice(3) : '', 'hex');
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      if (!signed || !isFresh(clock, t)) return null;
      const { id, type, data } = JSON.parse(String(rawBody)) as {
        id: string;
        type: string;
        data: { object: StripeObject };
      };
      return eventOf(id, type, data.object);
    },

    async query({ orderNo }) {
      return { paidFen: (await paymentOf(orderNo))?.amount_received ?? 0 };
    },

    async refund({ orderNo, accountId }, refundNo, fen) {
      const payment = await paymentOf(orderNo);
      if (!payment) throw new Error(`Stripe does not know a payment of order ${orderNo}`);
      await request(
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
    },

    statement: {
      hoursEast: 0,
      async read({ from, to }) {
        const lines: StatementLine[] = [];
        const add = ({ metadata, amount }: StripeObject, sign: 1 | -1) => {
          if (metadata?.order_no && metadata.account_id)
            lines.push({ accountId: metadata.account_id, orderNo: metadata.order_no, fen: sign * amount! });
        };
        for await (const charge of pages('/v1/charges', from, to)) if (charge.status === 'succeeded') add(charge, 1);
        for await (const refund of pages('/v1/refunds', from, to))
          if (refund.status === 'succeeded' || refund.status === 'pending') add(refund, -1);
        return lines;
      },
    },
  };
}

function eventOf(id: string, type: string, object: StripeObject): PaymentEvent | 'ignored' {
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded') {
    if (object.payment_status !== 'paid' || !object.client_reference_id) return 'ignored';
    return { id, type: 'paid', orderNo: object.client_reference_id, fen: object.amount_total ?? 0, refundNo: null };
  }
  const { order_no: orderNo, refund_no: refundNo } = object.metadata ?? {};
  const isRefund = type === 'refund.created' || type === 'refund.updated';
  if (!isRefund || object.status !== 'succeeded' || !orderNo || !refundNo) return 'ignored';
  return { id, type: 'refunded', orderNo, fen: object.amount ?? 0, refundNo };
}

export const stripe: ProviderKind = {
  create: createStripe,
  endpoint: 'https://api.stripe.com',
  accepted: '{}',
};
