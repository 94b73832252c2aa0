import { payments as contract } from '@yunxun/contract';
import { createBatcher } from '../../../platform/batcher.ts';
import type { Sealer } from '../../../platform/crypto/index.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { installationSettings } from '../../installation/index.ts';

export type ProviderValues = Partial<Record<contract.PaymentField, string>>;

interface Stored {
  enabled: boolean;
  values: ProviderValues;
  /** Base64. */
  sealed: ProviderValues;
  on?: contract.PaymentSwitch[];
}

const keyOf = (name: string) => `payment.${name}`;
const contextOf = (name: string, field: string) => `payment ${name} ${field}`;
interface SettingsDeps {
  database: Database;
  sealer: Sealer;
  demo: boolean;
}

export function createProviderSettings({ database, sealer, demo }: SettingsDeps) {
  const initial = (name: string): Stored => ({ enabled: demo && name === 'sandbox', values: {}, sealed: {} });

  async function stored(tx: Tx | Database['system'], name: string): Promise<Stored> {
    return (await installationSettings.readSetting<Stored>(tx, keyOf(name))) ?? initial(name);
  }

  return {
    stored,

    lock: (tx: Tx, name: string) => installationSettings.lockSetting(tx, keyOf(name)),

    /** Reads once for webhooks that arrive together. */
    current: createBatcher<string, Stored>(
      async (names) => {
        const found = new Map<string, Stored>();
        for (const name of new Set(names)) found.set(name, await stored(database.system, name));
        return names.map((name) => found.get(name)!);
      },
      { max: 1000 },
    ),

    open(name: string, { values, sealed }: Stored): ProviderValues {
      const secrets = Object.entries(sealed).map(([field, box]) => [
        field,
        sealer.open(Buffer.from(box, 'base64'), contextOf(name, field)).toString(),
      ]);
      return { ...values, ...Object.fromEntries(secrets) };
    },

    /** Keeps absent secrets. */
    async write(
      tx: Tx,
      name: string,
      { enabled, on = [] }: Pick<Stored, 'enabled' | 'on'>,
      given: ProviderValues,
    ): Promise<void> {
      const { sealed } = await stored(tx, name);
      const values: ProviderValues = {};
      for (const [field, value] of Object.entries(given) as [contract.PaymentField, string][])
        if (contract.paymentSecrets.includes(field))
          sealed[field] = sealer.seal(value, contextOf(name, field)).toString('base64');
        else values[field] = value;
      await installationSettings.writeSetting(tx, keyOf(name), { enabled, values, sealed, on } satisfies Stored);
    },
  };
}

export type ProviderSettings = ReturnType<typeof createProviderSettings>;
