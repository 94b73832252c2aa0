/**
 * Narrowing of values that came off the wire. Devices send numbers as strings, objects where the schema says text, and
 * leave out whatever they like; nothing here throws.
 */

/**
 * The same keys, all optional, all of unknown type: how a consumer must look at anything a device sent. Key names stay
 * checked, values have to be narrowed.
 */
export type Wire<T> = { readonly [K in keyof T]?: unknown };

/** A JSON object (not a list, not null); anything else is an empty one. */
export function asRecord<T = Record<string, unknown>>(value: unknown): Wire<T> {
  return isRecord(value) ? (value as Wire<T>) : {};
}

/** Whether a value is a JSON object (not a list, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A list of its text members; a lone text counts as a list of one (`band` comes in both forms). */
export function asTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return asList(value).filter((entry): entry is string => typeof entry === 'string');
}

/** Text, cut to `most` characters; null when it is not text. */
export function asText(value: unknown, most = 4096): string | null {
  return typeof value === 'string' ? value.slice(0, most) : null;
}

/** A finite number, also when it came as text; null otherwise. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

/** A whole number from 0 up to 2^53 - 1 (counters, uptimes); negative and broken values are null. */
export function asCount(value: unknown): number | null {
  const parsed = asNumber(value);
  if (parsed === null || parsed < 0 || parsed > Number.MAX_SAFE_INTEGER) return null;
  return Math.floor(parsed);
}

/** True or false, also as 0/1 and as the words; null otherwise. */
export function asFlag(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return true;
  if (value === false || value === 0 || value === 'false' || value === '0') return false;
  return null;
}

/** `ipaddr_v4` of an association: text, or a lease object that holds it. */
export function asAddress(value: unknown): string | null {
  if (typeof value === 'string') return value.slice(0, 64);
  if (!isRecord(value)) return null;
  return asText(value.address ?? value.ipaddr ?? value.ip, 64);
}

/**
 * Deepest nesting of a JSON text in UTF-8, counted without parsing it (brackets inside strings are skipped), stopping early
 * at `most + 1`. What comes after parsing recurses, so this is asked first. Bytes, and strings in a loop of their own: every
 * report goes through here, and a text read by characters takes four times as long.
 */
export function jsonDepth(bytes: Uint8Array, most: number): number {
  const { length } = bytes;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < length; at += 1) {
    const code = bytes[at]!;
    if (code === 0x22) {
      for (at += 1; at < length; at += 1) {
        const inner = bytes[at];
        if (inner === 0x22) break;
        if (inner === 0x5c) at += 1;
      }
      // brackets come after all digits, commas and colons
    } else if (code < 0x5b) continue;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > most) return deepest;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}
