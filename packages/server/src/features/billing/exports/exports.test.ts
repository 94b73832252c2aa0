import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { type Entry, post } from '../service.ts';
import { gbk } from './gbk.ts';

/** The first hour of November in Shanghai. */
const clock = new ManualClock(new Date('2026-10-31T16:30:00Z'));
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  await server.call('/api/v3/account/update', { time_zone: 'Asia/Shanghai' }, owner);
  await book('2026-10-31T15:59:00Z', 'recharge', [
    { ledger: 'recharged', fen: 500 },
    { ledger: 'external', fen: -500 },
  ]);
  await book('2026-10-31T16:10:00Z', 'portal_package', [
    { ledger: 'balance', fen: 990 },
    { ledger: 'income', fen: -990 },
  ]);
  await book('2026-10-31T16:20:00Z', 'portal_package', [
    { ledger: 'balance', fen: 10 },
    { ledger: 'income', fen: -10 },
  ]);
  await book('2026-10-31T16:20:00Z', 'recharge', [
    { ledger: 'recharged', fen: 300 },
    { ledger: 'external', fen: -300 },
  ]);
});
afterAll(() => server.stop());

const book = (at: string, kind: string, entries: Entry[]) =>
  server.db.database.withSystem((tx) =>
    post(tx, { accountId: owner.accountId, key: randomUUID(), kind, at: new Date(at), gwid: null, entries }),
  );
const call = <T>(path: string, input: object = {}) => server.call<T>(`/api/v3/billing/${path}`, input, owner);

async function file(layout: string, format: string, month = '2026-11'): Promise<{ bytes: Buffer; name: string }> {
  const { data } = await call<{ url: string }>('voucher/export', { month, layout, format });
  const answer = await fetch(server.url + data.url);
  expect(answer.status).toBe(200);
  return { bytes: Buffer.from(await answer.arrayBuffer()), name: answer.headers.get('content-disposition') ?? '' };
}

it('makes a balanced voucher of each local day and kind, in the month of the account’s zone', async () => {
  expect((await call('voucher/get', { month: '2026-10' })).data).toEqual({ vouchers: 1, debit: '5.00', final: false });
  expect((await call('voucher/get', { month: '2026-11' })).data).toEqual({ vouchers: 2, debit: '13.00', final: false });
  const { bytes } = await file('plain', 'csv');
  expect(bytes.toString()).toBe(
    `${[
      '\uFEFFDate,Voucher no.,Voucher state,Summary,Account code,Account,Debit,Credit,Network',
      '2026-11-01,1,Provisional,"Guest package, 2 in all",1012.01,其他货币资金-收入余额,10,,',
      '2026-11-01,1,Provisional,"Guest package, 2 in all",5001,主营业务收入,,10,',
      '2026-11-01,2,Provisional,Balance recharge,1012.02,其他货币资金-充值余额,3,,',
      '2026-11-01,2,Provisional,Balance recharge,1122,应收账款-备付金,,3,',
    ].join('\r\n')}\r\n`,
  );
});

it('writes the columns of Kingdee KIS and Yonyou T3, in GBK', async () => {
  const kis = await file('kis', 'csv');
  const [heads = '', first = ''] = new TextDecoder('gbk').decode(kis.bytes).split('\r\n');
  expect(heads).toBe('日期,凭证字,凭证号,附单据数,摘要,科目代码,科目名称,借方金额,贷方金额,币别,汇率,数量,单价,制单人');
  expect(first).toMatch(/^2026-11-01,记,1,0,[^,]+,1012\.01,其他货币资金-收入余额,10,0,RMB,1,,,/);
  const t3 = await file('t3', 'csv');
  expect(t3.name).toContain('vouchers-t3-2026-11-provisional.txt');
  const lines = new TextDecoder('gbk').decode(t3.bytes).split('\r\n');
  expect(lines[0]).toBe('填制凭证,V800');
  expect(lines[2]).toMatch(/^2026-11-01,记,1,0,[^,]+,5001,0,10,0,0,0,/);
  const sheet = unzipSync(new Uint8Array((await file('kis', 'xlsx')).bytes))['xl/worksheets/sheet1.xml']!;
  expect(strFromU8(sheet)).toContain('科目代码');
});

it('takes codes of the account’s own chart, and refuses others beside their field', async () => {
  const { data } = await call<{
    per: string;
    list: { ledger: string; code: string; name: string }[];
    version: number;
  }>('account_code/get');
  const own = data.list.map((one) => (one.ledger === 'income' ? { ...one, code: '6001.01' } : one));
  const wrong = own.map((one) => (one.ledger === 'income' ? { ...one, code: 'A1' } : one));
  expect(await call('account_code/save', { ...data, list: wrong })).toMatchObject({
    code: 422,
    errors: { [`list.${data.list.findIndex(({ ledger }) => ledger === 'income')}.code`]: [expect.any(String)] },
  });
  const twice = own.map((one, nth) => (nth === 0 ? own[1]! : one));
  expect(await call('account_code/save', { ...data, list: twice })).toMatchObject({
    errors: { list: [expect.any(String)] },
  });
  expect(await call('account_code/save', { ...data, list: own })).toMatchObject({ code: 2000 });
  expect(await call('account_code/save', { ...data, list: own })).toMatchObject({ code: 4104 });
  expect((await file('plain', 'csv')).bytes.toString()).toContain(',6001.01,主营业务收入,,10,');
});

it('encodes what GBK has, and marks what it lacks', () => {
  expect(gbk('A记，')).toEqual(Buffer.from([0x41, 0xbc, 0xc7, 0xa3, 0xac]));
  expect(new TextDecoder('gbk').decode(gbk('借方：主营业务收入 ￥'))).toBe('借方：主营业务收入 ￥');
  expect(gbk('😀').toString()).toBe('?');
});
