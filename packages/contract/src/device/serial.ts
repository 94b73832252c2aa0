/** Serials of simulated devices begin with these six digits ("SIM"). */
export const simulatedSerialPrefix = '53494d';

const serialForm = /^[0-9a-f]{12}$/;

/**
 * The one form of a serial in the program: 12 lower-case hexadecimal digits, the device's MAC. Accepts the colon, dash
 * and dot forms and upper case; null when it is none of them.
 */
export function normaliseSerial(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 32) return null;
  const digits = isColonForm(value) ? withoutColons(value) : value.trim().replace(/[:.-]/g, '');
  // every report has dozens: most are in lower case
  if (serialForm.test(digits)) return digits;
  const lower = digits.toLowerCase();
  return serialForm.test(lower) ? lower : null;
}

const isColonForm = (text: string): boolean => text.length === 17 && [2, 5, 8, 11, 14].every((at) => text[at] === ':');

/** Pieced together: a search by pattern takes twice as long. */
function withoutColons(mac: string): string {
  return mac.slice(0, 2) + mac.slice(3, 5) + mac.slice(6, 8) + mac.slice(9, 11) + mac.slice(12, 14) + mac.slice(15);
}

/** Whether a serial belongs to a simulated device. */
export function isSimulatedSerial(serial: string): boolean {
  return serial.startsWith(simulatedSerialPrefix);
}

/** `90:3c:b3:00:00:01` of `903cb3000001`. */
export function macOfSerial(serial: string): string {
  return serial.replace(/(..)(?=.)/g, '$1:');
}

/** A station's MAC in the same form as a serial: 12 lower-case hexadecimal digits, or null. */
export const normaliseMac = normaliseSerial;

/** Whether a MAC was made up by the station (the "locally administered" bit of its first octet). */
export function isRandomMac(mac: string): boolean {
  return (Number.parseInt(mac.slice(0, 2), 16) & 2) === 2;
}
