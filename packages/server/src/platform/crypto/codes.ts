import { randomInt } from 'node:crypto';
import { typedText } from '@yunxun/contract/typed-text';

/** Without look-alikes: 0 and O, 1 and I. */
const alphabets = {
  digits: '0123456789',
  letters: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  mixed: '23456789ABCDEFGHJKLMNPQRSTUVWXYZ',
} as const;

export type Alphabet = keyof typeof alphabets;

export function makeCodes(count: number, alphabet: Alphabet, length: number): string[] {
  const characters = alphabets[alphabet];
  const codes = new Set<string>();
  while (codes.size < count) codes.add(Array.from({ length }, () => characters[randomInt(characters.length)]).join(''));
  return [...codes];
}

/** Returns at most `length` characters; equal bytes give equal ones. */
export const codeOf = (bytes: Buffer, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => alphabets.mixed[byte % alphabets.mixed.length]).join('');

/** Upper case. */
export const typedCode = (text: string): string => typedText(text).toUpperCase();
