import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Webhook {
  headers: Record<string, string>;
  body: string;
}

/** Simulates Stripe on loopback: keeps payments by order, and refunds by number. */
export async function startStripeStand(webhookSecret: string) {
  const paid = new Map<string, number>();
  const refunds = new Map<string, number>();
  const stand = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += String(part)));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://stripe');
      const form = new URLSearchParams(body);
      const orderNo = /'(\d+)'$/.exec(searchParams.get('query') ?? '')?.[1] ?? '';
      const fen = paid.get(orderNo);
      if (pathname === '/v1/refunds') refunds.set(form.get('metadata[refund_no]')!, Number(form.get('amount')));
      const data = fen === undefined ? [] : [{ id: `pi_${orderNo}`, status: 'succeeded', amount_received: fen }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, id: 're_1' }));
    });
  });
  await new Promise<void>((done) => stand.listen(0, '127.0.0.1', done));

  function webhook(event: object, at: Date, secret = webhookSecret): Webhook {
    const body = JSON.stringify(event);
    const t = Math.floor(at.getTime() / 1000);
    const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
    return { headers: { 'stripe-signature': `t=${t},v1=${v1}` }, body };
  }

  return {
    url: `http://127.0.0.1:${(stand.address() as AddressInfo).port}`,
    paid,
    refunds,
    paidEvent: (orderNo: string, fen: number, id = `evt_${orderNo}`) => ({
      id,
      type: 'checkout.session.completed',
      data: { object: { id: 'cs_1', client_reference_id: orderNo, amount_total: fen, payment_status: 'paid' } },
    }),
    refundEvent: (orderNo: string, fen: number, refundNo: string) => ({
      id: `evt_${refundNo}`,
      type: 'refund.created',
      data: {
        object: { id: 're_1', amount: fen, status: 'succeeded', metadata: { order_no: orderNo, refund_no: refundNo } },
      },
    }),
    webhook,
    stop: () => new Promise<void>((done) => stand.close(() => done())),
  };
}

export type StripeStand = Awaited<ReturnType<typeof startStripeStand>>;
