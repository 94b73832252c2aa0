export interface PaymentProviderShape {
  name: Readonly<Record<'zh-CN' | 'en', string>>;
  /** Required. */
  fields: readonly string[];
  /** Write-only. */
  secrets: readonly string[];
}
