export const voucherAlphabets = ['digits', 'letters', 'mixed'] as const;
export type VoucherAlphabet = (typeof voucherAlphabets)[number];

export const codeLength = { min: 6, max: 16 } as const;

/** Of possible codes, one in this many is valid at most. */
const sparseness = 1_000_000;

/** Look-alikes are left out: 0 and O, 1 and I. */
const sizes: Readonly<Record<VoucherAlphabet, number>> = { digits: 10, letters: 24, mixed: 32 };

/** `valid` counts codes of the network, the new ones included. */
export function neededLength(alphabet: VoucherAlphabet, valid: number): number {
  let length: number = codeLength.min;
  while (sizes[alphabet] ** length < valid * sparseness) length += 1;
  return length;
}
