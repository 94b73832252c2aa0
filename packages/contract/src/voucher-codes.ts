export const voucherAlphabets = ['digits', 'letters', 'mixed'] as const;
export type VoucherAlphabet = (typeof voucherAlphabets)[number];

export const codeLength = { min: 6, max: 16 } as const;

/** Of possible codes, one in this many is valid in the network at most, so that guessing is hopeless. */
const sparseness = 1_000_000;

/** Look-alikes are left out: 0 and O, 1 and I. */
const sizes: Readonly<Record<VoucherAlphabet, number>> = { digits: 10, letters: 24, mixed: 32 };

/** Returns the length that codes need; `valid` counts those of the network, the new ones included. */
export function neededLength(alphabet: VoucherAlphabet, valid: number): number {
  let length: number = codeLength.min;
  while (sizes[alphabet] ** length < valid * sparseness) length += 1;
  return length;
}
