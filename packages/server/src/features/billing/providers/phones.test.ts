import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { payBrowserOf } from '../orders/pay-browser.ts';
import { type Asked, type ProviderStand, startProviderStand } from '../testing/provider-stand.ts';
import { paymentKinds } from './index.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const web = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const agents = {
  desktop: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${web} Version/17.4 Safari/605.1.15`,
  phone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${web} Version/18.1 Mobile/15E148 Safari/604.1`,
  captive: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${web} Mobile/15E148`,
  wechat: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${web} Mobile/15E148 MicroMessenger/8.0.50(0x18003234)`,
} as const;

let stand: ProviderStand;
let server: TestServer;
let admin: Registered;
let owner: Registered;

beforeAll(async () => {
  stand = await startProviderStand(() => clock.now());
  server = await startTestServer({ clock, paymentEndpoints: stand.endpoints });
  admin = await administrator(server);
  owner = await server.register();
  for (const settings of [stand.settings.alipay, stand.settings.stripe]) await save(settings);
});
afterAll(async () => {
  await server.stop();
  await stand.stop();
});
beforeEach(() => stand.reset());

const save = (input: object) => server.call('/api/v3/install/payment/save', input, admin);
const wechat = (more: object) =>
  save({ ...stand.settings.wechat, app_secret: 's3cret', h5: false, jsapi: false, ...more });

async function order(method: string) {
  const input = { amount: '12.5', method, key: newId() };
  const { data } = await server.call<{ order_no: string; pay_url: string }>('/api/v3/billing/recharge', input, owner);
  const { pathname, search } = new URL(data.pay_url);
  return { no: data.order_no, path: pathname + search, payUrl: data.pay_url };
}
async function open(path: string, agent: keyof typeof agents) {
  const headers = { localization: 'en', 'user-agent': agents[agent] };
  const response = await fetch(server.url + path, { redirect: 'manual', headers });
  const html = await response.text();
  return {
    html,
    status: response.status,
    to: response.headers.get('location'),
    policy: response.headers.get('content-security-policy') ?? '',
  };
}
const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&#38;', '&'));
const fieldOf = (html: string) => /<textarea[^>]*>([^<]*)</.exec(html)?.[1]?.replaceAll('&#38;', '&');
const bodyOf = (no: string, body: string, more: string) =>
  `{"appid":"wx1","mchid":"1900001","description":"${(JSON.parse(body) as { description: string }).description}","out_trade_no":"${no}","time_expire":"2026-11-23T04:30:00+00:00","notify_url":"http://localhost/pay/webhook/wechat","amount":{"total":1250,"currency":"CNY"},${more}}`;
const signatureOf = ({ method, path, headers, body }: Asked) => {
  const given = Object.fromEntries(
    [...String(headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]),
  );
  return stand.verified(`${method}\n${path}\n${given.timestamp}\n${given.nonce_str}\n${body}\n`, given.signature!);
};

it('tells browsers apart', () => {
  for (const [browser, agent] of Object.entries(agents)) expect(payBrowserOf(agent)).toBe(browser);
  const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 8';
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36';
  expect(payBrowserOf(`${android}; wv) ${chrome}`)).toBe('captive');
  expect(payBrowserOf(`${android}) ${chrome}`)).toBe('phone');
  expect(payBrowserOf(`${android}; wv) ${chrome} AlipayClient/10.6.0`)).toBe('phone');
  expect(payBrowserOf('Mozilla/5.0 (Windows NT 10.0) Chrome/130 MicroMessenger/7.0 WindowsWechat')).toBe('desktop');
  expect(payBrowserOf('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0')).toBe('desktop');
});

it('names the hosts of each provider once, with their source', () => {
  for (const { hosts } of Object.values(paymentKinds)) {
    expect(hosts.length).toBeGreaterThan(0);
    expect(new Set(hosts.map(({ host }) => host)).size).toBe(hosts.length);
    expect(hosts.some(({ documented }) => documented !== null)).toBe(true);
  }
});

it('switches ways on that the merchant has, with what they need', async () => {
  const { errors } = await save({ ...stand.settings.wechat, jsapi: true });
  expect(Object.keys(errors ?? {})).toEqual(['app_secret']);
  expect((await save({ ...stand.settings.wechat, h5: true })).code).toBe(2000);
  expect((await wechat({ jsapi: true, h5: true })).code).toBe(2000);
  const listed = async () => {
    const { data } = await server.call<{ list: object[] }>('/api/v3/install/payment/list', {}, admin);
    return data.list[2];
  };
  expect(await listed()).toMatchObject({ h5: true, jsapi: true, kept: ['private_key', 'api_v3_key', 'app_secret'] });
  expect((await save({ provider: 'wechat', jsapi: false })).code).toBe(2000);
  expect(await listed()).toMatchObject({ h5: true, jsapi: false });
});

describe('H5', () => {
  it('opens the app from the browser of a phone, and leads back', async () => {
    await wechat({ h5: true });
    const { no, path } = await order('wechat');
    stand.answer(() => ({ body: '{"h5_url":"https://wx.tenpay.com/checkmweb?prepay_id=wx1&package=2"}' }));
    const { html, status } = await open(path, 'phone');
    expect(status).toBe(200);
    const [asked] = stand.asked;
    expect([asked!.method, asked!.path]).toEqual(['POST', '/v3/pay/transactions/h5']);
    expect(asked!.body).toBe(
      bodyOf(no, asked!.body, '"scene_info":{"payer_client_ip":"127.0.0.1","h5_info":{"type":"Wap"}}'),
    );
    expect(signatureOf(asked!)).toBe(true);
    const back = encodeURIComponent('http://localhost/billing/transactions');
    expect(hrefs(html)[0]).toBe(`https://wx.tenpay.com/checkmweb?prepay_id=wx1&package=2&redirect_url=${back}`);
    // WeChat Pay compares the referrer with the registered domain
    expect(html).toContain('referrerpolicy="origin"');
  });

  it('shows a code where it is off', async () => {
    await wechat({ jsapi: true });
    stand.answer(() => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' }));
    expect((await open((await order('wechat')).path, 'phone')).html).toContain('<svg');
    expect(stand.asked.map(({ path }) => path)).toEqual(['/v3/pay/transactions/native']);
  });

  it('falls back to the code that was begun with, because a number belongs to one way', async () => {
    await wechat({ h5: true });
    const used = { status: 403, body: '{"code":"OUT_TRADE_NO_USED","message":"商户订单号重复"}' };
    const native = { body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' };
    stand.answer(({ path }) => (path.endsWith('/h5') ? used : native));
    const { path } = await order('wechat');
    expect((await open(path, 'phone')).html).toContain('<svg');
    stand.answer(() => used);
    expect((await open(path, 'desktop')).html).toContain('was begun in another browser');
    stand.answer(() => ({ status: 400, body: '{"code":"PARAM_ERROR"}' }));
    expect((await open(path, 'phone')).status).toBe(502);
  });
});

describe('JSAPI', () => {
  const tokens = (answer: string) => (request: Asked) =>
    request.path.startsWith('/sns/') ? { body: answer } : { body: '{"prepay_id":"wx23120000"}' };

  it('asks WeChat who pays, and hands its bridge a signed request', async () => {
    await wechat({ jsapi: true });
    const { no, path, payUrl } = await order('wechat');
    const away = await open(path, 'wechat');
    const { origin } = new URL(stand.endpoints.wechat);
    const uri = encodeURIComponent(payUrl);
    expect([away.status, away.to]).toEqual([
      303,
      `${origin}/connect/oauth2/authorize?appid=wx1&redirect_uri=${uri}&response_type=code&scope=snsapi_base&state=pay#wechat_redirect`,
    ]);
    expect(stand.asked).toEqual([]);
    stand.answer(tokens('{"access_token":"a","openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}'));
    const { html, policy } = await open(`${path}&code=c1&state=pay`, 'wechat');
    const [person, begun] = stand.asked;
    expect(person!.path).toBe('/sns/oauth2/access_token?appid=wx1&secret=s3cret&code=c1&grant_type=authorization_code');
    expect([begun!.method, begun!.path]).toEqual(['POST', '/v3/pay/transactions/jsapi']);
    expect(begun!.body).toBe(bodyOf(no, begun!.body, '"payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}'));
    expect(signatureOf(begun!)).toBe(true);
    const { request, back } = JSON.parse(/id="request">(.*?)<\/script>/.exec(html)![1]!) as {
      request: Record<string, string>;
      back: string;
    };
    expect(back).toBe('http://localhost/billing/transactions');
    expect(request).toMatchObject({
      appId: 'wx1',
      timeStamp: String(clock.now().getTime() / 1000),
      package: 'prepay_id=wx23120000',
      signType: 'RSA',
    });
    const text = `wx1\n${request.timeStamp}\n${request.nonceStr}\nprepay_id=wx23120000\n`;
    expect(stand.verified(text, request.paySign!)).toBe(true);
    const script = /<script>(.*?)<\/script>/.exec(html)![1]!;
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  });

  it('asks once more for a code that was used, and then says that it cannot', async () => {
    await wechat({ jsapi: true });
    const { path } = await order('wechat');
    stand.answer(tokens('{"errcode":40163,"errmsg":"code been used"}'));
    expect((await open(`${path}&code=c1&state=pay`, 'wechat')).to).toContain('state=again');
    expect((await open(`${path}&code=c2&state=again`, 'wechat')).status).toBe(502);
    stand.answer(tokens('{"errcode":40125,"errmsg":"invalid appsecret"}'));
    expect((await open(`${path}&code=c3&state=pay`, 'wechat')).status).toBe(502);
  });
});

describe('a mini-browser', () => {
  it('says to open the browser, with an address to copy and a code, and begins nothing at WeChat Pay', async () => {
    await wechat({ h5: true, jsapi: true });
    const { path } = await order('wechat');
    const { html, policy } = await open(path, 'captive');
    expect(html).toContain('Open this page in the browser');
    expect(fieldOf(html)).toBe(server.url + path);
    expect(html).toContain('<svg');
    const script = /<script>(.*?)<\/script>/.exec(html)![1]!;
    expect(policy).toContain(createHash('sha256').update(script).digest('base64'));
    expect(stand.asked).toEqual([]);
    stand.answer(() => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' }));
    const [code] = hrefs(html);
    await open(code!.slice(server.url.length), 'captive');
    expect(stand.asked.map((one) => one.path)).toEqual(['/v3/pay/transactions/native']);
  });

  it('shows the code at once where a phone can pay in no other way', async () => {
    await wechat({});
    stand.answer(() => ({ body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' }));
    const { html } = await open((await order('wechat')).path, 'captive');
    expect(html).toContain('<svg');
    expect(fieldOf(html)).toBeUndefined();
  });

  it('does not lead to Alipay, and neither does WeChat; to Stripe only if wished', async () => {
    const { path } = await order('alipay');
    for (const browser of ['captive', 'wechat'] as const) {
      const { html, to } = await open(`${path}&go=1`, browser);
      expect([to, fieldOf(html)]).toEqual([null, server.url + path]);
    }
    expect((await open(path, 'phone')).to).toContain('alipay.trade');
    stand.answer(() => ({ body: '{"url":"https://checkout.stripe.test/c/1"}' }));
    const { html } = await open((await order('stripe')).path, 'captive');
    expect(stand.asked).toEqual([]);
    const [here] = hrefs(html);
    expect((await open(here!.slice(server.url.length), 'captive')).to).toBe('https://checkout.stripe.test/c/1');
  });
});
