import { zipSync } from 'fflate';

const wechatHeader =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';

export function wechatLine(
  no: string,
  state: 'SUCCESS' | 'REFUND',
  yuan: string,
  refund = '0.00',
  result = '',
): string {
  const cells = ['2026-11-27 09:30:00', 'wx1', '1900001', '0', '', '4200000001', no, 'oUser', 'NATIVE', state];
  const rest = ['OTHERS', 'CNY', yuan, '0.00', '0', '0', refund, '0.00', '', result, 'tea, green', '', '0.00000'];
  return [...cells, ...rest, '0.60%', yuan, refund, ''].map((cell) => `\`${cell}`).join(',');
}

export const wechatBill = (...lines: string[]) =>
  [`\uFEFF${wechatHeader}`, ...lines, '总交易单数,应结订单总金额', '`2,`30.00', ''].join('\r\n');

const alipayHeader =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,退款批次号/请求号,服务费（元）,备注';

export const alipayLine = (no: string, type: '交易' | '退款', yuan: string, name = no) =>
  `20261127220014\t,${no}\t,${type}\t,${name},2026-11-27 09:30:00,2026-11-27 09:30:05,\t,\t,\t,\t,*三\t,${yuan},${yuan},\t,0.00,`;

const alipayText = (...lines: string[]) =>
  ['#支付宝业务明细查询', '#账号：[2088]', alipayHeader, ...lines, '#业务明细列表结束', ''].join('\r\n');

const gbk = (() => {
  const decoder = new TextDecoder('gb18030');
  const codes = new Map<string, number[]>();
  for (let high = 0x81; high <= 0xfe; high += 1)
    for (let low = 0x40; low <= 0xfe; low += 1) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  return (text: string) =>
    Uint8Array.from([...text].flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : codes.get(one)!)));
})();

export const alipayZip = (...lines: string[]): Buffer =>
  Buffer.from(
    zipSync({
      'sums.csv': gbk('#支付宝业务汇总查询\r\n门店编号,交易订单总笔数\r\n'),
      'details.csv': gbk(alipayText(...lines)),
    }),
  );
