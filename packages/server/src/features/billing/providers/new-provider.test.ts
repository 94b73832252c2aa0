import { paymentName, paymentProviders } from '@yunxun/contract/payment-fields';
import { expect, it } from 'vitest';
import { paymentKinds } from './index.ts';

it('leaves no part of a payment provider out', () => {
  const { alipay: _adapter, ...rest } = paymentKinds;
  // @ts-expect-error a provider with settings, but without an adapter
  const incomplete: typeof paymentKinds = rest;
  expect(Object.keys(incomplete)).not.toContain('alipay');
  expect(['sandbox', ...Object.keys(paymentKinds)]).toEqual(paymentProviders);
});

it('names each way to pay in both languages', () => {
  const ways = [...paymentProviders, 'balance', 'manual'];
  for (const locale of ['zh-CN', 'en'] as const)
    expect(ways.filter((way) => paymentName(locale, way) === null)).toEqual([]);
  expect(paymentName('en', 'constructor')).toBeNull();
});
