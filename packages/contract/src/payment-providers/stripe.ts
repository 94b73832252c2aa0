import type { PaymentProviderShape } from './provider.ts';

export const stripe = {
  name: { 'zh-CN': 'Stripe', en: 'Stripe' },
  fields: ['secret_key', 'webhook_secret'],
  secrets: ['secret_key', 'webhook_secret'],
} as const satisfies PaymentProviderShape;
