import { createDecipheriv, createHash, createSign, createVerify, randomBytes } from 'node:crypto';
import type { PaymentEvent } from '../orders/payment-provider.ts';
import { type Adapter, type AdapterDeps, chinaHours, isFresh, type ProviderKind, withoutAccount } from './adapter.ts';
import { type Answer, ask, download, successOf } from './ask.ts';
import { maxBillBytes, readWechatBill, unpackWechatBill } from './bill-files.ts';

interface Resource {
  ciphertext: string;
  nonce: string;
  associated_data?: string;
}
interface Notice {
  out_trade_no: string;
  out_refund_no?: string;
  trade_state?: string;
  refund_status?: string;
  amount: { total: number; refund?: number };
}

const tagBytes = 16;

/** WeChat Pay API v3, Native (pay.weixin.qq.com/doc/v3): the payer scans a QR code. */
export function createWechat({ clock, endpoint, webhook, values }: AdapterDeps): Adapter {
  async function signedHeaders(method: 'GET' | 'POST', path: string, body = ''): Promise<Record<string, string>> {
    const { merchant_id, certificate_serial, private_key } = await values();
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
      ...(body && { 'content-type': 'application/json' }),
      authorization: `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`,
    };
  }

  async function request(method: 'GET' | 'POST', path: string, content?: object): Promise<Answer> {
    const body = content ? JSON.stringify(content) : '';
    const headers = await signedHeaders(method, path, body);
    return ask(`${endpoint}${path}`, { method, headers, ...(body && { body }) });
  }

  return {
    async create({ orderNo, fen }) {
      const { app_id, merchant_id } = await values();
      const { code_url } = successOf<{ code_url: string }>(
        await request('POST', '/v3/pay/transactions/native', {
          appid: app_id,
          mchid: merchant_id,
          description: orderNo,
          out_trade_no: orderNo,
          notify_url: webhook,
          amount: { total: fen, currency: 'CNY' },
        }),
      );
      return { qr: code_url };
    },

    async verify(headers, rawBody) {
      const { api_v3_key, public_key, public_key_id } = await values();
      const of = (name: string) => String(headers[`wechatpay-${name}`] ?? '');
      const signed = createVerify('RSA-SHA256')
        .update(`${of('timestamp')}\n${of('nonce')}\n`)
        .update(rawBody)
        .update('\n');
      if (of('serial') !== public_key_id || !isFresh(clock, of('timestamp'))) return null;
      if (!signed.verify(public_key, of('signature'), 'base64')) return null;
      const { id, resource } = JSON.parse(String(rawBody)) as { id: string; resource: Resource };
      return eventOf(id, JSON.parse(opened(resource, api_v3_key)) as Notice);
    },

    async query({ orderNo }) {
      const { merchant_id } = await values();
      const answer = await request('GET', `/v3/pay/transactions/out-trade-no/${orderNo}?mchid=${merchant_id}`);
      if (answer.status === 404) return { paidFen: 0 };
      const { trade_state, amount } = successOf<Partial<Notice>>(answer);
      // REFUND: paid, and refunded in part or in full
      return { paidFen: trade_state === 'SUCCESS' || trade_state === 'REFUND' ? amount!.total : 0 };
    },

    async refund({ orderNo, fen: total }, refundNo, refund) {
      successOf(
        await request('POST', '/v3/refund/domestic/refunds', {
          out_trade_no: orderNo,
          out_refund_no: refundNo,
          notify_url: webhook,
          amount: { refund, total, currency: 'CNY' },
        }),
      );
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

function eventOf(id: string, notice: Notice): PaymentEvent | 'ignored' {
  const { out_trade_no: orderNo, out_refund_no: refundNo, amount } = notice;
  if (notice.refund_status === 'SUCCESS' && refundNo)
    return { id, type: 'refunded', orderNo, fen: amount.refund ?? 0, refundNo };
  if (notice.trade_state !== 'SUCCESS') return 'ignored';
  return { id, type: 'paid', orderNo, fen: amount.total, refundNo: null };
}

export const wechat: ProviderKind = {
  create: createWechat,
  endpoint: 'https://api.mch.weixin.qq.com',
  accepted: '{"code":"SUCCESS"}',
};
