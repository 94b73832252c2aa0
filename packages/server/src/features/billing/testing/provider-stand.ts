import { createCipheriv, createHmac, createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../platform/database/index.ts';

export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Webhook {
  headers: Record<string, string>;
  body: string;
}

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [merchant, provider, stranger] = [pair(), pair(), pair()];
const apiV3Key = 'k'.repeat(32);

const signed = (text: string, key: string) => createSign('RSA-SHA256').update(text).sign(key, 'base64');
export const textOf = (params: Record<string, string>) =>
  Object.keys(params)
    .toSorted()
    .map((name) => `${name}=${params[name]}`)
    .join('&');

const verified = (text: string, signature: string) =>
  createVerify('RSA-SHA256').update(text).verify(merchant.publicKey, signature, 'base64');

/** Simulates the providers' services on loopback; signs what they send, and answers as the test says. */
export async function startProviderStand(now: () => Date = () => new Date()) {
  const seconds = () => String(Math.floor(now().getTime() / 1000));
  let answersAs = { key: provider.privateKey, serial: 'PUB_KEY_ID_1' };
  function wechatSignature(body: string, { key, serial } = answersAs): Record<string, string> {
    const [t, nonce] = [seconds(), randomBytes(6).toString('hex')];
    return {
      'wechatpay-timestamp': t,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': serial,
      'wechatpay-signature': signed(`${t}\n${nonce}\n${body}\n`, key),
    };
  }
  const asked: Asked[] = [];
  let answer: (request: Asked) => { status?: number; body: string | Buffer } = () => ({ body: '{}' });
  const stand = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += String(part)));
    request.on('end', () => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body };
      asked.push(one);
      const { status = 200, body: text } = answer(one);
      const isWechat = one.path.startsWith('/v3/') && typeof text === 'string';
      response
        .writeHead(status, { 'content-type': 'application/json', ...(isWechat && wechatSignature(text)) })
        .end(text);
    });
  });
  await new Promise<void>((done) => stand.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(stand.address() as AddressInfo).port}`;

  return {
    asked,
    keys: { merchant, provider, stranger, apiV3Key },
    endpoints: { alipay: `${endpoint}/gateway.do`, wechat: endpoint, stripe: endpoint },
    answer: (by: typeof answer) => {
      answer = by;
    },
    answerAs(signer: typeof answersAs) {
      answersAs = signer;
    },
    reset() {
      asked.length = 0;
      answersAs = { key: provider.privateKey, serial: 'PUB_KEY_ID_1' };
      answer = () => ({ body: '{}' });
    },
    stop: () => new Promise<void>((done) => stand.close(() => done())),

    settings: {
      stripe: { provider: 'stripe', enabled: true, secret_key: 'sk_test_1', webhook_secret: 'whsec_1' },
      wechat: {
        provider: 'wechat',
        enabled: true,
        app_id: 'wx1',
        merchant_id: '1900001',
        certificate_serial: 'AB12',
        private_key: merchant.privateKey,
        api_v3_key: apiV3Key,
        public_key_id: 'PUB_KEY_ID_1',
        public_key: provider.publicKey,
      },
      alipay: {
        provider: 'alipay',
        enabled: true,
        app_id: '2021001',
        private_key: merchant.privateKey,
        public_key: provider.publicKey,
      },
    },

    verified,
    /** Checks what a request was signed or authorized by, as its provider does. */
    isGenuine({ method, path, headers, body }: Asked): boolean {
      if (path.startsWith('/v1/'))
        return headers.authorization === 'Bearer sk_test_1' && headers['stripe-version'] === '2024-06-20';
      if (path.startsWith('/v3/')) {
        const given = Object.fromEntries(
          [...String(headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]),
        );
        const text = `${method}\n${path}\n${given.timestamp}\n${given.nonce_str}\n${body}\n`;
        return given.serial_no === 'AB12' && verified(text, given.signature!);
      }
      const { sign = '', ...params } = Object.fromEntries(new URLSearchParams(body));
      return path.startsWith('/bill.zip') || verified(textOf(params), sign);
    },

    stripe(event: object, { secret = 'whsec_1', t = seconds() } = {}): Webhook {
      const body = JSON.stringify({ id: newId(), ...event });
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
      return { headers: { 'stripe-signature': `t=${t},v1=${v1}` }, body };
    },

    wechat(content: object, { key = provider.privateKey, secret = apiV3Key, serial = 'PUB_KEY_ID_1' } = {}): Webhook {
      const nonce = randomBytes(6).toString('hex');
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(secret), Buffer.from(nonce));
      cipher.setAAD(Buffer.from('transaction'));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()]);
      const resource = { algorithm: 'AEAD_AES_256_GCM', ciphertext: sealed.toString('base64'), nonce };
      const body = JSON.stringify({ id: newId(), resource: { ...resource, associated_data: 'transaction' } });
      return { body, headers: wechatSignature(body, { key, serial }) };
    },

    alipay(params: Record<string, string>, key = provider.privateKey): Webhook {
      return {
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: String(new URLSearchParams({ ...params, sign_type: 'RSA2', sign: signed(textOf(params), key) })),
      };
    },

    alipayReply(method: string, reply: object): { body: string } {
      const text = JSON.stringify(reply);
      const name = `${method.replaceAll('.', '_')}_response`;
      return { body: `{"${name}":${text},"sign":"${signed(text, provider.privateKey)}"}` };
    },
  };
}

export type ProviderStand = Awaited<ReturnType<typeof startProviderStand>>;
