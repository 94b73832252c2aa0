import { expect, it } from 'vitest';
import { orderEndOf, referenceOf } from './transfer-reference.ts';

const orderNo = '261120904817263554';

it('leads back to the order, whatever the bank does to the remark', () => {
  const reference = referenceOf(orderNo);
  expect(orderEndOf(reference)).toBe(orderNo.slice(6));
  expect(orderEndOf(`充值 ${reference.toLowerCase().replaceAll('-', '')}谢谢`)).toBe(orderNo.slice(6));
  expect(orderEndOf(referenceOf('261120000000000000').replaceAll('0', 'o'))).toBe('000000000000');
});

it('recognises each wrong character', () => {
  const reference = referenceOf(orderNo);
  for (const [at, right] of [...reference].entries())
    if (at > 2 && right !== '-')
      for (const wrong of '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
        if (wrong !== right) expect(orderEndOf(reference.slice(0, at) + wrong + reference.slice(at + 1))).toBeNull();
});
