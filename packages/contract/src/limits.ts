/** What an API token begins with, for people, for scanners of leaked secrets, and to tell it from a session's token. */
export const apiTokenPrefix = 'yx_';

/** Constants that both sides show or hold (spec section 9, design section 3). */
export const limits = {
  /** Seconds between two codes for the same target. */
  codeIntervalSeconds: 60,
  /** Minutes a code lives. */
  codeMinutes: 5,
  /** SMS codes per mobile and day of Asia/Shanghai, over all purposes. */
  smsCodesPerDay: 5,
  /** E-mail codes and links per address and day. */
  emailCodesPerDay: 20,
  /** Codes of all targets in an hour: for one address, and for the whole installation. */
  smsCodesPerAddressHour: 300,
  emailCodesPerAddressHour: 2000,
  smsCodesPerHour: 5000,
  emailCodesPerHour: 20_000,
  /** Seconds a session slides on without and with "remember me". */
  sessionSeconds: 12 * 3600,
  rememberSeconds: 7 * 24 * 3600,
  /** Days after which a session ends however busy it is. */
  sessionDays: 30,
  /** Minutes for which a sign-in, or a confirmation, counts for calls that ask for one. */
  confirmMinutes: 10,
  /** Minutes a link for a new password lives, and days an invitation does. */
  resetMinutes: 30,
  invitationDays: 7,
  /** Seconds a QR code may be confirmed: 20 polls of 3 s. */
  qrSeconds: 60,
  qrPollSeconds: 3,
  /** Minutes between the password and the second factor. */
  ticketMinutes: 5,
  recoveryCodes: 10,
  /** Days after which a place that was not used again counts as new. */
  placeDays: 90,
  /** API tokens and passkeys a person may have. */
  tokensPerPerson: 50,
  passkeysPerPerson: 10,
  /** Wrong passwords per account and address before a lock, and its minutes. */
  wrongPasswords: 5,
  lockMinutes: 15,
} as const;
