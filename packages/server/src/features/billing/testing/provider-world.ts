import { createHash } from 'node:crypto';
import { alipayLine, alipayZip, wechatBill, wechatLine } from './bills.ts';
import type { Asked, ProviderStand, Webhook } from './provider-stand.ts';

export type ProviderName = 'alipay' | 'wechat' | 'stripe';

export interface Payment {
  provider: ProviderName;
  no: string;
  fen: number;
  at: Date;
}

/** `later`, `fails`: accepted until `decide`; `undecided`: answered with an error at first. */
export type Fate = 'arrives' | 'later' | 'fails' | 'refused' | 'undecided';

export interface Refund extends Payment {
  refundNo: string;
  fate: Fate;
  state: 'open' | 'arrived' | 'failed';
  failedAt: Date | null;
  /** Made on the provider's own site, or taken by a dispute. */
  kind: 'asked' | 'elsewhere' | 'dispute';
  tries: number;
}

const [dayMs, chinaMs] = [86_400_000, 8 * 3_600_000];
const yuanOf = (fen: number) => (fen / 100).toFixed(2);

/**
 * Keeps what providers know of payments and refunds, answers their APIs and makes their statements, so that the
 * console's books can be compared with it.
 * @param fateOf decides about a refund when it is asked for
 */
export function createProviderWorld(stand: ProviderStand, now: () => Date, fateOf: (refundNo: string) => Fate) {
  const payments = new Map<string, Payment>();
  const refunds = new Map<string, Refund>();
  const refundsOf = (no: string) => [...refunds.values()].filter((refund) => refund.no === no);

  function addRefund(provider: ProviderName, refund: Pick<Refund, 'no' | 'refundNo' | 'fen' | 'kind'>): Refund {
    const fate = refund.kind === 'asked' ? fateOf(refund.refundNo) : 'arrives';
    const state = fate === 'arrives' ? 'arrived' : 'open';
    const made: Refund = { ...refund, provider, at: now(), fate, state, failedAt: null, tries: 0 };
    if (fate !== 'refused') refunds.set(refund.refundNo, made);
    return made;
  }

  function asks(provider: ProviderName, no: string, refundNo: string, fen: number): Refund {
    const refund = refunds.get(refundNo) ?? addRefund(provider, { no, refundNo, fen, kind: 'asked' });
    refund.tries += 1;
    if (refund.fate === 'undecided' && refund.tries > 1) refund.state = 'arrived';
    return refund;
  }

  const isLost = ({ fate, tries }: Refund) => fate === 'undecided' && tries === 1;
  const lost = { status: 500, body: '{"code":"SYSTEM_ERROR"}' };

  const wechatState = { open: 'PROCESSING', arrived: 'SUCCESS', failed: 'ABNORMAL' } as const;

  function wechat({ method, path, body }: Asked) {
    const [, billDay] = /bill_date=([\d-]+)/.exec(path) ?? /token=([\d-]+)/.exec(path) ?? [];
    if (path.startsWith('/v3/billdownload')) return { body: wechatBill(...wechatLines(billDay!)) };
    if (billDay) {
      const bill = wechatBill(...wechatLines(billDay));
      const hash_value = createHash('sha1').update(bill).digest('hex');
      return { body: JSON.stringify({ hash_value, download_url: `https://w/v3/billdownload?token=${billDay}` }) };
    }
    if (path.startsWith('/v3/pay/transactions/out-trade-no/')) {
      const payment = payments.get(/(\d{18})/.exec(path)![1]!);
      if (payment?.provider !== 'wechat') return { status: 404, body: '{"code":"ORDER_NOT_EXIST"}' };
      const amount = { total: payment.fen, currency: 'CNY' };
      return { body: JSON.stringify({ appid: 'wx1', mchid: '1900001', trade_state: 'SUCCESS', amount }) };
    }
    if (method === 'GET')
      return { body: JSON.stringify({ status: wechatState[refunds.get(path.split('/').at(-1)!)!.state] }) };
    const { out_trade_no, out_refund_no, amount } = JSON.parse(body) as {
      out_trade_no: string;
      out_refund_no: string;
      amount: { refund: number };
    };
    const refund = asks('wechat', out_trade_no, out_refund_no, amount.refund);
    if (refund.fate === 'refused') return { status: 403, body: '{"code":"NOT_ENOUGH","message":"no funds"}' };
    return isLost(refund) ? lost : { body: JSON.stringify({ status: wechatState[refund.state] }) };
  }

  function alipay({ path, body }: Asked) {
    if (path.startsWith('/bill.zip')) return { body: alipayZip(...alipayLines(path.split('=')[1]!)) };
    const form = new URLSearchParams(body);
    const method = form.get('method')!;
    const reply = (answer: object) => stand.alipayReply(method, { code: '10000', ...answer });
    const content = JSON.parse(form.get('biz_content')!) as Record<string, string>;
    const no = content.out_trade_no!;
    if (method === 'alipay.data.dataservice.bill.downloadurl.query')
      return reply({ bill_download_url: `${stand.endpoints.wechat}/bill.zip?day=${content.bill_date}` });
    if (method === 'alipay.trade.query') {
      const payment = payments.get(no);
      return payment?.provider === 'alipay'
        ? reply({ trade_status: 'TRADE_SUCCESS', total_amount: yuanOf(payment.fen), out_trade_no: no })
        : reply({ code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' });
    }
    if (method === 'alipay.trade.fastpay.refund.query') {
      const refund = refunds.get(content.out_request_no!)!;
      return reply(
        refund.state === 'arrived' ? { refund_status: 'REFUND_SUCCESS', refund_amount: yuanOf(refund.fen) } : {},
      );
    }
    const refund = asks('alipay', no, content.out_request_no!, Math.round(Number(content.refund_amount) * 100));
    if (refund.fate === 'refused') return reply({ code: '40004', sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH' });
    if (isLost(refund)) return lost;
    return reply({ fund_change: refund.state === 'arrived' && refund.tries === 1 ? 'Y' : 'N' });
  }

  const stripeRefund = ({ no, refundNo, fen, state, kind }: Refund) => ({
    id: `re_${refundNo}`,
    object: kind === 'dispute' ? 'dispute' : 'refund',
    amount: fen,
    currency: 'cny',
    payment_intent: `pi_${no}`,
    status: { open: 'pending', arrived: 'succeeded', failed: 'failed' }[state],
    ...(state === 'failed' && { failure_reason: 'lost_or_stolen_card' }),
    metadata: kind === 'asked' ? { order_no: no, refund_no: refundNo } : {},
  });

  function stripe({ method, path, body }: Asked) {
    const { pathname, searchParams } = new URL(path, 'http://stripe');
    const page = (data: object[]) => ({ body: JSON.stringify({ data }) });
    const intentOf = ({ no, fen }: Payment) => ({
      id: `pi_${no}`,
      status: 'succeeded',
      currency: 'cny',
      amount_received: fen,
      metadata: { order_no: no },
    });
    if (pathname === '/v1/payment_intents/search') {
      const payment = payments.get(/'(\d+)'$/.exec(searchParams.get('query')!)![1]!);
      return page(payment?.provider === 'stripe' ? [intentOf(payment)] : []);
    }
    if (pathname === '/v1/balance_transactions') return page(stripeMovements(searchParams));
    if (pathname.startsWith('/v1/payment_intents/'))
      return { body: JSON.stringify(intentOf(payments.get(pathname.split('pi_')[1]!)!)) };
    if (method === 'GET') return page(refundsOf(searchParams.get('payment_intent')!.slice(3)).map(stripeRefund));
    const form = new URLSearchParams(body);
    const no = form.get('metadata[order_no]')!;
    const refund = asks('stripe', no, form.get('metadata[refund_no]')!, Number(form.get('amount')));
    if (refund.fate === 'refused') return { status: 402, body: '{"error":{"code":"charge_already_refunded"}}' };
    return isLost(refund) ? lost : { body: JSON.stringify(stripeRefund(refund)) };
  }

  function movedIn(provider: ProviderName, from: number, to: number) {
    const isIn = ({ at }: { at: Date }) => at.getTime() >= from && at.getTime() < to;
    const paid = [...payments.values()].filter((payment) => payment.provider === provider && isIn(payment));
    const back = [...refunds.values()].filter((refund) => refund.provider === provider && isIn(refund));
    return { paid, back: back.filter(({ failedAt }) => !failedAt || failedAt.getTime() >= to) };
  }

  const chinaDay = (day: string) => Date.parse(day) - chinaMs;

  function wechatLines(day: string): string[] {
    const { paid, back } = movedIn('wechat', chinaDay(day), chinaDay(day) + dayMs);
    return [
      ...paid.map(({ no, fen }) => wechatLine(no, 'SUCCESS', yuanOf(fen))),
      ...back.map(({ no, fen }) => wechatLine(no, 'REFUND', '0.00', yuanOf(fen), 'SUCCESS')),
    ];
  }

  function alipayLines(day: string): string[] {
    const { paid, back } = movedIn('alipay', chinaDay(day), chinaDay(day) + dayMs);
    return [
      ...paid.map(({ no, fen }) => alipayLine(no, '交易', yuanOf(fen))),
      ...back.map(({ no, fen }) => alipayLine(no, '退款', `-${yuanOf(fen)}`)),
    ];
  }

  /** Stripe books a failure on its own day. */
  function stripeMovements(query: URLSearchParams): object[] {
    const [from, to] = [Number(query.get('created[gte]')) * 1000, Number(query.get('created[lt]')) * 1000];
    const isIn = (at: Date) => at.getTime() >= from && at.getTime() < to;
    const paid = [...payments.values()].filter(({ provider, at }) => provider === 'stripe' && isIn(at));
    const back = [...refunds.values()].filter(({ provider }) => provider === 'stripe');
    return [
      ...paid.map(({ no, fen }) => ({
        id: `txn_${no}`,
        amount: fen,
        source: { id: `ch_${no}`, object: 'charge', amount: fen, metadata: { order_no: no } },
      })),
      ...back
        .filter(({ at }) => isIn(at))
        .map((refund) => ({ id: `txn_${refund.refundNo}`, amount: -refund.fen, source: stripeRefund(refund) })),
      ...back
        .filter(({ failedAt }) => failedAt && isIn(failedAt))
        .map((refund) => ({ id: `txn_f${refund.refundNo}`, amount: refund.fen, source: stripeRefund(refund) })),
    ];
  }

  stand.answer((asked) => {
    if (asked.path.startsWith('/v1/')) return stripe(asked);
    return asked.path.startsWith('/v3/') ? wechat(asked) : alipay(asked);
  });

  const notices = {
    paid: {
      stripe: ({ no, fen }: Payment, currency = 'cny') =>
        stand.stripe({
          type: 'checkout.session.completed',
          data: {
            object: { id: `cs_${no}`, client_reference_id: no, amount_total: fen, payment_status: 'paid', currency },
          },
        }),
      wechat: ({ no, fen }: Payment) =>
        stand.wechat({
          appid: 'wx1',
          mchid: '1900001',
          out_trade_no: no,
          trade_state: 'SUCCESS',
          amount: { total: fen, currency: 'CNY' },
        }),
      alipay: ({ no, fen, at }: Payment) =>
        stand.alipay({
          notify_id: `paid-${no}-${at.getTime()}`,
          app_id: '2021001',
          out_trade_no: no,
          trade_status: 'TRADE_SUCCESS',
          total_amount: yuanOf(fen),
        }),
    },
    refunded: {
      stripe: (refund: Refund) => {
        const type =
          refund.kind === 'dispute'
            ? `charge.dispute.funds_${refund.state === 'failed' ? 'reinstated' : 'withdrawn'}`
            : `refund.${refund.state === 'failed' ? 'failed' : 'updated'}`;
        return stand.stripe({ type, data: { object: { ...stripeRefund(refund), reason: 'fraudulent' } } });
      },
      wechat: ({ no, refundNo, fen, state }: Refund) =>
        stand.wechat({
          mchid: '1900001',
          out_trade_no: no,
          out_refund_no: refundNo,
          refund_status: wechatState[state],
          amount: { total: payments.get(no)!.fen, refund: fen },
        }),
      alipay: ({ no, refundNo, fen }: Refund) =>
        stand.alipay({
          notify_id: `refund-${refundNo}`,
          app_id: '2021001',
          out_trade_no: no,
          out_biz_no: refundNo,
          trade_status: 'TRADE_SUCCESS',
          total_amount: yuanOf(payments.get(no)!.fen),
          refund_fee: yuanOf(fen),
        }),
    },
  };

  return {
    payments,
    refunds,
    pay(provider: ProviderName, no: string, fen: number): Payment {
      const payment = { provider, no, fen, at: now() };
      payments.set(no, payment);
      return payment;
    },
    refundElsewhere: ({ provider, no }: Payment, refundNo: string, fen: number, kind: 'elsewhere' | 'dispute') =>
      addRefund(provider, { no, refundNo, fen, kind }),
    decide(refund: Refund, state: 'arrived' | 'failed'): void {
      refund.state = state;
      if (state === 'failed') refund.failedAt = now();
    },
    paid: (payment: Payment): Webhook => notices.paid[payment.provider](payment),
    paidInYen: (payment: Payment): Webhook => notices.paid.stripe(payment, 'jpy'),
    refunded: (refund: Refund): Webhook => notices.refunded[refund.provider](refund),
  };
}
