import { payments as contract } from '@yunxun/contract';
import type { Sealer } from '../../../platform/crypto/index.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { lockSetting, readSetting, writeSetting } from '../../installation/settings.ts';

export type ProviderValues = Partial<Record<contract.PaymentField, string>>;

interface Stored {
  enabled: boolean;
  values: ProviderValues;
  /** Base64. */
  sealed: ProviderValues;
}

const keyOf = (name: string) => `payment.${name}`;
const contextOf = (name: string, field: string) => `payment ${name} ${field}`;
/** @param demo offers the sandbox before it is saved */
export function createProviderSettings(sealer: Sealer, demo: boolean) {
  const initial = (name: string): Stored => ({ enabled: demo && name === 'sandbox', values: {}, sealed: {} });

  async function stored(tx: Tx | Database['system'], name: string): Promise<Stored> {
    return (await readSetting<Stored>(tx, keyOf(name))) ?? initial(name);
  }

  return {
    stored,

    lock: (tx: Tx, name: string) => lockSetting(tx, keyOf(name)),

    /** Returns the settings with opened secrets. */
    async read(tx: Tx | Database['system'], name: string): Promise<{ enabled: boolean; values: ProviderValues }> {
      const { enabled, values, sealed } = await stored(tx, name);
      const secrets = Object.entries(sealed).map(([field, box]) => [
        field,
        sealer.open(Buffer.from(box, 'base64'), contextOf(name, field)).toString(),
      ]);
      return { enabled, values: { ...values, ...Object.fromEntries(secrets) } };
    },

    /** Keeps absent secrets. */
    async write(tx: Tx, name: string, enabled: boolean, given: ProviderValues): Promise<void> {
      const { sealed } = await stored(tx, name);
      const values: ProviderValues = {};
      for (const [field, value] of Object.entries(given) as [contract.PaymentField, string][])
        if (contract.paymentSecrets.includes(field))
          sealed[field] = sealer.seal(value, contextOf(name, field)).toString('base64');
        else values[field] = value;
      await writeSetting(tx, keyOf(name), { enabled, values, sealed } satisfies Stored);
    },
  };
}

export type ProviderSettings = ReturnType<typeof createProviderSettings>;
