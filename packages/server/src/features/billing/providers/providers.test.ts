import { createCipheriv, createHmac, createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let stand: Server;
let asked: Asked[];
let answer: (request: Asked) => { status?: number; body: string };
let server: TestServer;
let admin: Registered;
const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [merchant, provider, stranger] = [pair(), pair(), pair()];
const apiV3Key = 'k'.repeat(32);

beforeAll(async () => {
  stand = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += String(part)));
    request.on('end', () => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body };
      asked.push(one);
      const { status = 200, body: text } = answer(one);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((done) => stand.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(stand.address() as AddressInfo).port}`;
  server = await startTestServer({
    paymentEndpoints: { alipay: `${endpoint}/gateway.do`, wechat: endpoint, stripe: endpoint },
  });
  admin = await administrator(server);
});
afterAll(async () => {
  await server.stop();
  stand.close();
});
beforeEach(() => {
  asked = [];
  answer = () => ({ body: '{}' });
});

const save = (input: object, as: object = admin) => server.call('/api/v3/install/payment/save', input, as);
const balance = async (owner: Registered) =>
  (await server.call<{ balance: string }>('/api/v3/billing/balance', {}, owner)).data.balance;
async function order(owner: Registered, method: string, amount = '12.5') {
  const input = { amount, method, key: newId() };
  const { data } = await server.call<{ order_no: string; pay_url: string }>('/api/v3/billing/recharge', input, owner);
  return data;
}
const open = (payUrl: string) => {
  const { pathname, search } = new URL(payUrl);
  return fetch(server.url + pathname + search, { redirect: 'manual', headers: { localization: 'en' } });
};
const webhook = (name: string, body: string, headers: Record<string, string>) =>
  fetch(`${server.url}/pay/webhook/${name}`, { method: 'POST', body, headers });
const signed = (text: string, key: string) => createSign('RSA-SHA256').update(text).sign(key, 'base64');
const verified = (text: string, signature: string) =>
  createVerify('RSA-SHA256').update(text).verify(merchant.publicKey, signature, 'base64');

const stripe = { provider: 'stripe', enabled: true, secret_key: 'sk_test_1', webhook_secret: 'whsec_1' };
const wechat = {
  provider: 'wechat',
  enabled: true,
  app_id: 'wx1',
  merchant_id: '1900001',
  certificate_serial: 'AB12',
  private_key: merchant.privateKey,
  api_v3_key: apiV3Key,
  public_key_id: 'PUB_KEY_ID_1',
  public_key: provider.publicKey,
};
const alipay = {
  provider: 'alipay',
  enabled: true,
  app_id: '2021001',
  private_key: merchant.privateKey,
  public_key: provider.publicKey,
};

describe('the settings', () => {
  it('want every field, keep secrets that are left out, and never return them', async () => {
    const wrong = async (input: object) => Object.keys((await save(input)).errors ?? {});
    expect(await wrong({ provider: 'stripe', enabled: true, secret_key: 'sk' })).toEqual(['webhook_secret']);
    expect(await wrong({ ...wechat, private_key: 'no key' })).toEqual(['private_key']);
    expect(await wrong({ ...wechat, api_v3_key: 'short' })).toEqual(['api_v3_key']);
    expect((await save(wechat)).code).toBe(2000);
    const { private_key: _kept, api_v3_key: _too, ...rest } = wechat;
    expect((await save(rest)).code).toBe(2000);
    const answered = await server.call('/api/v3/install/payment/list', {}, admin);
    expect(answered.data).toMatchObject({
      list: [
        { provider: 'sandbox', enabled: true },
        { provider: 'alipay', enabled: false },
        {
          ...rest,
          webhook: 'http://localhost/pay/webhook/wechat',
          public_key: provider.publicKey.trim(),
          kept: ['private_key', 'api_v3_key'],
        },
        { provider: 'stripe', enabled: false },
      ],
    });
    expect(JSON.stringify(answered)).not.toContain('PRIVATE KEY');
    const owner = await server.register();
    expect((await save(stripe, owner)).code).toBe(4101);
  });

  it('take the sandbox away from payers', async () => {
    const owner = await server.register();
    const methods = async () =>
      (await server.call<{ list: { method: string }[] }>('/api/v3/billing/payment/list', {}, owner)).data.list.map(
        ({ method }) => method,
      );
    expect(await methods()).toContain('sandbox');
    await save({ provider: 'sandbox', enabled: false });
    expect(await methods()).not.toContain('sandbox');
    const refused = await server.call(
      '/api/v3/billing/recharge',
      { amount: '1', method: 'sandbox', key: newId() },
      owner,
    );
    expect(Object.keys(refused.errors ?? {})).toEqual(['method']);
    await save({ provider: 'sandbox', enabled: true });
  });

  it('refuse webhooks of a provider that is not set up', async () => {
    expect((await webhook('alipay', 'out_trade_no=1&sign=', {})).status).toBe(401);
    expect((await webhook('paypal', '{}', {})).status).toBe(401);
  });
});

describe('Stripe', () => {
  const event = (orderNo: string, fen: number, id = newId()) =>
    JSON.stringify({
      id,
      type: 'checkout.session.completed',
      data: { object: { id: 'cs_1', client_reference_id: orderNo, amount_total: fen, payment_status: 'paid' } },
    });
  const sign = (body: string, secret = 'whsec_1', t = Math.floor(Date.now() / 1000)) => ({
    'stripe-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  });

  it('opens a session, and books its signed webhook once', async () => {
    await save(stripe);
    const owner = await server.register();
    const { order_no, pay_url } = await order(owner, 'stripe');
    answer = () => ({ body: '{"url":"https://checkout.stripe.test/c/1"}' });
    const page = await open(pay_url);
    expect([page.status, page.headers.get('location')]).toEqual([303, 'https://checkout.stripe.test/c/1']);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: { authorization: 'Bearer sk_test_1', 'idempotency-key': `order-${order_no}` },
    });
    expect(Object.fromEntries(new URLSearchParams(asked[0]!.body))).toMatchObject({
      client_reference_id: order_no,
      'line_items[0][price_data][unit_amount]': '1250',
      'line_items[0][price_data][currency]': 'cny',
    });
    const body = event(order_no, 1250);
    expect((await webhook('stripe', body, sign(body, 'other'))).status).toBe(401);
    expect((await webhook('stripe', body, sign(body, 'whsec_1', 1_700_000_000))).status).toBe(401);
    expect((await webhook('stripe', body.replace('1250', '9999'), sign(body))).status).toBe(401);
    expect(await balance(owner)).toBe('0.00');
    for (let at = 0; at < 3; at++) expect((await webhook('stripe', body, sign(body))).status).toBe(200);
    expect(await balance(owner)).toBe('12.50');
    const other = JSON.stringify({ id: 'evt_2', type: 'customer.created', data: { object: { id: 'cus_1' } } });
    expect((await webhook('stripe', other, sign(other))).status).toBe(200);
  });

  it('pays a refund back with its number', async () => {
    const owner = await server.register();
    const { order_no } = await order(owner, 'stripe');
    const body = event(order_no, 1250);
    await webhook('stripe', body, sign(body));
    answer = ({ path }) => ({
      body: path.startsWith('/v1/payment_intents/search')
        ? '{"data":[{"id":"pi_1","status":"succeeded","amount_received":1250}]}'
        : '{"id":"re_1"}',
    });
    const refund = { order_no, amount: '2.5', reason: 'too much', key: newId() };
    expect((await server.call('/api/v3/billing/order/refund', refund, owner)).code).toBe(2000);
    const sent = () => asked.find(({ path }) => path === '/v1/refunds');
    await expect.poll(sent).toBeDefined();
    expect(Object.fromEntries(new URLSearchParams(sent()!.body))).toEqual({
      payment_intent: 'pi_1',
      amount: '250',
      'metadata[order_no]': order_no,
      'metadata[account_id]': owner.accountId,
      'metadata[refund_no]': `${order_no}-r0`,
    });
    expect(await balance(owner)).toBe('10.00');
  });

  it('says on our page that Stripe does not answer', async () => {
    const owner = await server.register();
    answer = () => ({ status: 500, body: 'no' });
    const page = await open((await order(owner, 'stripe')).pay_url);
    expect(page.status).toBe(502);
    expect(await page.text()).toContain('does not answer');
  });
});

describe('WeChat Pay', () => {
  function notice(content: object, key = provider.privateKey, secret = apiV3Key) {
    const nonce = randomBytes(6).toString('hex');
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(secret), Buffer.from(nonce));
    cipher.setAAD(Buffer.from('transaction'));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()]);
    const resource = { algorithm: 'AEAD_AES_256_GCM', ciphertext: sealed.toString('base64'), nonce };
    const body = JSON.stringify({ id: newId(), resource: { ...resource, associated_data: 'transaction' } });
    const t = String(Math.floor(Date.now() / 1000));
    return {
      body,
      headers: {
        'wechatpay-timestamp': t,
        'wechatpay-nonce': nonce,
        'wechatpay-serial': 'PUB_KEY_ID_1',
        'wechatpay-signature': signed(`${t}\n${nonce}\n${body}\n`, key),
      },
    };
  }

  it('shows a code to scan, and books the signed and encrypted notice', async () => {
    await save(wechat);
    const owner = await server.register();
    const { order_no, pay_url } = await order(owner, 'wechat');
    answer = () => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' });
    const page = await open(pay_url);
    expect(await page.text()).toMatch(/<svg/);
    const { method, path, headers, body } = asked[0]!;
    expect([method, path]).toEqual(['POST', '/v3/pay/transactions/native']);
    expect(JSON.parse(body)).toMatchObject({
      appid: 'wx1',
      mchid: '1900001',
      out_trade_no: order_no,
      notify_url: 'http://localhost/pay/webhook/wechat',
      amount: { total: 1250, currency: 'CNY' },
    });
    const given = Object.fromEntries(
      [...String(headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]),
    );
    expect(given).toMatchObject({ mchid: '1900001', serial_no: 'AB12' });
    const text = `${method}\n${path}\n${given.timestamp}\n${given.nonce_str}\n${body}\n`;
    expect(verified(text, given.signature!)).toBe(true);

    const paid = { out_trade_no: order_no, trade_state: 'SUCCESS', amount: { total: 1250 } };
    for (const forged of [notice(paid, stranger.privateKey), notice(paid, provider.privateKey, 'x'.repeat(32))])
      expect((await webhook('wechat', forged.body, forged.headers)).status).toBe(401);
    expect(await balance(owner)).toBe('0.00');
    const real = notice(paid);
    for (let at = 0; at < 2; at++) expect((await webhook('wechat', real.body, real.headers)).status).toBe(200);
    expect(await balance(owner)).toBe('12.50');
    expect((await open(pay_url)).status).toBe(303);
  });
});

describe('Alipay', () => {
  const text = (params: Record<string, string>) =>
    Object.keys(params)
      .toSorted()
      .map((name) => `${name}=${params[name]}`)
      .join('&');
  const notify = (params: Record<string, string>, key = provider.privateKey) =>
    String(new URLSearchParams({ ...params, sign_type: 'RSA2', sign: signed(text(params), key) }));
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

  it('leads to a signed address, and answers “success” to a signed notice', async () => {
    await save(alipay);
    const owner = await server.register();
    const { order_no, pay_url } = await order(owner, 'alipay');
    const { searchParams } = new URL((await open(pay_url)).headers.get('location')!);
    const { sign, ...params } = Object.fromEntries(searchParams);
    expect(verified(text(params), sign!)).toBe(true);
    expect(params).toMatchObject({ app_id: '2021001', method: 'alipay.trade.page.pay', sign_type: 'RSA2' });
    expect(JSON.parse(params.biz_content!)).toMatchObject({ out_trade_no: order_no, total_amount: '12.50' });

    const paid = {
      notify_id: newId(),
      app_id: '2021001',
      out_trade_no: order_no,
      trade_status: 'TRADE_SUCCESS',
      total_amount: '12.50',
    };
    expect((await webhook('alipay', notify(paid, stranger.privateKey), form)).status).toBe(401);
    expect((await webhook('alipay', notify({ ...paid, app_id: '666' }), form)).status).toBe(401);
    const partial = await webhook('alipay', notify({ ...paid, notify_id: newId(), total_amount: '0.01' }), form);
    expect(partial.status).toBe(200);
    expect(await balance(owner)).toBe('0.00');
    const taken = await webhook('alipay', notify(paid), form);
    expect(await taken.text()).toBe('success');
    await webhook('alipay', notify(paid), form);
    expect(await balance(owner)).toBe('12.50');
  });
});
