/** The profile text uses `max`. */
export const passwordLength = { min: 8, max: 16 } as const;

const kinds = [/[A-Za-z]/, /\d/, /[~!@#$%^&*?]/];
const kindsIn = (value: string): number => kinds.filter((kind) => kind.test(value)).length;

/** Whether the text has at least two kinds of letters, digits and ~!@#$%^&*?. */
export const isPassword = (value: string): boolean =>
  new RegExp(`^[\\w~!@#$%^&*?]{${passwordLength.min},${passwordLength.max}}$`).test(value) &&
  !value.includes('_') &&
  kindsIn(value) > 1;

/** Returns 0 refused, 1 weak, 2 fair, 3 strong. */
export function passwordStrength(value: string): 0 | 1 | 2 | 3 {
  if (!isPassword(value)) return 0;
  const variety = kindsIn(value) + Number(/[a-z]/.test(value) && /[A-Z]/.test(value));
  const distinct = new Set(value).size;
  if (distinct < 6) return 1;
  return variety > 3 || (variety === 3 && value.length > 11) ? 3 : variety === 3 || value.length > 11 ? 2 : 1;
}
