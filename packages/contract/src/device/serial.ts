export const simulatedSerialPrefix = '53494d';

const serialForm = /^[0-9a-f]{12}$/;

/** Accepts colons, dashes, dots, upper case; else null. */
export function normaliseSerial(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 32) return null;
  const digits = isColonForm(value) ? withoutColons(value) : value.trim().replace(/[:.-]/g, '');
  // fast path: dozens per report
  if (serialForm.test(digits)) return digits;
  const lower = digits.toLowerCase();
  return serialForm.test(lower) ? lower : null;
}

const isColonForm = (text: string): boolean => text.length === 17 && [2, 5, 8, 11, 14].every((at) => text[at] === ':');

/** Works twice as fast as a regular expression. */
function withoutColons(mac: string): string {
  return mac.slice(0, 2) + mac.slice(3, 5) + mac.slice(6, 8) + mac.slice(9, 11) + mac.slice(12, 14) + mac.slice(15);
}

export function isSimulatedSerial(serial: string): boolean {
  return serial.startsWith(simulatedSerialPrefix);
}

/** Returns `90:3c:b3:00:00:01` for `903cb3000001`. */
export function macOfSerial(serial: string): string {
  return serial.replace(/(..)(?=.)/g, '$1:');
}

export const normaliseMac = normaliseSerial;

/** Returns null for zeros and group addresses (IEEE 802: lowest bit of the first octet). */
export function normaliseClientMac(value: unknown): string | null {
  const mac = normaliseMac(value);
  const isGroup = mac !== null && (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1;
  return isGroup || mac === '000000000000' ? null : mac;
}

/** Tests the "locally administered" bit of the first octet. */
export function isRandomMac(mac: string): boolean {
  return (Number.parseInt(mac.slice(0, 2), 16) & 2) === 2;
}
