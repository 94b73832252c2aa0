import { alipay } from './alipay.ts';
import type { PaymentProviderShape } from './provider.ts';
import { sandbox } from './sandbox.ts';
import { stripe } from './stripe.ts';
import { wechat } from './wechat.ts';

/** In the order of screens. */
export const paymentShapes = { sandbox, alipay, wechat, stripe } as const satisfies Readonly<
  Record<string, PaymentProviderShape>
>;
