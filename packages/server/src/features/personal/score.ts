import type { personalSecurity } from '@yunxun/contract';

type Item = (typeof personalSecurity.scoreItems)[number];

export interface Safety {
  hasPassword: boolean;
  passwordChangedAt: Date | null;
  mobile: string | null;
  email: string | null;
  totp: boolean;
  passkeys: number;
  recoveryCodesLeft: number;
  hasWithdrawalPassword: boolean;
}

/** Enough for a person who loses the phone. */
const enoughCodes = 3;
/** Days until a password counts as old. */
const freshDays = 365;

/**
 * Points per item, 100 in total.
 *
 * | Item | Points | Why | |---|---|---| | second_factor | 40 | a stolen password alone is useless; a passkey counts too
 * | | password | 20 | otherwise the SIM card gives access to the account | | two_logins | 15 | the other login restores
 * access and receives warnings | | recovery_codes | 10 | for a lost phone: enough codes, or a second passkey | |
 * withdrawal | 10 | an open session alone cannot move money | | fresh | 5 | ends unnoticed leaks; little, since forced
 * changes rarely help (NIST SP 800-63B, 5.1.1.2) |
 */
const table: Readonly<Record<Item, { points: number; met(safety: Safety, now: Date): boolean }>> = {
  password: { points: 20, met: ({ hasPassword }) => hasPassword },
  two_logins: { points: 15, met: ({ mobile, email }) => mobile !== null && email !== null },
  second_factor: { points: 40, met: ({ totp, passkeys }) => totp || passkeys > 0 },
  recovery_codes: {
    points: 10,
    met: ({ totp, passkeys, recoveryCodesLeft }) => (totp && recoveryCodesLeft >= enoughCodes) || passkeys > 1,
  },
  withdrawal: { points: 10, met: ({ hasWithdrawalPassword }) => hasWithdrawalPassword },
  fresh: {
    points: 5,
    met: ({ passwordChangedAt }, now) =>
      passwordChangedAt !== null && now.getTime() - passwordChangedAt.getTime() <= freshDays * 86_400_000,
  },
};

/** Returns the score of 100, and what would raise it. */
export function scoreOf(safety: Safety, now: Date) {
  const items = Object.entries(table).map(([key, { points, met }]) => ({
    key: key as Item,
    met: met(safety, now),
    points,
  }));
  return { score: items.reduce((sum, item) => sum + (item.met ? item.points : 0), 0), items };
}
