/** Differs from sessions; found by secret scanners. */
export const apiTokenPrefix = 'yx_';

/** Some are fixed (docs/adr/0039). */
export const limits = {
  /** Interval per target. */
  codeIntervalSeconds: 60,
  codeMinutes: 5,
  /** Per mobile number and day (Asia/Shanghai). */
  smsCodesPerDay: 5,
  /** To guests of a network; beyond the network's, codes go out one by one. */
  guestCodesPerHour: { network: 300, address: 60, device: 5 },
  /** Codes and links per address. */
  emailCodesPerDay: 20,
  /** Per source address, and per installation. */
  smsCodesPerAddressHour: 300,
  emailCodesPerAddressHour: 2000,
  smsCodesPerHour: 5000,
  emailCodesPerHour: 20_000,
  /** Sliding; without and with "remember me". */
  sessionSeconds: 12 * 3600,
  rememberSeconds: 7 * 24 * 3600,
  sessionDays: 30,
  /** Validity of a sign-in or confirmation. */
  confirmMinutes: 10,
  /** Lifetimes of a password reset link and an invitation. */
  resetMinutes: 30,
  invitationDays: 7,
  /** 20 polls of 3 s. */
  qrSeconds: 60,
  qrPollSeconds: 3,
  ticketMinutes: 5,
  recoveryCodes: 10,
  /** Until an unused sign-in place is new again. */
  placeDays: 90,
  tokensPerPerson: 50,
  rolesPerAccount: 50,
  passkeysPerPerson: 10,
  networksPerAccount: 5000,
  /** Open event streams per session or API token. */
  streamsPerSession: 8,
  /** Wrong passwords per account and address until a lock of `lockMinutes`. */
  wrongPasswords: 5,
  lockMinutes: 15,
} as const;

/** To the move of a confirmed device. */
export const objectionHours = 72;
