import type { Locale } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { record } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import type { Order } from '../orders/order-kind.ts';
import { yuan } from '../service.ts';
import { type FapiaoSettings, readSettings } from './settings.ts';
import { changeFapiao, fapiaosOf } from './store.ts';
import { type Buyer, type Fapiao, fapiaoTables } from './tables.ts';
import { taxOf } from './tax.ts';

export const issueTask = 'fapiao-issue';
/** Since the payment. */
export const askDays = 180;
/** After them, only the shop asks again. */
const maxFailures = 5;

export const enqueueIssue = (tx: Tx, { account_id, id }: Pick<Fapiao, 'account_id' | 'id'>, runAt?: Date) =>
  enqueue(tx, issueTask, { accountId: account_id, id }, runAt ? { runAt } : {});

/** Returns fen that an invoice can be asked for; 0: none. */
export function askableFen(order: Order, { enabled }: FapiaoSettings, now: Date): number {
  const { payer, currency, state, paidAt } = order;
  if (!enabled || payer !== 'guest' || currency !== 'CNY' || state !== 'completed' || !paidAt) return 0;
  return now.getTime() - paidAt.getTime() < askDays * 86_400_000 ? order.fen - order.refundedFen : 0;
}

export const isCorrectable = ({ state, failures, sent_fen }: Fapiao) =>
  state === 'failed' && sent_fen === null && failures < maxFailures;

const sumOf = (rows: readonly Fapiao[]) => rows.reduce((sum, { fen }) => sum + fen, 0);
const isOpenRed = (blue: Fapiao) => (row: Fapiao) => row.original === blue.id && row.state !== 'cancelled';

const withAmount = ({ seller }: Fapiao, fen: number) => ({ fen, tax_fen: taxOf(fen, seller.rate) });

export function createRequests({ clock, messages }: { clock: Clock; messages: Pick<Messages, 'post'> }) {
  /** Has the issuer issue, or the shop. */
  async function begin(tx: Tx, row: Pick<Fapiao, 'account_id' | 'id' | 'order_no' | 'issuer' | 'fen'>): Promise<void> {
    const { account_id, order_no: order, issuer, fen } = row;
    if (issuer !== 'manual') return enqueueIssue(tx, row);
    const params = { order, amount: yuan(fen) };
    await messages.post(tx, account_id, { template: 'fapiaoAsked', params, link: '/billing/invoices?tab=guests' });
  }

  /** Asks for the invoice of a locked order, or anew for one that failed. @returns false: not now */
  async function ask(
    tx: Tx,
    acting: Acting,
    order: Order,
    { buyer, locale }: { buyer: Buyer; locale: Locale },
  ): Promise<boolean> {
    const now = clock.now();
    const settings = await readSettings(tx, order.accountId);
    const fen = askableFen(order, settings, now);
    const known = (await fapiaosOf(tx, order)).find(({ live }) => live);
    if (fen <= 0 || (known && !isCorrectable(known))) return false;
    const { seller, issuer } = settings;
    const { accountId: account_id, orderNo: order_no, gwid } = order;
    const id = known?.id ?? newId(now.getTime());
    const values = {
      state: 'asked' as const,
      fen,
      tax_fen: taxOf(fen, seller.rate),
      buyer: JSON.stringify(buyer),
      seller: JSON.stringify(seller),
      issuer,
      locale,
      asked_at: now,
    };
    if (known) await changeFapiao(tx, known, { ...values, reason: null, settled_at: null, settler: null });
    else
      await fapiaoTables(tx)
        .insertInto('fapiao')
        .values({ account_id, id, gwid, order_no, live: true, original: null, ...values })
        .execute();
    await begin(tx, { account_id, id, order_no, issuer, fen });
    await record(tx, acting, {
      action: 'fapiao.ask',
      object: { type: 'fapiao', id, name: order_no },
      gwid,
      after: { amount: yuan(fen), kind: buyer.kind },
      command: true,
    });
    return true;
  }

  /** Asks for a red invoice of a part; the taxes of parts add up to that of the whole. */
  async function askRed(tx: Tx, blue: Fapiao, all: readonly Fapiao[], fen: number): Promise<void> {
    const { account_id, gwid, order_no, seller, buyer, issuer, locale } = blue;
    const before = blue.fen + sumOf(all.filter(isOpenRed(blue)));
    const left = before - fen;
    const now = clock.now();
    const id = newId(now.getTime());
    await fapiaoTables(tx)
      .insertInto('fapiao')
      .values({
        account_id,
        id,
        gwid,
        order_no,
        state: 'red_asked',
        live: false,
        fen: -fen,
        tax_fen: taxOf(left, seller.rate) - taxOf(before, seller.rate),
        original: blue.id,
        buyer: JSON.stringify(buyer),
        seller: JSON.stringify(seller),
        issuer,
        locale,
        asked_at: now,
      })
      .execute();
    if (left <= 0) await changeFapiao(tx, blue, { live: false });
    await begin(tx, { account_id, id, order_no, issuer, fen: -fen });
  }

  /** Follows the refund of a locked order: lowers or cancels a request, or asks for a red invoice. */
  async function followRefund(tx: Tx, order: Order, refundFen: number): Promise<void> {
    const all = await fapiaosOf(tx, order);
    const blue = all.find(({ live }) => live);
    if (!blue) return;
    if (blue.state === 'issued') return askRed(tx, blue, all, refundFen);
    const left = Math.max(0, blue.fen - refundFen);
    await changeFapiao(tx, blue, withAmount(blue, left));
    // the issuer's answer decides about one that was sent
    if (left === 0 && blue.sent_fen === null)
      await changeFapiao(tx, blue, { state: 'cancelled', live: false, settled_at: clock.now() });
  }

  /** Follows a refund of a locked order that failed: cancels its red request, or gives an open request its amount back. */
  async function followFailure(tx: Tx, order: Order, refundFen: number): Promise<void> {
    const all = await fapiaosOf(tx, order);
    const red = all.find(
      ({ state, fen, original, sent_fen }) =>
        original !== null && (state === 'red_asked' || state === 'failed') && sent_fen === null && fen === -refundFen,
    );
    if (red) {
      await changeFapiao(tx, red, { state: 'cancelled', settled_at: clock.now() });
      return changeFapiao(tx, { account_id: red.account_id, id: red.original! }, { live: true });
    }
    const blue = all.find(({ live, state }) => live && state !== 'issued');
    if (blue) await changeFapiao(tx, blue, withAmount(blue, blue.fen + refundFen));
  }

  return { ask, askRed, followRefund, followFailure };
}

export type Requests = ReturnType<typeof createRequests>;
