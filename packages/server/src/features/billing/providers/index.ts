import { createPrivateKey, createPublicKey } from 'node:crypto';
import { payments as contract } from '@yunxun/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Sealer } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { theInstallation } from '../../installation/index.ts';
import { record } from '../../logs/index.ts';
import type { PaymentProvider } from '../orders/payment-provider.ts';
import type { ProviderKind } from './adapter.ts';
import { alipay } from './alipay.ts';
import { createProviderSettings, type ProviderValues } from './settings.ts';
import { stripe } from './stripe.ts';
import { wechat } from './wechat.ts';
import { platformKeys } from './wechat-keys.ts';

type External = Exclude<contract.PaymentProviderName, 'sandbox'>;
/** Overrides for tests. */
export type PaymentEndpoints = Partial<Record<External, string>>;

interface ProviderDeps {
  database: Database;
  clock: Clock;
  sealer: Sealer;
  publicUrl: string;
  endpoints?: PaymentEndpoints | undefined;
  demo: boolean;
}

export const paymentKinds: Readonly<Record<External, ProviderKind>> = { alipay, wechat, stripe };
const apiV3KeyBytes = 32;

/** Uses settings of the installation's administrator. */
export function createPaymentProviders({ database, clock, sealer, publicUrl, endpoints = {}, demo }: ProviderDeps) {
  const settings = createProviderSettings({ database, sealer, demo });
  const webhookOf = (name: string) => `${publicUrl}/pay/webhook/${name}`;
  const isEnabled = async (name: string) => (await settings.current(name)).enabled;

  const providers = Object.entries(paymentKinds).map(([name, kind]): PaymentProvider => {
    const { create, endpoint, accepted, elsewhere, hosts, openMs } = kind;
    const values = async () => settings.open(name, await settings.current(name)) as Required<ProviderValues>;
    const adapter = create({
      clock,
      webhook: webhookOf(name),
      endpoint: endpoints[name as External] ?? endpoint,
      values,
      isOn: async (way) => (await settings.current(name)).on?.includes(way) ?? false,
    });
    return {
      ...adapter,
      ...(elsewhere && { elsewhere }),
      hosts: hosts.map(({ host }) => host),
      name,
      sandbox: false,
      currency: 'CNY',
      accepted,
      enabled: () => isEnabled(name),
      openMs,
      create: (order) => adapter.create({ ...order, returnUrl: order.returnUrl ?? publicUrl }),
      // a provider that was never set up has no key
      async verify(headers, body) {
        const { values: open, enabled } = await settings.current(name);
        return open.app_id === undefined && !enabled ? null : adapter.verify(headers, body);
      },
    };
  });

  return {
    providers,
    isEnabled,
    routes: (): Route[] =>
      implement(contract, {
        list: () =>
          database.withSystem(async (tx) => ({
            list: await Promise.all(
              contract.paymentProviders.map(async (provider) => {
                const { enabled, values, sealed, on = [] } = await settings.stored(tx, provider);
                return {
                  provider,
                  enabled,
                  webhook: webhookOf(provider),
                  ...values,
                  ...Object.fromEntries(contract.switchesOf(provider).map((way) => [way, on.includes(way)])),
                  kept: contract.paymentSecrets.filter((field) => sealed[field]),
                };
              }),
            ),
          })),

        async save({ acting, input: { provider, ...given } }) {
          await database.withSystem(async (tx) => {
            await settings.lock(tx, provider);
            const before = await settings.stored(tx, provider);
            const { enabled = before.enabled } = given;
            const on = contract.switchesOf(provider).filter((way) => given[way] ?? before.on?.includes(way));
            const values: ProviderValues = {};
            for (const field of contract.fieldsOf(provider)) {
              const value = (given[field] ?? before.values[field])?.trim();
              if (value) values[field] = value;
              else if (
                enabled &&
                contract.needsField(provider, field, on) &&
                !(contract.paymentSecrets.includes(field) && before.sealed[field])
              )
                invalid(field, 'validation.required');
            }
            requireKeys(provider, values);
            await settings.write(tx, provider, { enabled, on }, values);
            await record(tx, acting, {
              action: 'installation.save_payment',
              object: theInstallation,
              before: { provider, enabled: before.enabled, on: before.on ?? [] },
              after: { provider, enabled, on, fields: Object.keys(values) },
            });
          });
          return {};
        },
      }),
  };
}

/** @throws Failure beside the unreadable key */
function requireKeys(
  provider: contract.PaymentProviderName,
  { private_key, public_key, public_key_id = '', api_v3_key }: ProviderValues,
): void {
  if (private_key && !readable(createPrivateKey, private_key)) invalid('private_key', 'validation.pem');
  if (public_key && provider === 'wechat') {
    if (!platformKeys(public_key, public_key_id)) invalid('public_key', 'validation.platformKeys');
  } else if (public_key && !readable(createPublicKey, public_key)) invalid('public_key', 'validation.pem');
  if (api_v3_key && Buffer.byteLength(api_v3_key) !== apiV3KeyBytes) invalid('api_v3_key', 'validation.apiV3Key');
}

function readable(parse: (pem: string) => { asymmetricKeyType?: string | undefined }, pem: string): boolean {
  try {
    return parse(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
