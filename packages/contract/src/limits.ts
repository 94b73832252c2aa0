/** Constants that both sides show or hold (spec section 9, design section 3). */
export const limits = {
  /** Seconds between two codes for the same target. */
  codeIntervalSeconds: 60,
  /** Minutes a code lives. */
  codeMinutes: 5,
  /** SMS codes per mobile and day of Asia/Shanghai, over all purposes. */
  smsCodesPerDay: 5,
  /** Codes of all targets in an hour: for one address, and for the whole installation. */
  smsCodesPerAddressHour: 300,
  emailCodesPerAddressHour: 2000,
  smsCodesPerHour: 5000,
  emailCodesPerHour: 20_000,
  /** Seconds a session slides on without and with "remember me". */
  sessionSeconds: 12 * 3600,
  rememberSeconds: 7 * 24 * 3600,
  /** Wrong passwords per account and address before a lock, and its minutes. */
  wrongPasswords: 5,
  lockMinutes: 15,
} as const;
