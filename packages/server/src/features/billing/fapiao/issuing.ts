import { bySystem } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { afterCommit, type Database, type Tx } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { Outbox } from '../../../platform/outbox/index.ts';
import { record } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import type { PayLinks } from '../orders/pay-links.ts';
import { yuan } from '../service.ts';
import type { IssueAnswer, Issuers } from './issuer.ts';
import { enqueueIssue, type Requests } from './requests.ts';
import { changeFapiao, lockFapiao } from './store.ts';
import type { Fapiao } from './tables.ts';
import { taxOf } from './tax.ts';

interface IssuingDeps {
  database: Database;
  clock: Clock;
  log: Log;
  links: PayLinks;
  outbox: Pick<Outbox, 'queue' | 'flush'>;
  issuers: Issuers;
  requests: Pick<Requests, 'askRed'>;
  messages: Pick<Messages, 'post'>;
}

interface Settled {
  number: string;
  issuedOn: string;
  url: string | null;
  settler: string;
}

const maxAttempts = 8;
const askAgainMs = 60_000;

const isAsked = ({ state }: Fapiao) => state === 'asked' || state === 'red_asked';

type Locked = NonNullable<Awaited<ReturnType<typeof lockFapiao>>>;

export function createIssuing({ database, clock, log, links, outbox, issuers, requests, messages }: IssuingDeps) {
  async function mail(tx: Tx, row: Fapiao, template: string, params: Record<string, string>): Promise<void> {
    const { account_id: accountId, order_no: orderNo, buyer, seller, locale, issuer } = row;
    if (!buyer.email) return;
    const url = links.invoiceOf(orderNo, locale);
    const known = { order: orderNo, seller: seller.name, url, issuer };
    await outbox.queue(tx, {
      accountId,
      channel: 'email',
      to: buyer.email,
      template,
      locale,
      params: { ...known, ...params },
    });
    afterCommit(tx, () => void outbox.flush());
  }

  /** The order is locked. */
  async function issued(tx: Tx, { row, all }: Locked, { number, issuedOn, url, settler }: Settled): Promise<void> {
    const now = clock.now();
    const isRed = row.original !== null;
    const fen = row.sent_fen ?? row.fen;
    const tax_fen = fen === row.fen ? row.tax_fen : taxOf(fen, row.seller.rate);
    const state = isRed ? 'red' : 'issued';
    await changeFapiao(tx, row, {
      state,
      fen,
      tax_fen,
      number,
      issued_on: issuedOn,
      url,
      settled_at: now,
      settler,
      sent_fen: null,
    });
    await mail(tx, row, isRed ? 'fapiaoRed' : 'fapiaoIssued', { number, amount: yuan(fen), day: issuedOn });
    const refunded = fen - row.fen;
    if (!isRed && refunded > 0) await requests.askRed(tx, { ...row, fen }, all, refunded);
  }

  async function failed(tx: Tx, row: Fapiao, reason: string, settler: string, sent_fen: number | null): Promise<void> {
    const settled = { settled_at: clock.now(), settler, sent_fen };
    if (row.fen === 0) return changeFapiao(tx, row, { ...settled, state: 'cancelled', live: false });
    const failures = sent_fen === null ? row.failures + 1 : row.failures;
    await changeFapiao(tx, row, { ...settled, state: 'failed', reason, failures });
    if (row.original === null) await mail(tx, row, 'fapiaoFailed', { reason });
  }

  async function refused(tx: Tx, row: Fapiao, reason: string, sent_fen: number | null): Promise<void> {
    await failed(tx, row, reason, row.issuer, sent_fen);
    const params = { order: row.order_no, reason };
    const link = '/billing/invoices?tab=guests';
    await messages.post(tx, row.account_id, { template: 'fapiaoFailed', params, link });
  }

  async function send(
    accountId: string,
    id: string,
  ): Promise<{ kind: Fapiao['issuer']; answer: Promise<IssueAnswer> } | null> {
    const sent = await database.withSystem(async (tx) => {
      const found = await lockFapiao(tx, accountId, id);
      if (!found || !isAsked(found.row) || !issuers[found.row.issuer]) return null;
      const { row, all } = found;
      const fen = row.sent_fen ?? row.fen;
      if (row.sent_fen === null) await changeFapiao(tx, row, { sent_fen: fen });
      const { issuer, order_no: orderNo, buyer, seller, failures, asked_at: askedAt } = row;
      const taxFen = fen === row.fen ? row.tax_fen : taxOf(fen, seller.rate);
      const request = {
        id: `${id}-${failures}`,
        orderNo,
        buyer,
        seller,
        fen: Math.abs(fen),
        taxFen: Math.abs(taxFen),
        askedAt,
      };
      const original = all.find((one) => one.id === row.original)?.number ?? null;
      return { kind: issuer, request, original };
    });
    const issuer = sent && issuers[sent.kind];
    if (!issuer) return null;
    const { kind, request, original } = sent;
    return { kind, answer: original === null ? issuer.issue(request) : issuer.red({ ...request, original }) };
  }

  async function settle(accountId: string, id: string, kind: Fapiao['issuer'], answer: IssueAnswer): Promise<void> {
    await database.withSystem(async (tx) => {
      const found = await lockFapiao(tx, accountId, id);
      if (!found || !isAsked(found.row)) return;
      const { row } = found;
      if (answer.state === 'pending') {
        const age = clock.now().getTime() - row.asked_at.getTime();
        return enqueueIssue(tx, row, new Date(Date.now() + Math.max(askAgainMs, age / 10)));
      }
      if (answer.state === 'issued') await issued(tx, found, { ...answer, settler: kind });
      else await refused(tx, row, answer.reason, null);
      await record(tx, bySystem(accountId), {
        action: answer.state === 'issued' ? 'fapiao.issue' : 'fapiao.fail',
        object: { type: 'fapiao', id, name: row.order_no },
        gwid: row.gwid,
        after: answer.state === 'issued' ? { number: answer.number } : { reason: answer.reason },
        command: true,
        ...(answer.state === 'failed' && { result: 'failed' as const }),
      });
    });
  }

  return {
    isAsked,
    issued,
    failed,

    /** Has one issued. @throws Error while its issuer does not answer */
    async run({ accountId, id }: { accountId: string; id: string }, attempt: number): Promise<void> {
      const sent = await send(accountId, id);
      if (!sent) return;
      try {
        await settle(accountId, id, sent.kind, await sent.answer);
      } catch (error) {
        const { message: reason } = error as Error;
        log.warn({ fapiao: id, reason }, 'the issuer did not answer');
        if (attempt < maxAttempts) throw error;
        await database.withSystem(async (tx) => {
          const found = await lockFapiao(tx, accountId, id);
          // it may have been issued: the next try repeats the request
          if (found && isAsked(found.row)) await refused(tx, found.row, reason, found.row.sent_fen);
        });
      }
    },
  };
}

export type Issuing = ReturnType<typeof createIssuing>;
