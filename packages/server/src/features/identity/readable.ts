import { randomInt } from 'node:crypto';

/** Crockford's base 32: no letter that is read as a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A random code for people to copy: five bits a character. */
export function newReadable(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Such a code as people type it: any case, hyphens and spaces allowed, O and I read as 0 and 1. */
export function readTyped(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}
