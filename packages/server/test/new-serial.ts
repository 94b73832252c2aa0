import { randomBytes } from 'node:crypto';

let serials = 0;

export function newSerial(): string {
  serials += 1;
  return `${randomBytes(3).toString('hex')}${serials.toString(16).padStart(6, '0')}`;
}
