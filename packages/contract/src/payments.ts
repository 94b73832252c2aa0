import { type TSchema, Type } from 'typebox';
import { endpoint, inInstallation } from './endpoint.ts';
import { type PaymentField, type PaymentSwitch, paymentProviders } from './payment-fields.ts';
import { Empty, Words } from './shapes.ts';

export * from './payment-fields.ts';

const word = (maxLength: number) => Type.Optional(Type.String({ maxLength, pattern: '^\\S*$', hint: 'noSpaces' }));
/** PEM of 4096 bits. */
const Pem = Type.Optional(Type.String({ maxLength: 4096 }));
const Pems = Type.Optional(Type.String({ maxLength: 12_288 }));
const open = {
  app_id: word(64),
  seller_id: word(64),
  merchant_id: word(64),
  certificate_serial: word(64),
  public_key_id: word(128),
  public_key: Pems,
};

const secret = {
  private_key: Pem,
  api_v3_key: word(64),
  secret_key: word(256),
  webhook_secret: word(256),
  app_secret: word(64),
};
const switches = {
  h5: Type.Optional(Type.Boolean()),
  jsapi: Type.Optional(Type.Boolean()),
} satisfies Readonly<Record<PaymentSwitch, TSchema>>;
const fields = { ...open, ...secret } satisfies Readonly<Record<PaymentField, TSchema>>;

export const list = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/payment/list',
  summary: 'Payment providers with their settings. `kept` names the secrets that are stored; they are never returned.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        provider: Words(paymentProviders),
        enabled: Type.Boolean(),
        webhook: Type.String({ description: 'address that the provider reports payments to' }),
        ...open,
        ...switches,
        kept: Type.Array(Type.String()),
      }),
    ),
  }),
  example: () => ({}),
});

export const save = endpoint({
  ...inInstallation,
  effect: 'write',
  confirm: true,
  path: '/api/v3/install/payment/save',
  bodyBytes: 56 * 1024,
  summary: 'Sets up a payment provider and offers it to payers, or not. A field that is left out stays.',
  key: ['provider'],
  body: Type.Object({
    provider: Words(paymentProviders),
    enabled: Type.Optional(Type.Boolean()),
    ...fields,
    ...switches,
  }),
  data: Empty,
  example: () => ({ provider: 'sandbox' as const, enabled: true }),
});
