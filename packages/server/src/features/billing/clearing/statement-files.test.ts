import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Invalid } from '../../../platform/failure.ts';
import { alipayLine, alipayZip } from '../testing/bills.ts';
import { readStatement } from './statement-files.ts';

const wechatFunds = (...rows: string[][]) =>
  [
    '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号',
    ...rows.map(([type, way, amount, voucher]) =>
      ['2026-11-27 10:00:00', '4200000001', '1', type, type, way, amount, '0.00', 'system', 'tea, green', voucher]
        .map((cell) => `\`${cell}`)
        .join(','),
    ),
    '资金流水总笔数,收入笔数',
    '`3,`1',
  ].join('\r\n');

const alipayFunds = (...rows: string[]) =>
  [
    '#支付宝账务明细查询',
    '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注',
    ...rows,
    '#账务明细列表结束',
  ].join('\r\n');

const why = async (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: unknown) => (error instanceof Invalid ? error.errors.file![0]!.key : String(error)),
  );

describe('a fund bill of WeChat Pay', () => {
  it('adds fees, which have lines of their own, to the payment and the refund', async () => {
    const file = wechatFunds(
      ['交易', '收入', '10.00', '261127000000000001'],
      ['扣除交易手续费', '支出', '0.06', '261127000000000001'],
      ['退款', '支出', '5.00', '261127000000000001-r0'],
      ['退还交易手续费', '收入', '0.03', '261127000000000001-r0'],
      ['提现', '支出', '4.97', 'W1'],
    );
    const { lines } = await readStatement('wechat', gzipSync(file));
    expect(lines).toMatchObject([
      { kind: 'payment', orderNo: '261127000000000001', fen: 1000, feeFen: 6, number: '20261127', day: '2026-11-27' },
      { kind: 'refund', orderNo: '261127000000000001', refundNo: '261127000000000001-r0', fen: -500, feeFen: -3 },
    ]);
  });

  it('is refused without any fee', async () => {
    const file = wechatFunds(['交易', '收入', '10.00', '261127000000000001']);
    expect(await why(readStatement('wechat', Buffer.from(file)))).toBe('clearing.no_fee');
  });
});

describe('a statement of Alipay', () => {
  it('is read from the archive of business details, in GBK', async () => {
    const paid = alipayLine('261127000000000001', '交易', '10.00').replace(',0.00,', ',-0.06,');
    const back = alipayLine('261127000000000001', '退款', '-5.00').replace(',0.00,', ',0.03,');
    const { lines } = await readStatement('alipay', alipayZip(paid, back));
    expect(lines).toMatchObject([
      { kind: 'payment', fen: 1000, feeFen: 6 },
      { kind: 'refund', fen: -500, feeFen: -3 },
    ]);
  });

  it('is read from account details', async () => {
    const file = alipayFunds(
      '1\t,7001\t,261127000000000001\t,Day\t,2026-11-27 09:30:00,*三,10.00,,10.00,App,在线支付,',
      '2\t,7002\t,261127000000000001\t,Day\t,2026-11-27 09:30:00,*三,,-0.06,9.94,App,收费,',
      '3\t,7003\t,261127000000000001\t,Day\t,2026-11-27 09:40:00,*三,,-5.00,4.94,App,交易退款,',
      '4\t,7004\t,\t,\t,2026-11-27 20:00:00,bank,,-4.94,0.00,App,提现,',
    );
    const { lines } = await readStatement('alipay', Buffer.from(file));
    expect(lines).toMatchObject([
      { kind: 'payment', fen: 1000, feeFen: 6 },
      { kind: 'refund', fen: -500, feeFen: 0 },
    ]);
  });

  it('names a line whose cells do not fit', async () => {
    const line = alipayLine('261127000000000001', '交易', '10.00', 'tea, green');
    expect(await why(readStatement('alipay', alipayZip(line)))).toBe('clearing.bad_line');
  });
});

it('refuses what is no archive, and payouts of Stripe in another currency', async () => {
  expect(await why(readStatement('wechat', Buffer.from([0x1f, 0x8b, 1, 2, 3])))).toBe('clearing.unreadable');
  const header =
    'balance_transaction_id,reporting_category,currency,gross,fee,automatic_payout_id,automatic_payout_effective_at,payment_metadata[order_no]';
  const file = `${header}\ntxn_1,charge,hkd,50.00,1.75,po_1,2026-11-28 00:00:00,261127000000000001\n`;
  expect(await why(readStatement('stripe', Buffer.from(file)))).toBe('clearing.currency');
});
