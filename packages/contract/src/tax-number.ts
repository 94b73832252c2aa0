const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const base = 31;

export const typedTaxNumber = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** Unified social credit code with its check character (GB 32100-2015); older numbers of 15, 17 or 20 by form. */
export function isTaxNumber(text: string): boolean {
  if (text.length !== 18) return /^[0-9A-Z]+$/.test(text) && [15, 17, 20].includes(text.length);
  const values = [...text].map((character) => alphabet.indexOf(character));
  if (values.includes(-1)) return false;
  let weight = 1;
  let sum = 0;
  for (const value of values.slice(0, -1)) {
    sum += value * weight;
    weight = (weight * 3) % base;
  }
  return (base - (sum % base)) % base === values.at(-1);
}
