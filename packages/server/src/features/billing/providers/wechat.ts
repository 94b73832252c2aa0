import { createDecipheriv, createHash, createSign, randomBytes } from 'node:crypto';
import {
  BegunElsewhere,
  type Contradiction,
  type PaymentEvent,
  type PayOrder,
  type RefundProgress,
} from '../orders/payment-provider.ts';
import {
  type Adapter,
  type AdapterDeps,
  chinaHours,
  isFresh,
  type ProviderKind,
  within,
  withoutAccount,
} from './adapter.ts';
import { type Answer, ask, download, isRefusal, successOf } from './ask.ts';
import { maxBillBytes, readWechatBill, unpackWechatBill } from './bill-files.ts';
import { isSigned, platformKeys } from './wechat-keys.ts';
import { createWechatPhone, wechatHosts } from './wechat-phone.ts';

interface Resource {
  ciphertext: string;
  nonce: string;
  associated_data?: string;
}
interface Notice {
  appid?: string;
  mchid?: string;
  out_trade_no: string;
  out_refund_no?: string;
  trade_state?: string;
  refund_status?: string;
  amount: { total: number; refund?: number; currency?: string };
}
interface Refund {
  status?: string;
  code?: string;
  message?: string;
}

const api = 'https://api.mch.weixin.qq.com';
const tagBytes = 16;
const descriptionBytes = 127;

const rfc3339 = (at: Date) => `${at.toISOString().slice(0, 19)}+00:00`;

/** WeChat Pay API v3 (pay.weixin.qq.com/doc/v3). Native: the payer scans a QR code. */
export function createWechat({ clock, endpoint, webhook, values, isOn }: AdapterDeps): Adapter {
  async function trusted() {
    const { public_key, public_key_id } = await values();
    return platformKeys(public_key, public_key_id ?? '') ?? new Map();
  }

  async function signedHeaders(method: 'GET' | 'POST', path: string, body = ''): Promise<Record<string, string>> {
    const { merchant_id, certificate_serial, private_key } = await values();
    const [serial = ''] = (await trusted()).keys();
    const timestamp = String(Math.floor(clock.now().getTime() / 1000));
    const nonce = randomBytes(16).toString('hex');
    const signature = createSign('RSA-SHA256')
      .update(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`)
      .sign(private_key, 'base64');
    const parts = { mchid: merchant_id, nonce_str: nonce, signature, timestamp, serial_no: certificate_serial };
    const list = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
    return {
      accept: 'application/json',
      'user-agent': 'yunxun',
      // names the key that we check answers by
      'wechatpay-serial': serial,
      ...(body && { 'content-type': 'application/json' }),
      authorization: `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`,
    };
  }

  async function request(method: 'GET' | 'POST', path: string, content?: object): Promise<Answer> {
    const body = content ? JSON.stringify(content) : '';
    const headers = await signedHeaders(method, path, body);
    const answer = await ask(`${endpoint}${path}`, { method, headers, ...(body && { body }) });
    // WeChat Pay signs what it did, not why it refused
    if (answer.status < 300) requireSigned(await trusted(), answer);
    return answer;
  }

  async function begin<T>(
    way: 'native' | 'h5' | 'jsapi',
    { orderNo, fen, expiresAt, description }: PayOrder,
    more: object = {},
  ) {
    const { app_id, merchant_id } = await values();
    const answer = await request('POST', `/v3/pay/transactions/${way}`, {
      appid: app_id,
      mchid: merchant_id,
      description: within(description, descriptionBytes),
      out_trade_no: orderNo,
      time_expire: rfc3339(expiresAt),
      notify_url: webhook,
      amount: { total: fen, currency: 'CNY' },
      ...more,
    });
    // a number belongs to the way in which it was begun
    if (isRefusal(answer) && /OUT_TRADE_NO_USED|商户订单号重复/.test(answer.text))
      throw new BegunElsewhere(answer.text);
    return successOf<T>(answer);
  }

  return {
    phone: createWechatPhone({ clock, values, isOn, begin, endpoint, isReal: endpoint === api }),

    async create(order) {
      const { code_url } = await begin<{ code_url: string }>('native', order);
      return { qr: code_url };
    },

    async verify(headers, rawBody) {
      const { app_id, merchant_id, api_v3_key } = await values();
      const of = (name: string) => String(headers[name] ?? '');
      if (!isFresh(clock, of('wechatpay-timestamp')) || !isSigned(await trusted(), of, rawBody)) return null;
      const { id, resource } = JSON.parse(String(rawBody)) as { id: string; resource: Resource };
      return eventOf(id, JSON.parse(opened(resource, api_v3_key)) as Notice, { app_id, merchant_id });
    },

    async query({ orderNo }) {
      const { app_id, merchant_id } = await values();
      const answer = await request('GET', `/v3/pay/transactions/out-trade-no/${orderNo}?mchid=${merchant_id}`);
      if (answer.status === 404) return { paidFen: 0 };
      const notice = successOf<Notice>(answer);
      // REFUND: paid, and refunded in part or in full
      return notice.trade_state === 'SUCCESS' || notice.trade_state === 'REFUND'
        ? { paidFen: notice.amount.total, differs: differenceOf(notice, { app_id, merchant_id }) }
        : { paidFen: 0 };
    },

    async refund({ orderNo, fen: total }, refundNo, refund) {
      const answer = await request('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: orderNo,
        out_refund_no: refundNo,
        notify_url: webhook,
        amount: { refund, total, currency: 'CNY' },
      });
      if (isRefusal(answer)) return { state: 'failed', reason: refusalOf(answer) };
      return progressOf(successOf<Refund>(answer).status);
    },

    async refundProgress(_order, refundNo) {
      return progressOf(successOf<Refund>(await request('GET', `/v3/refund/domestic/refunds/${refundNo}`)).status);
    },

    statement: {
      hoursEast: chinaHours,
      async read({ day }) {
        const answer = await request('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`);
        // a day without payments
        if (answer.text.includes('NO_STATEMENT_EXIST')) return [];
        const { hash_value, download_url } = successOf<{ hash_value: string; download_url: string }>(answer);
        // only the path: the signature goes to WeChat Pay alone
        const { pathname, search } = new URL(download_url);
        const path = `${pathname}${search}`;
        const file = await download(`${endpoint}${path}`, await signedHeaders('GET', path), maxBillBytes);
        const bill = await unpackWechatBill(file);
        // of the unpacked file
        if (createHash('sha1').update(bill).digest('hex') !== hash_value.toLowerCase())
          throw new Error('the statement of WeChat Pay does not match its hash');
        return readWechatBill(bill.toString()).map(withoutAccount);
      },
    },
  };
}

/** Decrypts AEAD_AES_256_GCM; the tag ends the ciphertext. @throws Error if altered */
function opened({ ciphertext, nonce, associated_data = '' }: Resource, key: string): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), Buffer.from(nonce), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(associated_data));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString();
}

function requireSigned(keys: Parameters<typeof isSigned>[0], { headers, text }: Answer): void {
  if (!isSigned(keys, (name) => headers.get(name) ?? '', text))
    throw new Error('the answer is not signed by WeChat Pay');
}

/** ABNORMAL: the payer's card is gone, and the merchant decides on WeChat Pay's site. */
function progressOf(status = ''): RefundProgress {
  if (status === 'SUCCESS') return { state: 'arrived', reason: '' };
  return status === 'CLOSED' || status === 'ABNORMAL'
    ? { state: 'failed', reason: status }
    : { state: 'accepted', reason: '' };
}

function refusalOf({ status, text }: Answer): string {
  try {
    const { code = String(status), message = '' } = JSON.parse(text) as Refund;
    return `${code} ${message}`.trim();
  } catch {
    return String(status);
  }
}

function differenceOf(notice: Notice, ours: { app_id: string; merchant_id: string }): Contradiction | undefined {
  const { mchid = ours.merchant_id, appid = ours.app_id, amount } = notice;
  const currency = amount.currency ?? 'CNY';
  if (mchid !== ours.merchant_id) return { kind: 'merchant_differs', ours: ours.merchant_id, theirs: mchid };
  if (appid !== ours.app_id) return { kind: 'merchant_differs', ours: ours.app_id, theirs: appid };
  return currency === 'CNY' ? undefined : { kind: 'currency_differs', ours: 'CNY', theirs: currency };
}

function eventOf(id: string, notice: Notice, ours: { app_id: string; merchant_id: string }): PaymentEvent | 'ignored' {
  const { out_trade_no: orderNo, out_refund_no: refundNo, refund_status, trade_state, amount } = notice;
  const differs = differenceOf(notice, ours);
  if (refundNo && refund_status)
    return { id, type: 'refunded', orderNo, fen: amount.refund ?? 0, refundNo, differs, ...progressOf(refund_status) };
  if (trade_state !== 'SUCCESS') return 'ignored';
  return { id, type: 'paid', orderNo, fen: amount.total, differs };
}

export const wechat: ProviderKind = {
  create: createWechat,
  endpoint: api,
  accepted: '{"code":"SUCCESS"}',
  elsewhere: { captive: 'unsure' },
  hosts: wechatHosts,
};
