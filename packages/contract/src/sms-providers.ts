interface SmsProviderShape {
  /** Fields that it cannot do without. */
  fields: readonly ('key_id' | 'sender' | 'app_id')[];
  /** Default region of a provider that sends approved templates only; null: of any text. */
  region: string | null;
}

export const smsProviderShapes = {
  outbox: { fields: [], region: null },
  aliyun: { fields: ['key_id', 'sender'], region: 'cn-hangzhou' },
  tencent: { fields: ['key_id', 'sender', 'app_id'], region: 'ap-guangzhou' },
  twilio: { fields: ['key_id', 'sender'], region: null },
} as const satisfies Readonly<Record<string, SmsProviderShape>>;

/** `outbox`: none, messages go to a file. */
export type SmsProviderName = keyof typeof smsProviderShapes;
export const smsProviders = Object.keys(smsProviderShapes) as SmsProviderName[];

export const smsProvider = (name: SmsProviderName): SmsProviderShape => smsProviderShapes[name];
