import { paymentShapes } from './payment-providers/index.ts';
import type { PaymentProviderShape } from './payment-providers/provider.ts';

type Shapes = typeof paymentShapes;

export type PaymentProviderName = keyof Shapes;
export type PaymentField = Shapes[PaymentProviderName]['fields'][number];
export type PaymentSwitch = keyof Shapes['wechat']['switches'];

export const paymentProviders = Object.keys(paymentShapes) as PaymentProviderName[];

const shapeOf = (name: PaymentProviderName): PaymentProviderShape => paymentShapes[name];

export const fieldsOf = (name: PaymentProviderName) => shapeOf(name).fields as readonly PaymentField[];

export const switchesOf = (name: PaymentProviderName) => Object.keys(shapeOf(name).switches ?? {}) as PaymentSwitch[];

export function needsField(name: PaymentProviderName, field: PaymentField, on: readonly PaymentSwitch[]): boolean {
  const { optional, switches = {} } = shapeOf(name);
  const uses = Object.entries(switches).filter(([, fields]) => fields.includes(field));
  if (optional?.includes(field)) return false;
  return uses.length === 0 || uses.some(([way]) => on.includes(way as PaymentSwitch));
}

/** Write-only fields. */
export const paymentSecrets = [...new Set(paymentProviders.flatMap((name) => shapeOf(name).secrets))] as PaymentField[];

const others: Readonly<Record<string, PaymentProviderShape['name']>> = {
  balance: { 'zh-CN': '账户余额', en: 'Account balance' },
  manual: { 'zh-CN': '银行转账或现金', en: 'Bank transfer or cash' },
};

/** Returns null for a word that names none. */
export function paymentName(locale: 'zh-CN' | 'en', method: string): string | null {
  const name = Object.hasOwn(paymentShapes, method) ? shapeOf(method as PaymentProviderName).name : others[method];
  return name?.[locale] ?? null;
}
