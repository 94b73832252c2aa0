import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../platform/database/index.ts';
import { localeOf } from '../../../platform/http/locale.ts';
import type { Log } from '../../../platform/log.ts';
import { describeOrder } from './description.ts';
import type { Order } from './order-kind.ts';
import { findOrder } from './order-store.ts';
import type { Orders, Outcome } from './orders.ts';
import type { PayLinks } from './pay-links.ts';
import { payFrame, payTextIn, sandboxPage } from './pay-views.ts';
import { type PayAnswer, payAnswerOf } from './pay-ways.ts';
import { type Sandbox, sandboxName } from './sandbox.ts';

interface PayDeps {
  database: Database;
  orders: Orders;
  sandbox: Sandbox;
  links: PayLinks;
  log: Log;
}

/** Providers repeat a webhook after an error. */
const statusOf: Readonly<Record<Outcome, number>> = {
  applied: 200,
  repeated: 200,
  amount_differs: 200,
  currency_differs: 200,
  merchant_differs: 200,
  early: 409,
  unknown_order: 404,
};

/** A provider sends all of its webhooks from few addresses. */
const webhooksPerMinute = 100_000;

/** Checks and applies a webhook. */
async function receive(
  orders: Orders,
  name: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Outcome | 'refused' | 'ignored'> {
  const provider = orders.providers.find((known) => known.name === name);
  // unreadable means forged
  const event = await provider?.verify(headers, body).catch(() => null);
  if (event === 'ignored') return event;
  return event ? orders.apply(name, event) : 'refused';
}

export async function allowStyles(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const policy = String(reply.getHeader('content-security-policy') ?? "default-src 'none'");
  if (!policy.includes('style-src-attr'))
    reply.header('content-security-policy', `${policy}; style-src-attr 'unsafe-inline'`);
}

export function mountPayments(
  app: FastifyInstance,
  limitFactor: number,
  { database, orders, sandbox, links, log }: PayDeps,
): void {
  const limited = (max: number) => ({ config: { rateLimit: { max: max * limitFactor, timeWindow: 60_000 } } });
  const page = limited(600);
  // encapsulated: signatures cover raw bytes
  app.register(async (own) => {
    own.addHook('onRequest', allowStyles);
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    own.post<{ Params: { provider: string } }>(
      '/pay/webhook/:provider',
      limited(webhooksPerMinute),
      async (request, reply) => {
        const body = Buffer.from((request.body as Buffer | undefined) ?? '');
        const outcome = await receive(orders, request.params.provider, request.headers, body);
        if (outcome === 'refused') return reply.status(401).send({ error: outcome });
        const status = outcome === 'ignored' ? 200 : statusOf[outcome];
        const provider = orders.providers.find(({ name }) => name === request.params.provider)!;
        return reply.status(status).send(status === 200 ? provider.accepted : { outcome });
      },
    );

    const orderOf = async (request: FastifyRequest): Promise<Order | null> => {
      const { orderNo, provider = sandboxName } = request.params as { orderNo: string; provider?: string };
      const { t } = request.query as { t?: string };
      if (!links.isValid(orderNo, String(t ?? ''))) return null;
      const order = await database.withSystem((tx) => findOrder(tx, null, orderNo));
      return order?.method === provider ? order : null;
    };

    const visitOf = ({ headers, ip, protocol, host, url, query }: FastifyRequest, order: Order) => {
      const { t = '', go, code, state } = query as Record<'t' | 'go' | 'code' | 'state', string | undefined>;
      return {
        agent: headers['user-agent'] ?? '',
        ip,
        address: `${protocol}://${host}${url.split('?')[0]}?t=${encodeURIComponent(t)}`,
        publicUrl: links.of(order),
        query: { ...(go && { go }), ...(code && { code }), ...(state && { state }) },
      };
    };

    own.get('/pay/sandbox/:orderNo', page, async (request, reply) => {
      const order = await orderOf(request);
      const locale = localeOf(request);
      reply.type('text/html; charset=utf-8');
      if (order && !(await sandbox.provider.enabled()))
        return reply.send(payFrame(payTextIn(locale)('off'), locale, ''));
      return reply.status(order ? 200 : 404).send(sandboxPage(payTextIn(locale), locale, order));
    });

    own.get('/pay/:provider/:orderNo', page, async (request, reply) => {
      const order = await orderOf(request);
      const provider = orders.providers.find(({ name }) => name === order?.method);
      const locale = localeOf(request);
      const text = payTextIn(locale);
      reply.type('text/html; charset=utf-8');
      if (!order || !provider) return reply.status(404).send(payFrame(text('unknown'), locale, ''));
      const paid = order.state === 'completed' || order.state === 'refunded';
      if (paid && order.returnUrl) return reply.redirect(order.returnUrl, 303);
      // the provider's session ends with the order
      if (order.state !== 'incomplete')
        return reply.send(payFrame(text(paid ? 'state.completed' : 'over'), locale, ''));
      const description = await database.withSystem((tx) => describeOrder(tx, order, orders.kinds.of(order.kind)));
      const described = { ...order, description };
      const answer = await payAnswerOf({
        provider,
        order: described,
        visit: visitOf(request, order),
        text,
        locale,
      }).catch((error: Error): PayAnswer | null => {
        log.warn({ provider: provider.name, order: order.orderNo, reason: error.message }, 'no payment page');
        return null;
      });
      if (!answer) return reply.status(502).send(payFrame(text('unavailable'), locale, ''));
      if ('to' in answer) return reply.redirect(answer.to, 303);
      if (answer.scripts) allowScripts(reply, answer.scripts);
      return reply.send(answer.html);
    });

    own.post('/pay/sandbox/:orderNo', page, async (request, reply) => {
      const order = await orderOf(request);
      if (!order) return reply.status(404).send({ error: 'unknown order' });
      if (!(await sandbox.provider.enabled())) return reply.redirect(request.url, 303);
      const { headers, body } = await sandbox.pay(order);
      // like the webhook, without a request to itself
      await receive(orders, sandboxName, headers, Buffer.from(body));
      return reply.redirect(order.returnUrl ?? request.url, 303);
    });
  });
}

/** WeChat's bridge opens frames with its own scheme. */
function allowScripts(reply: FastifyReply, hashes: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '').replace(/ ?script-src [^;]*;?/, '');
  reply.header('content-security-policy', `${policy}; script-src ${hashes.join(' ')}; frame-src weixin:`);
}
