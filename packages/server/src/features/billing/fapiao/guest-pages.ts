import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { ruleErrorOf, rules } from '@yunxun/contract/rules';
import { isTaxNumber, typedTaxNumber } from '@yunxun/contract/tax-number';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bySystem } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { localeOf } from '../../../platform/http/locale.ts';
import type { Order } from '../orders/order-kind.ts';
import { findOrder } from '../orders/order-store.ts';
import type { PayLinks } from '../orders/pay-links.ts';
import { allowStyles } from '../orders/pay-pages.ts';
import { payFrame, payTextIn } from '../orders/pay-views.ts';
import { type FieldErrors, formPage, notPossiblePage, statePage } from './guest-views.ts';
import { askableFen, isCorrectable, type Requests } from './requests.ts';
import { readSettings } from './settings.ts';
import { fapiaosOf } from './store.ts';
import type { Buyer } from './tables.ts';

interface GuestPageDeps {
  database: Database;
  clock: Clock;
  links: PayLinks;
  requests: Pick<Requests, 'ask'>;
}

/** A minute, of one address. */
const [reads, asks] = [600, 60];
const maxName = 100;

const emptyBuyer: Buyer = { kind: 'person', name: '', tax_no: '', email: '' };

function buyerOf(form: Readonly<Record<string, string | undefined>>): Buyer {
  const kind = form.kind === 'company' ? 'company' : 'person';
  const name = (form.name ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return { kind, name, tax_no: typedTaxNumber(form.tax_no ?? ''), email: (form.email ?? '').trim() };
}

function errorsOf({ kind, name, tax_no, email }: Buyer, locale: Locale): FieldErrors {
  const errors: FieldErrors = {};
  const text = (key: string, params = {}) => messageByKey(locale, `validation.${key}`, params);
  if (name === '') errors.name = text('required');
  else if (name.length > maxName) errors.name = text('maxLength', { max: maxName });
  if (kind === 'company' && tax_no === '') errors.tax_no = text('required');
  else if (kind === 'company' && !isTaxNumber(tax_no)) errors.tax_no = text('taxNumber');
  const wrong = ruleErrorOf(rules.email, email);
  if (wrong) errors.email = messageByKey(locale, wrong.key, wrong.params);
  return errors;
}

export function mountGuestPages(
  app: FastifyInstance,
  limitFactor: number,
  { database, clock, links, requests }: GuestPageDeps,
) {
  const limited = (max: number) => ({ config: { rateLimit: { max: max * limitFactor, timeWindow: 60_000 } } });
  const path = '/pay/invoice/:orderNo';

  const visitOf = ({ query, params, headers, url }: FastifyRequest, isForm: boolean) => {
    const { t = '', lang } = query as Record<'t' | 'lang', string | undefined>;
    const { orderNo } = params as { orderNo: string };
    const locale: Locale = lang === 'en' || lang === 'zh-CN' ? lang : localeOf({ headers }, 'en');
    const otherLang = locale === 'en' ? 'zh-CN' : 'en';
    const here = url.split('?')[0]!;
    const other = `${here}?${new URLSearchParams({ t, lang: otherLang })}`;
    return {
      isValid: links.isValid(orderNo, t),
      orderNo,
      locale,
      other,
      here: isForm ? `${here}?${new URLSearchParams({ t, lang: locale })}` : here,
    };
  };

  const unknown = (reply: FastifyReply, locale: Locale) =>
    reply.status(404).send(payFrame(payTextIn(locale)('unknown'), locale, ''));

  async function page(tx: Tx, order: Order, locale: Locale, other: string): Promise<string | null> {
    const shown = { locale, other, order };
    const settings = await readSettings(tx, order.accountId);
    const rows = await fapiaosOf(tx, order);
    const live = rows.find((row) => row.live);
    const fen = askableFen(order, settings, clock.now());
    if (live && !(isCorrectable(live) && fen > 0)) return statePage(shown, rows);
    if (fen > 0) return formPage(shown, fen, { typed: live?.buyer ?? emptyBuyer, errors: {} }, live?.reason ?? null);
    if (rows.length > 0) return statePage(shown, rows);
    if (!settings.enabled || order.payer !== 'guest' || order.currency !== 'CNY') return null;
    if (!order.paidAt) return notPossiblePage(shown, 'unpaid');
    return notPossiblePage(shown, order.state === 'refunded' ? 'refunded' : 'over');
  }

  app.register(async (own) => {
    own.addHook('onRequest', allowStyles);
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );

    own.get(path, limited(reads), async (request, reply) => {
      const { isValid, orderNo, locale, other } = visitOf(request, false);
      reply.type('text/html; charset=utf-8').header('referrer-policy', 'same-origin');
      if (!isValid) return unknown(reply, locale);
      const shown = await database.withSystem(async (tx) => {
        const order = await findOrder(tx, null, orderNo);
        return order && page(tx, order, locale, other);
      });
      return shown ? reply.send(shown) : unknown(reply, locale);
    });

    own.post(path, limited(asks), async (request, reply) => {
      const { isValid, orderNo, locale, other, here } = visitOf(request, true);
      reply.type('text/html; charset=utf-8').header('referrer-policy', 'same-origin');
      if (!isValid) return unknown(reply, locale);
      const typed = buyerOf((request.body ?? {}) as Record<string, string>);
      const errors = errorsOf(typed, locale);
      const wrong = Object.keys(errors).length > 0;
      const now = clock.now();
      const answer = await database.withSystem(async (tx) => {
        const order = await findOrder(tx, null, orderNo, 'lock');
        if (!order) return null;
        if (!wrong) {
          const buyer = typed.kind === 'company' ? typed : { ...typed, tax_no: '' };
          const acting = { ...bySystem(order.accountId), source: 'web' as const, ip: request.ip };
          await requests.ask(tx, acting, order, { buyer, locale });
          return 'done' as const;
        }
        const live = (await fapiaosOf(tx, order)).find((row) => row.live);
        const fen = askableFen(order, await readSettings(tx, order.accountId), now);
        if (fen <= 0 || (live && !isCorrectable(live))) return 'done' as const;
        return { page: formPage({ locale, other, order }, fen, { typed, errors }, live?.reason ?? null) };
      });
      if (!answer) return unknown(reply, locale);
      return answer === 'done' ? reply.redirect(here, 303) : reply.status(422).send(answer.page);
    });
  });
}
