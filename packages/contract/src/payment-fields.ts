export const paymentProviders = ['sandbox', 'alipay', 'wechat', 'stripe'] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];

/** Fields of each provider; all are required. */
export const paymentFields = {
  sandbox: [],
  alipay: ['app_id', 'private_key', 'public_key'],
  wechat: ['app_id', 'merchant_id', 'certificate_serial', 'private_key', 'api_v3_key', 'public_key_id', 'public_key'],
  stripe: ['secret_key', 'webhook_secret'],
} as const satisfies Readonly<Record<PaymentProviderName, readonly string[]>>;
export type PaymentField = (typeof paymentFields)[PaymentProviderName][number];

/** Write-only fields. */
export const paymentSecrets: readonly PaymentField[] = ['private_key', 'api_v3_key', 'secret_key', 'webhook_secret'];
