/** Returns half width, without blanks, dashes and invisible characters. */
export const typedText = (text: string): string => text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '');

/** Returns half width, without blanks and invisible characters: passwords of guests have none of these. */
export const typedPassword = (text: string): string => text.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '');

/** Keeps excess digits, which validation reports. */
export function typedMobile(text: string): string {
  const bare = typedText(text).replace(/[()]/g, '');
  return bare.replace(/^(\+|00)86/, '').replace(/^86(?=1\d{10}$)/, '');
}

/** Accepts mainland China, as `typedMobile` returns it. */
export const isMobile = (text: string): boolean => /^1[3-9]\d{9}$/.test(text);
