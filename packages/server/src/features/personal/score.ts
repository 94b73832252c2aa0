import type { personalSecurity } from '@yunxun/contract';

type Item = (typeof personalSecurity.scoreItems)[number];

/** What the score looks at. */
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

/** Recovery codes with which somebody who has lost the phone is still safe. */
const enoughCodes = 3;
/** Days for which a password counts as fresh. */
const freshDays = 365;

/**
 * What each item is worth, with why; the points add up to 100.
 *
 * | Item | Points | Why |
 * |---|---|---|
 * | second_factor | 40 | a stolen or guessed password alone opens nothing; a passkey is one by itself. More than anything else |
 * | password | 20 | without one, whoever holds the mobile's SIM card holds the account |
 * | two_logins | 15 | whoever loses the mobile or the mailbox gets back in by the other one, and is told of changes there |
 * | recovery_codes | 10 | a lost phone does not lock out its owner: enough codes left, or a second passkey |
 * | withdrawal | 10 | money asks for something that an open session does not know |
 * | fresh | 5 | a password that leaked somewhere unnoticed ends some day; little, since changing a good one often helps nobody (NIST SP 800-63B, 5.1.1.2) |
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

/** The security score out of 100, and what would raise it. */
export function scoreOf(safety: Safety, now: Date) {
  const items = Object.entries(table).map(([key, { points, met }]) => ({
    key: key as Item,
    met: met(safety, now),
    points,
  }));
  return { score: items.reduce((sum, item) => sum + (item.met ? item.points : 0), 0), items };
}
