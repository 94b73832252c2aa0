import { allows, billingFapiao as contract, type Locale } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { type Acting, requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import type { Log } from '../../../platform/log.ts';
import type { Outbox } from '../../../platform/outbox/index.ts';
import { record } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import { findOrder } from '../orders/order-store.ts';
import type { Orders } from '../orders/orders.ts';
import type { PayLinks } from '../orders/pay-links.ts';
import { mountGuestPages } from './guest-pages.ts';
import { createIssuers } from './issuer.ts';
import { createIssuing } from './issuing.ts';
import { eraseFapiaos, exportFapiaos } from './persons.ts';
import { askableFen, createRequests, enqueueIssue, issueTask } from './requests.ts';
import { presentSettings, readSettings, saveSettings } from './settings.ts';
import { changeFapiao, fapiaosOf, knownFapiaos, listFapiaos, lockFapiao } from './store.ts';
import type { Fapiao } from './tables.ts';
import { taxOf } from './tax.ts';

interface FapiaoDeps {
  database: Database;
  clock: Clock;
  log: Log;
  orders: Orders;
  links: PayLinks;
  outbox: Pick<Outbox, 'queue' | 'flush'>;
  messages: Pick<Messages, 'post'>;
}

/** UTC+14 has the latest day. */
const earliestZoneMs = 14 * 3_600_000;

export function createFapiao(deps: FapiaoDeps) {
  const { database, clock, orders, links } = deps;
  const requests = createRequests(deps);
  const issuing = createIssuing({ ...deps, requests, issuers: createIssuers() });
  orders.onRefund({ refunded: requests.followRefund, failed: requests.followFailure });

  /** @throws Failure notFound, changedMeanwhile */
  async function lockOpen(tx: Tx, acting: Acting, id: string, isOpen: (row: Fapiao) => boolean) {
    requireWholeAccount(acting, 'billing.write');
    const found = await lockFapiao(tx, acting.accountId, id);
    if (!found) throw new Failure('notFound');
    if (found.row.sent_fen !== null || !isOpen(found.row)) throw new Failure('changedMeanwhile');
    return found;
  }

  const decided = (tx: Tx, acting: Acting, { id, order_no, gwid }: Fapiao, action: string, after?: object) =>
    record(tx, acting, { action, object: { type: 'fapiao', id, name: order_no }, gwid, after, command: true });

  const settlerOf = ({ actor, source }: Acting) => actor?.name ?? source;

  return {
    routes: (): Route[] =>
      implement(contract, {
        async settingsGet({ tx, acting }) {
          requireWholeAccount(acting, 'billing.read');
          return presentSettings(await readSettings(tx, acting.accountId));
        },
        async settingsSave({ tx, acting, input }) {
          await saveSettings(tx, acting, input);
          return {};
        },
        list({ tx, acting, input }) {
          requireWholeAccount(acting, 'billing.read');
          const showsEmails = acting.actor !== null && allows(acting.actor, 'billing.write');
          return listFapiaos(tx, acting.accountId, input, showsEmails);
        },
        async issue({ tx, acting, input: { id, number, issued_on } }) {
          const latest = new Date(clock.now().getTime() + earliestZoneMs).toISOString().slice(0, 10);
          if (issued_on > latest) invalid('issued_on', 'invoice.future');
          const found = await lockOpen(tx, acting, id, issuing.isAsked);
          const settled = { number, issuedOn: issued_on, url: null, settler: settlerOf(acting) };
          await issuing.issued(tx, found, settled);
          await decided(tx, acting, found.row, 'fapiao.issue', { number, issued_on });
          return {};
        },
        async fail({ tx, acting, input: { id, reason } }) {
          const { row } = await lockOpen(tx, acting, id, ({ state }) => state === 'asked');
          await issuing.failed(tx, row, reason, settlerOf(acting), null);
          await decided(tx, acting, row, 'fapiao.fail', { reason });
          return {};
        },
        async retry({ tx, acting, input: { id } }) {
          requireWholeAccount(acting, 'billing.write');
          const found = await lockFapiao(tx, acting.accountId, id);
          if (!found) throw new Failure('notFound');
          const { row } = found;
          if (row.state !== 'failed') throw new Failure('changedMeanwhile');
          const isRed = row.original !== null;
          const { seller, issuer } = await readSettings(tx, acting.accountId);
          // one that was sent is repeated as it was
          const anew = !isRed && row.sent_fen === null;
          const values = { seller: JSON.stringify(seller), issuer, tax_fen: taxOf(row.fen, seller.rate) };
          await changeFapiao(tx, row, {
            ...(anew && values),
            state: isRed ? 'red_asked' : 'asked',
            reason: null,
            settled_at: null,
            settler: null,
          });
          if ((anew ? issuer : row.issuer) !== 'manual') await enqueueIssue(tx, row);
          await decided(tx, acting, row, 'fapiao.retry');
          return {};
        },
      }),
    objects: { fapiao: knownFapiaos },
    tasks: { [issueTask]: issuing.run },
    mountGuests: (app: FastifyInstance, limitFactor: number) =>
      mountGuestPages(app, limitFactor, { database, clock, links, requests }),
    guests: {
      /** Returns the page of an order's invoice on this origin; null: none can be asked for. */
      async pathOf(tx: Tx, accountId: string, orderNo: string, locale: Locale): Promise<string | null> {
        const order = await findOrder(tx, accountId, orderNo);
        if (!order) return null;
        const isOffered = askableFen(order, await readSettings(tx, accountId), clock.now()) > 0;
        return isOffered || (await fapiaosOf(tx, order)).length > 0 ? links.invoicePath(orderNo, locale) : null;
      },
      export: exportFapiaos,
      erase: eraseFapiaos,
    },
  };
}
