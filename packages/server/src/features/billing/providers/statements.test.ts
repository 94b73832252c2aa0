import { createHash, createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { alipayLine, alipayZip, wechatBill, wechatLine } from '../testing/bills.ts';
import { readAlipayBill, readWechatBill } from './bill-files.ts';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [merchant, provider] = [pair(), pair()];
/** 00:30 of 28 November in China. */
const clock = new ManualClock(new Date('2026-11-27T16:30:00Z'));

function wechatSignature(body: string): Record<string, string> {
  const [t, nonce] = [String(clock.now().getTime() / 1000), 'n1'];
  const sign = createSign('RSA-SHA256').update(`${t}\n${nonce}\n${body}\n`).sign(provider.privateKey, 'base64');
  return {
    'wechatpay-timestamp': t,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': 'PUB_KEY_ID_1',
    'wechatpay-signature': sign,
  };
}

interface Asked {
  path: string;
  authorization: string;
  body: URLSearchParams;
}
let stand: Server;
let endpoint: string;
let asked: Asked[];
let answers: (asked: Asked) => { status?: number; body: string | Buffer };
let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  stand = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += String(part)));
    request.on('end', () => {
      const authorization = String(request.headers.authorization);
      const one = { path: request.url!, authorization, body: new URLSearchParams(body) };
      asked.push(one);
      const { status = 200, body: sent } = answers(one);
      response.writeHead(status, wechatSignature(String(sent))).end(sent);
    });
  });
  await new Promise<void>((done) => stand.listen(0, '127.0.0.1', done));
  endpoint = `http://127.0.0.1:${(stand.address() as AddressInfo).port}`;
  server = await startTestServer({ clock, paymentEndpoints: { alipay: `${endpoint}/gateway.do`, wechat: endpoint } });
  admin = await administrator(server);
});
afterAll(async () => {
  await server.stop();
  stand.close();
});
beforeEach(() => {
  asked = [];
});

const keys = { private_key: merchant.privateKey, public_key: provider.publicKey };
const setups = {
  alipay: { provider: 'alipay', app_id: '2021001', ...keys },
  wechat: {
    provider: 'wechat',
    app_id: 'wx1',
    merchant_id: '1900001',
    certificate_serial: 'AB12',
    ...keys,
    api_v3_key: 'k'.repeat(32),
    public_key_id: 'PUB_KEY_ID_1',
  },
};
async function offer(name: keyof typeof setups): Promise<void> {
  for (const [known, setup] of Object.entries(setups))
    await server.call('/api/v3/install/payment/save', { ...setup, enabled: known === name }, admin);
}

async function order(owner: Registered, method: string, amount: string, isBooked: boolean): Promise<string> {
  const input = { amount, method, key: newId() };
  const { data } = await server.call<{ order_no: string }>('/api/v3/billing/recharge', input, owner);
  if (isBooked)
    await server.db.database.systemPool.query(
      "update billing_order set state = 'completed', paid_at = '2026-11-26T16:00:00Z' where order_no = $1",
      [data.order_no],
    );
  return data.order_no;
}

interface Difference {
  order_no: string;
  day: string;
  ours: string;
  theirs: string;
}
const differences = async (owner: Registered) =>
  (await server.call<{ list: Difference[] }>('/api/v3/billing/difference/list', {}, owner)).data.list;
const compare = () => server.db.database.withSystem((tx) => enqueue(tx, 'billing-reconciliation', {}));

function signedReply(reply: object): string {
  const text = JSON.stringify(reply);
  const sign = createSign('RSA-SHA256').update(text).sign(provider.privateKey, 'base64');
  return `{"alipay_data_dataservice_bill_downloadurl_query_response":${text},"sign":"${sign}"}`;
}

describe('WeChat Pay', () => {
  const file = (bill: string, hash = createHash('sha1').update(bill).digest('hex')) => {
    answers = ({ path }) =>
      path.startsWith('/v3/bill/tradebill')
        ? {
            body: JSON.stringify({
              hash_type: 'SHA1',
              hash_value: hash,
              download_url: 'https://api.mch.weixin.qq.com/v3/billdownload/file?token=t1',
            }),
          }
        : { body: gzipSync(bill) };
  };

  it('compares the day of China, and signs both requests', async () => {
    await offer('wechat');
    const owner = await server.register();
    const [same, refunded, lost, ours] = await Promise.all(
      (['10', '20', '30', '40'] as const).map((yuan) => order(owner, 'wechat', yuan, yuan !== '30')),
    );
    file(
      wechatBill(
        wechatLine(same!, 'SUCCESS', '10.00'),
        wechatLine(refunded!, 'SUCCESS', '20.00'),
        wechatLine(refunded!, 'REFUND', '0.00', '5.00', 'SUCCESS'),
        wechatLine(lost!, 'SUCCESS', '30.00'),
        wechatLine('of-another-program', 'SUCCESS', '9.00'),
      ),
    );
    await compare();
    await expect.poll(async () => (await differences(owner)).length).toBe(3);
    const found = (await differences(owner)).toSorted((a, b) => Number(b.ours) - Number(a.ours));
    expect(found).toMatchObject([
      { order_no: ours, day: '2026-11-27', ours: '40.00', theirs: '0.00' },
      { order_no: refunded, ours: '20.00', theirs: '15.00' },
      { order_no: lost, ours: '0.00', theirs: '30.00' },
    ]);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v3/bill/tradebill?bill_date=2026-11-27&bill_type=ALL&tar_type=GZIP',
      '/v3/billdownload/file?token=t1',
    ]);
    for (const { path, authorization } of asked) {
      const given = Object.fromEntries(
        [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]),
      );
      const text = `GET\n${path}\n${given.timestamp}\n${given.nonce_str}\n\n`;
      expect(createVerify('RSA-SHA256').update(text).verify(merchant.publicKey, given.signature!, 'base64')).toBe(true);
    }
  });

  it('keeps the last result when the file does not match its hash', async () => {
    const owner = await server.register();
    await order(owner, 'wechat', '11', true);
    file(wechatBill(), 'f'.repeat(40));
    await compare();
    await expect.poll(() => asked.length).toBe(2);
    expect(await differences(owner)).toEqual([]);
  });

  it('has no file for a day without payments', async () => {
    const owner = await server.register();
    const no = await order(owner, 'wechat', '12', true);
    answers = () => ({ status: 400, body: '{"code":"NO_STATEMENT_EXIST","message":"账单文件不存在"}' });
    await compare();
    await expect.poll(() => differences(owner)).toMatchObject([{ order_no: no, ours: '12.00', theirs: '0.00' }]);
  });

  it('does not count refunds that failed, and reads commas in names', () => {
    const bill = wechatBill(wechatLine('1', 'SUCCESS', '1.10'), wechatLine('1', 'REFUND', '0.00', '1.10', 'FAIL'));
    expect(readWechatBill(bill)).toEqual([{ orderNo: '1', fen: 110 }]);
  });
});

describe('Alipay', () => {
  it('compares the day of China from the archive', async () => {
    await offer('alipay');
    const owner = await server.register();
    const [same, lost] = [await order(owner, 'alipay', '10', true), await order(owner, 'alipay', '20', false)];
    answers = ({ path }) =>
      path === '/gateway.do'
        ? { body: signedReply({ code: '10000', msg: 'Success', bill_download_url: `${endpoint}/bill.zip` }) }
        : { body: alipayZip(alipayLine(same, '交易', '10.00'), alipayLine(lost, '交易', '20.00')) };
    await compare();
    await expect
      .poll(() => differences(owner))
      .toMatchObject([{ order_no: lost, day: '2026-11-27', ours: '0.00', theirs: '20.00' }]);
    const { body } = asked.find(({ path }) => path === '/gateway.do')!;
    expect(JSON.parse(body.get('biz_content')!)).toEqual({ bill_type: 'trade', bill_date: '2026-11-27' });
  });

  it('has no archive for a day without payments', async () => {
    const owner = await server.register();
    const no = await order(owner, 'alipay', '13', true);
    answers = () => ({ body: signedReply({ code: '40004', sub_code: 'isp.bill_not_exist' }) });
    await compare();
    await expect.poll(() => differences(owner)).toMatchObject([{ order_no: no, ours: '13.00', theirs: '0.00' }]);
  });

  it('counts refunds as negative, and calls an amount behind a shifted column unreadable', () => {
    const zip = alipayZip(
      alipayLine('1', '交易', '5.00'),
      alipayLine('1', '退款', '-1.50'),
      alipayLine('2', '交易', '5.00', 'tea, green'),
    );
    expect(readAlipayBill(zip)).toEqual([
      { orderNo: '1', fen: 500 },
      { orderNo: '1', fen: -150 },
      { orderNo: '2', fen: Number.NaN },
    ]);
  });

  it('refuses an archive beyond its limit', () => {
    const zip = zipSync({ 'details.csv': new Uint8Array(40 * 1024 * 1024) });
    expect(() => readAlipayBill(Buffer.from(zip))).toThrow('too large');
  });
});

it('compares the days that it missed, each with its own statement, until one cannot be read', async () => {
  await offer('wechat');
  let unread = '2026-11-30';
  const days: string[] = [];
  answers = ({ path }) => {
    const day = /bill_date=([\d-]+)/.exec(path)?.[1];
    if (!day) return { body: signedReply({ code: '40004', sub_code: 'isp.bill_not_exist' }) };
    days.push(day);
    return { status: day === unread ? 500 : 400, body: day === unread ? '' : '{"code":"NO_STATEMENT_EXIST"}' };
  };
  clock.advance(4 * 86_400_000);
  await compare();
  await expect.poll(() => days, { timeout: 30_000 }).toEqual(['2026-11-28', '2026-11-29', '2026-11-30']);
  unread = '';
  days.length = 0;
  await compare();
  await expect.poll(() => days, { timeout: 30_000 }).toEqual(['2026-11-30', '2026-12-01']);
});
