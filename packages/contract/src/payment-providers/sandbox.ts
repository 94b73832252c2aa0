import type { PaymentProviderShape } from './provider.ts';

export const sandbox = {
  name: { 'zh-CN': '沙箱（无真实资金）', en: 'Sandbox (no real money)' },
  fields: [],
  secrets: [],
} as const satisfies PaymentProviderShape;
