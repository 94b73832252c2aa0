import type { PaymentProviderShape } from './provider.ts';

export const wechat = {
  name: { 'zh-CN': '微信支付', en: 'WeChat Pay' },
  fields: [
    'app_id',
    'merchant_id',
    'certificate_serial',
    'private_key',
    'api_v3_key',
    'public_key_id',
    'public_key',
    'app_secret',
  ],
  // certificates carry their own number
  optional: ['public_key_id'],
  secrets: ['private_key', 'api_v3_key', 'app_secret'],
  switches: { h5: [], jsapi: ['app_secret'] },
} as const satisfies PaymentProviderShape;
