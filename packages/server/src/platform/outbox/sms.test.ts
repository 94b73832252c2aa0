import { createHash, createHmac } from 'node:crypto';
import { installation } from '@yunxun/contract';
import { catalogues } from '@yunxun/contract/messages';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeProvider, type ProviderRequest, startFakeProvider } from '../../../test/fake-provider.ts';
import { aliyunAdapter, signAliyun } from './aliyun.ts';
import { DeliveryError, type Outgoing } from './message.ts';
import { placeholdersOf } from './sms.ts';
import { signTencent, tencentAdapter } from './tencent.ts';
import { twilioAdapter } from './twilio.ts';

const provider: FakeProvider = await startFakeProvider();
afterAll(() => provider.stop());
beforeEach(() => {
  provider.requests.splice(0);
  provider.answer = () => ({ body: {} });
});

const keyId = 'LTAI5tExampleKey';
const secret = 'a secret of 30 characters or so';
const templates = { signInCode: 'SMS_154950909' };
const message: Outgoing = {
  id: '0198a1b2-0000-7000-8000-000000000001',
  at: '2026-01-01T00:00:00.000Z',
  channel: 'sms',
  to: '13800138000',
  template: 'signInCode',
  subject: '',
  text: '【云巡】登录验证码 123456',
  html: null,
  attachment: null,
  // PostgreSQL jsonb returns keys in another order
  params: { minutes: 5, code: '123456' },
};
const host = () => new URL(provider.url).host;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const trouble = async (sending: Promise<string>): Promise<DeliveryError> => {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DeliveryError);
  return error as DeliveryError;
};

describe('templates', () => {
  it('exist for every letter that goes by SMS', () => {
    const letters = Object.keys(catalogues['zh-CN']).filter((key) => key.startsWith('sms.'));
    expect(letters.map((key) => key.slice(4)).sort()).toEqual([...installation.smsTemplates].sort());
  });

  it('take their values in the order of our Chinese text', () => {
    expect(placeholdersOf('signInCode')).toEqual(['code', 'minutes']);
    expect(placeholdersOf('invitation')).toEqual(['inviter', 'account', 'url']);
    expect(placeholdersOf('test')).toEqual([]);
    expect(placeholdersOf('nothing')).toEqual([]);
  });
});

describe('Aliyun', () => {
  const settings = { keyId, secret, sender: '云巡 (试)', region: '', templates };
  const send = (more: Partial<Outgoing> = {}) => aliyunAdapter(settings, provider.url).send({ ...message, ...more });
  const ok = () => ({ body: { Code: 'OK', Message: 'OK', BizId: '9006197469364984^0', RequestId: 'F655A8D5' } });

  function signatureOf({ headers, rawQuery, path, body }: ProviderRequest): string {
    const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
    const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const canonical = ['POST', path, rawQuery, lines.join(''), names, sha256(body)].join('\n');
    return hmac(secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex');
  }

  it('signs as the documentation does', () => {
    // worked example of help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
    const example = {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
      date: '2023-10-26T10:22:32Z',
      nonce: '3156853299f313e23d1673dc12e1703d',
    };
    expect(signAliyun(example, 'YourAccessKeyId', 'YourAccessKeySecret').authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    );
  });

  it('sends template code and values, signed over what arrives', async () => {
    provider.answer = ok;
    expect(await send()).toBe('OK: OK 9006197469364984^0');
    const request = provider.requests[0]!;
    expect(Object.fromEntries(request.query)).toEqual({
      PhoneNumbers: '13800138000',
      SignName: '云巡 (试)',
      TemplateCode: 'SMS_154950909',
      TemplateParam: '{"code":"123456","minutes":"5"}',
      OutId: message.id,
    });
    expect(request.rawQuery).toContain('SignName=%E4%BA%91%E5%B7%A1%20%28%E8%AF%95%29');
    expect(request.headers).toMatchObject({
      host: host(),
      'x-acs-action': 'SendSms',
      'x-acs-version': '2017-05-25',
      'x-acs-content-sha256': sha256(''),
      'x-acs-date': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    const { authorization } = request.headers;
    expect(authorization).toContain(`Credential=${keyId},SignedHeaders=host;x-acs-action;x-acs-content-sha256;`);
    expect(authorization?.endsWith(`,Signature=${signatureOf(request)}`)).toBe(true);
    await send();
    const nonces = provider.requests.map(({ headers }) => headers['x-acs-signature-nonce']);
    expect(new Set(nonces).size).toBe(2);
  });

  it('distinguishes permanent rejections from temporary ones', async () => {
    provider.answer = () => ({ body: { Code: 'isv.MOBILE_NUMBER_ILLEGAL', Message: '非法手机号' } });
    expect(await trouble(send())).toMatchObject({ message: 'isv.MOBILE_NUMBER_ILLEGAL: 非法手机号', permanent: true });
    provider.answer = () => ({ body: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发流控' } });
    expect(await trouble(send())).toMatchObject({ permanent: false });
    provider.answer = () => ({
      status: 403,
      body: { Code: 'SignatureDoesNotMatch', Message: 'see the server string' },
    });
    expect(await trouble(send())).toMatchObject({ message: /SignatureDoesNotMatch: see/, permanent: false });
  });

  it('says which template has no code, without asking the provider', async () => {
    expect(await trouble(send({ template: 'resetCode' }))).toMatchObject({
      message: 'template_missing',
      permanent: false,
    });
    expect(provider.requests).toEqual([]);
  });

  it('goes to the region that is set', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    for (const region of ['', 'cn-hangzhou', 'ap-southeast-1']) {
      await trouble(aliyunAdapter({ ...settings, region }).send(message));
    }
    const hosts = asked.mock.calls.map(([url]) => new URL(String(url)).host);
    asked.mockRestore();
    expect(hosts).toEqual(['dysmsapi.aliyuncs.com', 'dysmsapi.aliyuncs.com', 'dysmsapi.ap-southeast-1.aliyuncs.com']);
  });
});

describe('Tencent', () => {
  const settings = { keyId, secret, sender: '云巡', appId: '1400006666', region: '', templates };
  const send = (more: Partial<Outgoing> = {}) => tencentAdapter(settings, provider.url).send({ ...message, ...more });
  const status = (Code: string, Message: string) => ({
    body: { Response: { SendStatusSet: [{ SerialNo: '5000:1045', Fee: 1, Code, Message }], RequestId: 'a0aabda6' } },
  });

  function signatureOf({ headers, body }: ProviderRequest): string {
    const seconds = String(headers['x-tc-timestamp']);
    const day = new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
    const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
    const lines = names.split(';').map((name) => `${name}:${String(headers[name]).toLowerCase()}\n`);
    const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
    const toSign = `TC3-HMAC-SHA256\n${seconds}\n${day}/sms/tc3_request\n${sha256(canonical)}`;
    return hmac(hmac(hmac(hmac(`TC3${secret}`, day), 'sms'), 'tc3_request'), toSign).toString('hex');
  }

  it('signs as the documentation does', () => {
    // worked example of cloud.tencent.com/document/api/213/30654, whose key is printed with asterisks
    const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
    const example = { host: 'cvm.tencentcloudapi.com', service: 'cvm', body, timestamp: 1551113065 };
    expect(signTencent(example, 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******', 'Gu5t9xGARNpq86cd98joQYCN3*******')).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c',
    );
  });

  it('sends template code and values in order, signed over what arrives', async () => {
    provider.answer = () => status('Ok', 'send success');
    expect(await send()).toBe('Ok: send success 5000:1045');
    const request = provider.requests[0]!;
    expect(JSON.parse(request.body)).toEqual({
      PhoneNumberSet: ['+8613800138000'],
      SmsSdkAppId: '1400006666',
      SignName: '云巡',
      TemplateId: 'SMS_154950909',
      TemplateParamSet: ['123456', '5'],
      SessionContext: message.id,
    });
    expect(request.headers).toMatchObject({
      'x-tc-action': 'SendSms',
      'x-tc-version': '2021-01-11',
      'x-tc-region': 'ap-guangzhou',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(request.headers.authorization?.endsWith(`, Signature=${signatureOf(request)}`)).toBe(true);
    expect(Math.abs(Number(request.headers['x-tc-timestamp']) - Date.now() / 1000)).toBeLessThan(10);
  });

  it('distinguishes permanent rejections from temporary ones', async () => {
    provider.answer = () => status('InvalidParameterValue.IncorrectPhoneNumber', 'incorrect phone number');
    expect(await trouble(send())).toMatchObject({ message: /IncorrectPhoneNumber: incorrect/, permanent: true });
    provider.answer = () => status('LimitExceeded.PhoneNumberDailyLimit', 'too many today');
    expect(await trouble(send())).toMatchObject({ permanent: false });
    const refused = { Code: 'AuthFailure.SignatureFailure', Message: 'check your key' };
    provider.answer = () => ({ body: { Response: { Error: refused, RequestId: 'b' } } });
    expect(await trouble(send())).toMatchObject({ message: /SignatureFailure: check/, permanent: false });
    expect(await trouble(send({ template: 'resetCode' }))).toMatchObject({ message: 'template_missing' });
  });
});

describe('Twilio', () => {
  const settings = { keyId: 'AC00000000000000000000000000000001', secret, sender: '+15005550006' };
  const send = (sender = settings.sender) => twilioAdapter({ ...settings, sender }, provider.url).send(message);

  it('sends our own words, signed in as the account', async () => {
    provider.answer = () => ({ status: 201, body: { sid: 'SM1', status: 'queued', error_code: null } });
    expect(await send()).toBe('queued SM1');
    const { path, headers, body } = provider.requests[0]!;
    expect(path).toBe(`/2010-04-01/Accounts/${settings.keyId}/Messages.json`);
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${settings.keyId}:${secret}`).toString('base64')}`);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      To: '+8613800138000',
      From: '+15005550006',
      Body: message.text,
    });
    await send('MG00000000000000000000000000000001');
    expect(Object.fromEntries(new URLSearchParams(provider.requests[1]!.body))).toMatchObject({
      MessagingServiceSid: 'MG00000000000000000000000000000001',
    });
  });

  it('distinguishes permanent rejections from temporary ones', async () => {
    provider.answer = () => ({ status: 400, body: { code: 21211, message: "The 'To' number is not valid" } });
    expect(await trouble(send())).toMatchObject({ message: "21211: The 'To' number is not valid", permanent: true });
    provider.answer = () => ({ status: 401, body: { code: 20003, message: 'Authenticate' } });
    expect(await trouble(send())).toMatchObject({ message: '20003: Authenticate', permanent: false });
  });
});

describe('a provider that is not well', () => {
  const send = () => twilioAdapter({ keyId, secret, sender: '+1' }, provider.url).send(message);

  it('is tried again later, and its trouble is named', async () => {
    provider.answer = () => ({ status: 502, body: '<html>Bad gateway</html>' });
    expect(await trouble(send())).toMatchObject({ message: 'HTTP 502: <html>Bad gateway</html>', permanent: false });
    const unreachable = twilioAdapter({ keyId, secret, sender: '+1' }, 'http://127.0.0.1:1').send(message);
    expect(await trouble(unreachable)).toMatchObject({ message: /ECONNREFUSED|bad port/, permanent: false });
  });

  it('is not waited for longer than 15 s', async () => {
    provider.answer = null;
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((after) => {
      expect(after).toBe(15_000);
      return AbortSignal.abort(new DOMException('too long', 'TimeoutError'));
    });
    expect(await trouble(send())).toMatchObject({ message: 'no_answer', permanent: false });
    timeout.mockRestore();
  });

  it('cannot forward the signed request to another host', async () => {
    provider.answer = () => ({ status: 307, body: {} });
    expect((await trouble(send())).permanent).toBe(false);
    expect(provider.requests).toHaveLength(1);
  });
});
