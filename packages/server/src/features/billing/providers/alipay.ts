import { createSign, createVerify } from 'node:crypto';
import type { Contradiction, PaymentEvent, RefundProgress } from '../orders/payment-provider.ts';
import {
  type Adapter,
  type AdapterDeps,
  chinaHours,
  decimal,
  fenOfDecimal,
  type PayHost,
  type ProviderKind,
  withoutAccount,
} from './adapter.ts';
import { ask, download, successOf } from './ask.ts';
import { maxBillBytes, readAlipayBill } from './bill-files.ts';
import type { ProviderValues } from './settings.ts';

type Params = Readonly<Record<string, string>>;
interface Reply {
  code: string;
  sub_code?: string;
  msg?: string;
  trade_status?: string;
  total_amount?: string;
  trans_currency?: string;
  bill_download_url?: string;
  fund_change?: string;
  refund_status?: string;
  refund_amount?: string;
  sub_msg?: string;
}

/** Parameters in order, without signature and empty ones. */
const signedText = (params: Params) =>
  Object.entries(params)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

const paidStates = ['TRADE_SUCCESS', 'TRADE_FINISHED'];
/** Alipay's times are China's. */
const chinaMs = chinaHours * 3_600_000;
const chinaTime = (at: Date) => new Date(at.getTime() + chinaMs).toISOString().slice(0, 19).replace('T', ' ');

const arrived = { state: 'arrived', reason: '' } as const;
const businessFailed = '40004';
/** Characters, of which Alipay takes no /, = and &. */
const subjectLength = 256;

export function createAlipay({ clock, endpoint, webhook, values }: AdapterDeps): Adapter {
  async function signed(method: string, content: object, more: Params = {}): Promise<Params> {
    const { app_id, private_key } = await values();
    const params: Params = {
      app_id,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      version: '1.0',
      ...more,
      timestamp: chinaTime(clock.now()),
      biz_content: JSON.stringify(content),
    };
    return { ...params, sign: createSign('RSA-SHA256').update(signedText(params)).sign(private_key, 'base64') };
  }

  /** @throws Error if the answer is not signed by Alipay */
  async function request(method: string, content: object): Promise<Reply> {
    const body = new URLSearchParams(await signed(method, content));
    const answer = await ask(endpoint, { method: 'POST', body });
    successOf(answer);
    const name = `${method.replaceAll('.', '_')}_response`;
    // the signature covers the raw answer
    const [, text = '', sign = ''] =
      new RegExp(`"${name}":(\\{.*\\}),"(?:alipay_cert_sn":"[^"]*","|)sign":"([^"]*)"`, 's').exec(answer.text) ?? [];
    const { public_key } = await values();
    if (!createVerify('RSA-SHA256').update(text).verify(public_key, sign, 'base64'))
      throw new Error(`the answer to ${method} is not signed by Alipay`);
    return JSON.parse(text) as Reply;
  }

  async function refundOf(orderNo: string, refundNo: string): Promise<Reply> {
    const reply = await request('alipay.trade.fastpay.refund.query', {
      out_trade_no: orderNo,
      out_request_no: refundNo,
    });
    if (reply.code !== '10000') throw new Error(`Alipay answered ${reply.code} ${reply.sub_code}`);
    return reply;
  }

  async function progressOf(orderNo: string, refundNo: string): Promise<RefundProgress> {
    const { refund_status } = await refundOf(orderNo, refundNo);
    return refund_status === 'REFUND_SUCCESS' ? arrived : { state: 'accepted', reason: '' };
  }

  async function refundEvent(id: string, orderNo: string, refundNo: string): Promise<PaymentEvent | 'ignored'> {
    const { refund_status, refund_amount = '' } = await refundOf(orderNo, refundNo);
    if (refund_status !== 'REFUND_SUCCESS') return 'ignored';
    return { id, type: 'refunded', orderNo, fen: fenOfDecimal(refund_amount), refundNo, ...arrived };
  }

  return {
    async create({ orderNo, fen, returnUrl, payer, expiresAt, description }) {
      // guests pay on phones
      const [method, product_code] =
        payer === 'guest'
          ? ['alipay.trade.wap.pay', 'QUICK_WAP_WAY']
          : ['alipay.trade.page.pay', 'FAST_INSTANT_TRADE_PAY'];
      const content = {
        out_trade_no: orderNo,
        product_code,
        total_amount: decimal(fen),
        subject: description.replace(/[/=&]/g, ' ').slice(0, subjectLength),
        time_expire: chinaTime(expiresAt),
      };
      const params = await signed(method, content, { notify_url: webhook, return_url: returnUrl });
      return { url: `${endpoint}?${new URLSearchParams(params)}` };
    },

    async verify(_headers, rawBody) {
      const { sign, sign_type: _type, ...params } = Object.fromEntries(new URLSearchParams(String(rawBody)));
      const { public_key } = await values();
      const verified = createVerify('RSA-SHA256')
        .update(signedText(params))
        .verify(public_key, sign ?? '', 'base64');
      if (!verified) return null;
      const { notify_id: id = '', out_trade_no: orderNo = '', out_biz_no: refundNo, refund_fee } = params;
      if (!refund_fee) return eventOf(params, await values());
      return refundNo ? refundEvent(id, orderNo, refundNo) : 'ignored';
    },

    async query({ orderNo }) {
      const { code, sub_code, trade_status, total_amount, trans_currency } = await request('alipay.trade.query', {
        out_trade_no: orderNo,
      });
      if (sub_code === 'ACQ.TRADE_NOT_EXIST') return { paidFen: 0 };
      if (code !== '10000') throw new Error(`Alipay answered ${code} ${sub_code}`);
      return paidStates.includes(trade_status ?? '')
        ? { paidFen: fenOfDecimal(total_amount ?? '0'), differs: inYuan(trans_currency) }
        : { paidFen: 0 };
    },

    async refund({ orderNo }, refundNo, fen) {
      const { code, sub_code, sub_msg, fund_change } = await request('alipay.trade.refund', {
        out_trade_no: orderNo,
        out_request_no: refundNo,
        refund_amount: decimal(fen),
      });
      if (code === businessFailed && sub_code !== 'ACQ.SYSTEM_ERROR')
        return { state: 'failed', reason: `${sub_code} ${sub_msg ?? ''}`.trim() };
      if (code !== '10000') throw new Error(`Alipay answered ${code} ${sub_code}`);
      // N: this request moved nothing, as a repetition does
      return fund_change === 'Y' ? arrived : progressOf(orderNo, refundNo);
    },

    refundProgress: ({ orderNo }, refundNo) => progressOf(orderNo, refundNo),

    statement: {
      hoursEast: chinaHours,
      async read({ day }) {
        const { code, sub_code, bill_download_url } = await request('alipay.data.dataservice.bill.downloadurl.query', {
          bill_type: 'trade',
          bill_date: day,
        });
        // a day without payments
        if (/bill_not_exist$/i.test(sub_code ?? '')) return [];
        if (code !== '10000' || !bill_download_url) throw new Error(`Alipay answered ${code} ${sub_code}`);
        return readAlipayBill(await download(bill_download_url, {}, maxBillBytes)).map(withoutAccount);
      },
    },
  };
}

function eventOf(
  { notify_id: id = '', out_trade_no: orderNo = '', ...params }: Params,
  ours: Pick<ProviderValues, 'app_id' | 'seller_id'>,
): PaymentEvent | 'ignored' {
  if (!paidStates.includes(params.trade_status ?? '')) return 'ignored';
  const differs = differenceOf(params, ours);
  return { id, type: 'paid', orderNo, fen: fenOfDecimal(params.total_amount ?? '0'), differs };
}

function differenceOf(
  { app_id = '', seller_id, trans_currency }: Params,
  ours: Pick<ProviderValues, 'app_id' | 'seller_id'>,
): Contradiction | undefined {
  if (app_id !== ours.app_id) return { kind: 'merchant_differs', ours: ours.app_id ?? '', theirs: app_id };
  if (ours.seller_id && seller_id !== ours.seller_id)
    return { kind: 'merchant_differs', ours: ours.seller_id, theirs: seller_id ?? '' };
  return inYuan(trans_currency);
}

const inYuan = (currency = 'CNY'): Contradiction | undefined =>
  currency === 'CNY' ? undefined : { kind: 'currency_differs', ours: 'CNY', theirs: currency };

const alipayHosts: readonly PayHost[] = [
  { host: 'openapi.alipay.com', documented: 'opendocs.alipay.com: gateway of alipay.trade.wap.pay' },
  { host: 'mclient.alipay.com', documented: null },
  { host: 'mobilegw.alipay.com', documented: null },
  { host: 'gw.alipayobjects.com', documented: null },
];

export const alipay: ProviderKind = {
  create: createAlipay,
  endpoint: 'https://openapi.alipay.com/gateway.do',
  accepted: 'success',
  // WeChat blocks its pages
  elsewhere: { captive: 'refused', wechat: 'refused' },
  hosts: alipayHosts,
};
