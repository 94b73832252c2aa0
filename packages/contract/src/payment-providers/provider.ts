export interface PaymentProviderShape {
  name: Readonly<Record<'zh-CN' | 'en', string>>;
  /** Required unless optional. */
  fields: readonly string[];
  optional?: readonly string[];
  /** Write-only. */
  secrets: readonly string[];
  switches?: Readonly<Record<string, readonly string[]>>;
}
