import type { InputOf, installation, LoginMethodKind } from '@yunxun/contract';
import type { SmsProviderName } from '@yunxun/contract/sms-providers';
import type { Sealer } from '../../platform/crypto/index.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { aliyunAdapter } from '../../platform/outbox/aliyun.ts';
import type { Adapter, Channel } from '../../platform/outbox/index.ts';
import { smtpAdapter } from '../../platform/outbox/smtp.ts';
import { tencentAdapter } from '../../platform/outbox/tencent.ts';
import { twilioAdapter } from '../../platform/outbox/twilio.ts';
import { lockSetting, readSetting, writeSetting } from './settings.ts';

/** Sends; without any, messages go to a file. */
type External = Exclude<SmsProviderName, 'outbox'>;

export interface MailSettings {
  provider: (typeof installation.mailProviders)[number];
  host: string;
  port: number;
  security: (typeof installation.smtpSecurity)[number];
  user: string;
  from: string;
}

export interface SmsSettings {
  provider: SmsProviderName;
  key_id: string;
  sender: string;
  app_id: string;
  region: string;
  templates: NonNullable<InputOf<typeof installation.saveSms>['templates']>;
}

interface Settings {
  mail: MailSettings;
  sms: SmsSettings;
}

interface Stored<T> {
  values: T;
  /** Base64; null when there is none. */
  sealed: string | null;
  /** Changes with every save; the key of cached adapters. */
  version: number;
}

const defaults: Settings = {
  mail: { provider: 'outbox', host: '', port: 587, security: 'starttls', user: '', from: '' },
  sms: { provider: 'outbox', key_id: '', sender: '', app_id: '', region: '', templates: {} },
};

const contextOf = (kind: keyof Settings) => `installation ${kind} secret`;

/** Endpoint overrides for tests. */
export type ProviderEndpoints = Partial<Record<External | LoginMethodKind, string>>;

type SmsAccount = Omit<SmsSettings, 'provider' | 'key_id' | 'app_id'> & Record<'keyId' | 'appId' | 'secret', string>;

export const smsAdapters: Readonly<Record<External, (account: SmsAccount, endpoint?: string) => Adapter>> = {
  aliyun: aliyunAdapter,
  tencent: tencentAdapter,
  twilio: twilioAdapter,
};

/** Seals secrets under the master key. */
export function createProviders({ database, sealer, endpoints = {}, privateSmtp }: ProviderDeps) {
  const known = new Map<Channel, { version: number; adapter: Adapter | null }>();

  function read<K extends keyof Settings>(
    tx: Tx | Database['system'],
    kind: K,
  ): Promise<Stored<Settings[K]> | undefined> {
    return readSetting(tx, kind);
  }

  function secretOf(kind: keyof Settings, sealed: string | null): string {
    return sealed === null ? '' : sealer.open(Buffer.from(sealed, 'base64'), contextOf(kind)).toString();
  }

  function smsAdapter({ values, sealed }: Stored<SmsSettings>): Adapter | null {
    const { provider, key_id: keyId, app_id: appId, ...common } = values;
    if (provider === 'outbox') return null;
    const account = { ...common, keyId, appId, secret: secretOf('sms', sealed) };
    return smsAdapters[provider](account, endpoints[provider]);
  }

  function mailAdapter({ values, sealed }: Stored<MailSettings>): Adapter | null {
    if (values.provider !== 'smtp') return null;
    return smtpAdapter({ ...values, password: secretOf('mail', sealed), privateAddresses: privateSmtp });
  }

  return {
    /** Returns null for the file adapter. Changes apply at once everywhere. */
    async of(channel: Channel): Promise<Adapter | null> {
      const stored = await read(database.system, channel === 'sms' ? 'sms' : 'mail');
      if (!stored) return null;
      const before = known.get(channel);
      if (before?.version === stored.version) return before.adapter;
      const adapter =
        channel === 'sms' ? smsAdapter(stored as Stored<SmsSettings>) : mailAdapter(stored as Stored<MailSettings>);
      known.set(channel, { version: stored.version, adapter });
      return adapter;
    },

    lock: (tx: Tx, kind: keyof Settings) => lockSetting(tx, kind),

    /** Returns whether there is a secret, never the secret. */
    async settings<K extends keyof Settings>(tx: Tx, kind: K): Promise<{ values: Settings[K]; hasSecret: boolean }> {
      const stored = await read(tx, kind);
      return { values: stored?.values ?? defaults[kind], hasSecret: stored?.sealed != null };
    },

    /** @param secret null: removed; undefined: unchanged */
    async save<K extends keyof Settings>(tx: Tx, kind: K, values: Settings[K], secret?: string | null): Promise<void> {
      const stored = await read(tx, kind);
      const sealed =
        secret == null
          ? secret === null
            ? null
            : (stored?.sealed ?? null)
          : sealer.seal(secret, contextOf(kind)).toString('base64');
      await writeSetting(tx, kind, { values, sealed, version: (stored?.version ?? 0) + 1 } satisfies Stored<
        Settings[K]
      >);
    },
  };
}

export type Providers = ReturnType<typeof createProviders>;

interface ProviderDeps {
  database: Database;
  sealer: Sealer;
  endpoints?: ProviderEndpoints | undefined;
  privateSmtp: boolean;
}
