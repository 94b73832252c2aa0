export interface PaymentProviderShape {
  name: Readonly<Record<'zh-CN' | 'en', string>>;
  /** Required unless optional. */
  fields: readonly string[];
  optional?: readonly string[];
  /** Write-only. */
  secrets: readonly string[];
  /** Ways that the merchant has to be granted; each with the fields that only it needs. */
  switches?: Readonly<Record<string, readonly string[]>>;
}
