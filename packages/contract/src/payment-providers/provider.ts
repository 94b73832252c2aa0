export interface PaymentProviderShape {
  /** For payers and operators, on every screen. */
  name: Readonly<Record<'zh-CN' | 'en', string>>;
  /** All are required. */
  fields: readonly string[];
  /** Those that are write-only. */
  secrets: readonly string[];
}
