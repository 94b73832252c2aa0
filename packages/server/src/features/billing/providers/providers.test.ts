import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { platformCertificate } from '../testing/platform-certificate.ts';
import { type ProviderStand, startProviderStand, textOf, type Webhook } from '../testing/provider-stand.ts';

let stand: ProviderStand;
let server: TestServer;
let admin: Registered;

beforeAll(async () => {
  stand = await startProviderStand();
  server = await startTestServer({ paymentEndpoints: stand.endpoints });
  admin = await administrator(server);
});
afterAll(async () => {
  await server.stop();
  await stand.stop();
});
beforeEach(() => stand.reset());

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
const hear = (name: string, { body, headers }: Webhook) =>
  fetch(`${server.url}/pay/webhook/${name}`, { method: 'POST', body, headers });

describe('the settings', () => {
  it('want every field, keep secrets that are left out, and never return them', async () => {
    const wrong = async (input: object) => Object.keys((await save(input)).errors ?? {});
    expect(await wrong({ provider: 'stripe', enabled: true, secret_key: 'sk' })).toEqual(['webhook_secret']);
    expect(await wrong({ ...stand.settings.wechat, private_key: 'no key' })).toEqual(['private_key']);
    expect(await wrong({ ...stand.settings.wechat, api_v3_key: 'short' })).toEqual(['api_v3_key']);
    expect((await save(stand.settings.wechat)).code).toBe(2000);
    const { private_key: _kept, api_v3_key: _too, ...rest } = stand.settings.wechat;
    expect((await save(rest)).code).toBe(2000);
    const answered = await server.call('/api/v3/install/payment/list', {}, admin);
    expect(answered.data).toMatchObject({
      list: [
        { provider: 'sandbox', enabled: true },
        { provider: 'alipay', enabled: false },
        {
          ...rest,
          webhook: 'http://localhost/pay/webhook/wechat',
          public_key: rest.public_key.trim(),
          kept: ['private_key', 'api_v3_key'],
        },
        { provider: 'stripe', enabled: false },
      ],
    });
    expect(JSON.stringify(answered)).not.toContain('PRIVATE KEY');
    const owner = await server.register();
    expect((await save(stand.settings.stripe, owner)).code).toBe(4101);
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
    expect((await hear('alipay', { body: 'out_trade_no=1&sign=', headers: {} })).status).toBe(401);
    expect((await hear('paypal', { body: '{}', headers: {} })).status).toBe(401);
  });
});

describe('Stripe', () => {
  const event = (orderNo: string, fen: number) => ({
    id: newId(),
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1', client_reference_id: orderNo, amount_total: fen, payment_status: 'paid' } },
  });

  it('opens a session, and books its signed webhook once', async () => {
    await save(stand.settings.stripe);
    const owner = await server.register();
    const { order_no, pay_url } = await order(owner, 'stripe');
    stand.answer(() => ({ body: '{"url":"https://checkout.stripe.test/c/1"}' }));
    const page = await open(pay_url);
    expect([page.status, page.headers.get('location')]).toEqual([303, 'https://checkout.stripe.test/c/1']);
    expect(stand.asked[0]).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: { authorization: 'Bearer sk_test_1', 'idempotency-key': `order-${order_no}` },
    });
    expect(Object.fromEntries(new URLSearchParams(stand.asked[0]!.body))).toMatchObject({
      client_reference_id: order_no,
      'line_items[0][price_data][unit_amount]': '1250',
      'line_items[0][price_data][currency]': 'cny',
      'line_items[0][price_data][product_data][name]': expect.stringMatching(/的余额充值$/),
    });
    // as long as the order
    const lasts = Number(new URLSearchParams(stand.asked[0]!.body).get('expires_at')) - Date.now() / 1000;
    expect(lasts).toBeGreaterThan(7100);
    expect(lasts).toBeLessThanOrEqual(7200);
    const paid = event(order_no, 1250);
    const real = stand.stripe(paid);
    for (const forged of [
      stand.stripe(paid, { secret: 'other' }),
      stand.stripe(paid, { t: '1700000000' }),
      { ...real, body: real.body.replace('1250', '9999') },
    ])
      expect((await hear('stripe', forged)).status).toBe(401);
    expect(await balance(owner)).toBe('0.00');
    for (let at = 0; at < 3; at++) expect((await hear('stripe', real)).status).toBe(200);
    expect(await balance(owner)).toBe('12.50');
    const other = stand.stripe({ type: 'customer.created', data: { object: { id: 'cus_1' } } });
    expect((await hear('stripe', other)).status).toBe(200);
  });

  it('pays a refund back with its number', async () => {
    const owner = await server.register();
    const { order_no } = await order(owner, 'stripe');
    await hear('stripe', stand.stripe(event(order_no, 1250)));
    stand.answer(({ path }) => ({
      body: path.startsWith('/v1/payment_intents/search')
        ? '{"data":[{"id":"pi_1","status":"succeeded","amount_received":1250}]}'
        : '{"id":"re_1"}',
    }));
    const refund = { order_no, amount: '2.5', reason: 'too much', key: newId() };
    expect((await server.call('/api/v3/billing/order/refund', refund, owner)).code).toBe(2000);
    const sent = () => stand.asked.find(({ path }) => path === '/v1/refunds');
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
    stand.answer(() => ({ status: 500, body: 'no' }));
    const page = await open((await order(owner, 'stripe')).pay_url);
    expect(page.status).toBe(502);
    expect(await page.text()).toContain('does not answer');
  });
});

describe('WeChat Pay', () => {
  it('shows a code to scan, and books the signed and encrypted notice', async () => {
    await save(stand.settings.wechat);
    const owner = await server.register();
    const { order_no, pay_url } = await order(owner, 'wechat');
    stand.answer(() => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' }));
    const page = await open(pay_url);
    expect(await page.text()).toMatch(/<svg/);
    const { method, path, headers, body } = stand.asked[0]!;
    expect([method, path]).toEqual(['POST', '/v3/pay/transactions/native']);
    expect(JSON.parse(body)).toMatchObject({
      appid: 'wx1',
      mchid: '1900001',
      out_trade_no: order_no,
      notify_url: 'http://localhost/pay/webhook/wechat',
      amount: { total: 1250, currency: 'CNY' },
      description: expect.stringMatching(/的余额充值$/),
      time_expire: expect.stringMatching(/^20\d\d-.*\+00:00$/),
    });
    expect(headers['wechatpay-serial']).toBe('PUB_KEY_ID_1');
    const given = Object.fromEntries(
      [...String(headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]),
    );
    expect(given).toMatchObject({ mchid: '1900001', serial_no: 'AB12' });
    const text = `${method}\n${path}\n${given.timestamp}\n${given.nonce_str}\n${body}\n`;
    expect(stand.verified(text, given.signature!)).toBe(true);

    const paid = { out_trade_no: order_no, trade_state: 'SUCCESS', amount: { total: 1250 } };
    const { stranger } = stand.keys;
    for (const forged of [
      stand.wechat(paid, { key: stranger.privateKey }),
      stand.wechat(paid, { secret: 'x'.repeat(32) }),
      stand.wechat(paid, { serial: 'PUB_KEY_ID_2' }),
    ])
      expect((await hear('wechat', forged)).status).toBe(401);
    expect(await balance(owner)).toBe('0.00');
    const real = stand.wechat(paid);
    for (let at = 0; at < 2; at++) expect((await hear('wechat', real)).status).toBe(200);
    expect(await balance(owner)).toBe('12.50');
    expect((await open(pay_url)).status).toBe(303);
  });

  it('takes two keys while one replaces the other, and platform certificates', async () => {
    const owner = await server.register();
    const { provider, stranger } = stand.keys;
    const wrong = async (input: object) =>
      Object.keys((await save({ ...stand.settings.wechat, ...input })).errors ?? {});
    const both = `${provider.publicKey}\n${stranger.publicKey}`;
    expect(await wrong({ public_key: both })).toEqual(['public_key']);
    expect(await wrong({ public_key: both, public_key_id: 'PUB_KEY_ID_1,PUB_KEY_ID_2' })).toEqual([]);
    for (const signer of [
      { key: provider.privateKey, serial: 'PUB_KEY_ID_1' },
      { key: stranger.privateKey, serial: 'PUB_KEY_ID_2' },
    ]) {
      const { order_no } = await order(owner, 'wechat', '1');
      const paid = { out_trade_no: order_no, trade_state: 'SUCCESS', amount: { total: 100 } };
      const swapped = { ...signer, serial: signer.serial === 'PUB_KEY_ID_1' ? 'PUB_KEY_ID_2' : 'PUB_KEY_ID_1' };
      expect((await hear('wechat', stand.wechat(paid, swapped))).status).toBe(401);
      expect((await hear('wechat', stand.wechat(paid, signer))).status).toBe(200);
    }
    const certificate = await platformCertificate();
    expect(await wrong({ public_key: certificate.pem, public_key_id: '' })).toEqual([]);
    const signer = { key: certificate.privateKey, serial: certificate.serial };
    const { order_no, pay_url } = await order(owner, 'wechat', '1');
    stand.answerAs(signer);
    stand.answer(() => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' }));
    expect((await open(pay_url)).status).toBe(200);
    expect(stand.asked[0]!.headers['wechatpay-serial']).toBe(certificate.serial);
    const paid = { out_trade_no: order_no, trade_state: 'SUCCESS', amount: { total: 100 } };
    expect((await hear('wechat', stand.wechat(paid, signer))).status).toBe(200);
    expect(await balance(owner)).toBe('3.00');
    await save(stand.settings.wechat);
  });

  it('believes no answer that WeChat Pay did not sign', async () => {
    const owner = await server.register();
    const { pay_url } = await order(owner, 'wechat', '1');
    stand.answer(() => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' }));
    stand.answerAs({ key: stand.keys.stranger.privateKey, serial: 'PUB_KEY_ID_1' });
    expect((await open(pay_url)).status).toBe(502);
    stand.answerAs({ key: stand.keys.provider.privateKey, serial: 'PUB_KEY_ID_1' });
    expect((await open(pay_url)).status).toBe(200);
  });
});

describe('Alipay', () => {
  it('leads to a signed address, and answers “success” to a signed notice', async () => {
    await save({ ...stand.settings.alipay, seller_id: '2088111' });
    const owner = await server.register();
    const { order_no, pay_url } = await order(owner, 'alipay');
    const { searchParams } = new URL((await open(pay_url)).headers.get('location')!);
    const { sign, ...params } = Object.fromEntries(searchParams);
    expect(stand.verified(textOf(params), sign!)).toBe(true);
    expect(params).toMatchObject({ app_id: '2021001', method: 'alipay.trade.page.pay', sign_type: 'RSA2' });
    expect(JSON.parse(params.biz_content!)).toMatchObject({
      out_trade_no: order_no,
      total_amount: '12.50',
      subject: expect.stringMatching(/的余额充值$/),
      time_expire: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });

    const paid = {
      notify_id: newId(),
      app_id: '2021001',
      out_trade_no: order_no,
      trade_status: 'TRADE_SUCCESS',
      total_amount: '12.50',
      seller_id: '2088111',
    };
    expect((await hear('alipay', stand.alipay(paid, stand.keys.stranger.privateKey))).status).toBe(401);
    const others: Record<string, string>[] = [{ app_id: '666' }, { seller_id: '2088000' }, { trans_currency: 'USD' }];
    for (const other of others)
      expect((await hear('alipay', stand.alipay({ ...paid, notify_id: newId(), ...other }))).status).toBe(200);
    const partial = await hear('alipay', stand.alipay({ ...paid, notify_id: newId(), total_amount: '0.01' }));
    expect(partial.status).toBe(200);
    expect(await balance(owner)).toBe('0.00');
    const { data } = await server.call<{ list: { kind: string }[] }>('/api/v3/billing/exception/list', {}, owner);
    expect(data.list.map(({ kind }) => kind).toSorted()).toEqual([
      'amount_differs',
      'currency_differs',
      'merchant_differs',
      'merchant_differs',
    ]);
    const taken = await hear('alipay', stand.alipay(paid));
    expect(await taken.text()).toBe('success');
    await hear('alipay', stand.alipay(paid));
    expect(await balance(owner)).toBe('12.50');
  });
});
