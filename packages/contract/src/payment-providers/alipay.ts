import type { PaymentProviderShape } from './provider.ts';

export const alipay = {
  name: { 'zh-CN': '支付宝', en: 'Alipay' },
  fields: ['app_id', 'seller_id', 'private_key', 'public_key'],
  optional: ['seller_id'],
  secrets: ['private_key'],
} as const satisfies PaymentProviderShape;
