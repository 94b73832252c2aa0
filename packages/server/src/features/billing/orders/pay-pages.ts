import type { IncomingHttpHeaders } from 'node:http';
import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import type { Database } from '../../../platform/database/index.ts';
import { localeOf } from '../../../platform/http/locale.ts';
import type { Log } from '../../../platform/log.ts';
import { yuan } from '../service.ts';
import { describeOrder } from './description.ts';
import type { Order } from './order-kind.ts';
import { findOrder } from './order-store.ts';
import type { Orders, Outcome } from './orders.ts';
import type { PayLinks } from './pay-links.ts';
import type { PayTarget } from './payment-provider.ts';
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

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

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

export function mountPayments(
  app: FastifyInstance,
  limitFactor: number,
  { database, orders, sandbox, links, log }: PayDeps,
): void {
  const limited = (max: number) => ({ config: { rateLimit: { max: max * limitFactor, timeWindow: 60_000 } } });
  const page = limited(600);
  // encapsulated: signatures cover raw bytes
  app.register(async (own) => {
    own.addHook('onRequest', async (_request, reply) => {
      const policy = String(reply.getHeader('content-security-policy') ?? "default-src 'none'");
      if (!policy.includes('style-src-attr'))
        reply.header('content-security-policy', `${policy}; style-src-attr 'unsafe-inline'`);
    });
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

    own.get('/pay/sandbox/:orderNo', page, async (request, reply) => {
      const order = await orderOf(request);
      const locale = localeOf(request);
      reply.type('text/html; charset=utf-8');
      if (order && !(await sandbox.provider.enabled())) return reply.send(frame(textIn(locale)('off'), locale, ''));
      return reply.status(order ? 200 : 404).send(sandboxPage(textIn(locale), locale, order));
    });

    own.get('/pay/:provider/:orderNo', page, async (request, reply) => {
      const order = await orderOf(request);
      const provider = orders.providers.find(({ name }) => name === order?.method);
      const locale = localeOf(request);
      const text = textIn(locale);
      reply.type('text/html; charset=utf-8');
      if (!order || !provider) return reply.status(404).send(frame(text('unknown'), locale, ''));
      const paid = order.state === 'completed' || order.state === 'refunded';
      if (paid && order.returnUrl) return reply.redirect(order.returnUrl, 303);
      // the provider's session ends with the order
      if (order.state !== 'incomplete') return reply.send(frame(text(paid ? 'state.completed' : 'over'), locale, ''));
      const description = await database.withSystem((tx) => describeOrder(tx, order, orders.kinds.of(order.kind)));
      const target = await provider.create(order, description).catch((error: Error): PayTarget | null => {
        log.warn({ provider: provider.name, order: order.orderNo, reason: error.message }, 'no payment page');
        return null;
      });
      if (!target) return reply.status(502).send(frame(text('unavailable'), locale, ''));
      if (target === 'over') return reply.send(frame(text('over'), locale, ''));
      if ('url' in target) return reply.redirect(target.url, 303);
      return reply.send(qrPage(text, locale, order, target.qr));
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

type Text = (key: string, params?: Readonly<Record<string, string | number>>) => string;

const textIn =
  (locale: Locale): Text =>
  (key, params) =>
    messageByKey(locale, `pay.${key}`, params);

function frame(title: string, locale: string, body: string, refreshSeconds = 0): string {
  return `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
${refreshSeconds ? `<meta http-equiv="refresh" content="${refreshSeconds}">` : ''}<title>${escaped(title)}</title>
<body style="font:16px/1.6 system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem">
<main><h1 style="font-size:1.4rem">${escaped(title)}</h1>
${body}
</main></body></html>`;
}

const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escaped(line)}</p>`).join('\n');

/** Polls every few seconds until paid. */
function qrPage(text: Text, locale: string, order: Order, code: string): string {
  const lines = [text('order', { no: order.orderNo }), text('amount', { yuan: yuan(order.fen) }), text('scan')];
  return frame(text('scan_title'), locale, `${paragraphs(lines)}\n${renderSVG(code)}`, 5);
}

function sandboxPage(text: Text, locale: string, order: Order | null): string {
  const isOpen = order?.state === 'incomplete' || order?.state === 'expired';
  const state = order ? text(`state.${order.state}`) : text('unknown');
  const lines = order
    ? [text('order', { no: order.orderNo }), text('amount', { yuan: yuan(order.fen) }), state]
    : [state];
  const warning = `<p style="background:#ffe9b0;color:#3d2c00;padding:.75rem;border-radius:.5rem"><strong>${escaped(text('warning'))}</strong></p>`;
  const pay = `<form method="post"><button style="font:inherit;min-height:44px;padding:0 1.5rem">${escaped(text('pay'))}</button></form>`;
  return frame(text('title'), locale, `${warning}\n${paragraphs(lines)}\n${isOpen ? pay : ''}`);
}
