import { withoutBidi } from '../plain-text.ts';

/** Never throws. Devices send numbers as text, objects as text, and omit fields. */

/** Checks keys only; values must be narrowed. */
export type Wire<T> = { readonly [K in keyof T]?: unknown };

export function asRecord<T = Record<string, unknown>>(value: unknown): Wire<T> {
  return isRecord(value) ? (value as Wire<T>) : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Accepts a single text (`band` has both forms). */
export function asTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return asList(value).filter((entry): entry is string => typeof entry === 'string');
}

/** Cuts text to `max` characters, without bidirectional controls. */
export function asText(value: unknown, max = 4096): string | null {
  return typeof value === 'string' ? withoutBidi(value.slice(0, max)) : null;
}

/** Returns a finite number, parsed from text if needed, or null. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

/** Returns an integer from 0 to 2^53 - 1, or null. */
export function asCount(value: unknown): number | null {
  const parsed = asNumber(value);
  if (parsed === null || parsed < 0 || parsed > Number.MAX_SAFE_INTEGER) return null;
  return Math.floor(parsed);
}

/** Accepts 0/1 and words. */
export function asFlag(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return true;
  if (value === false || value === 0 || value === 'false' || value === '0') return false;
  return null;
}

/** Accepts text or a lease object. */
export function asAddress(value: unknown): string | null {
  if (typeof value === 'string') return asText(value, 64);
  if (!isRecord(value)) return null;
  return asText(value.address ?? value.ipaddr ?? value.ip, 64);
}

/** Returns the nesting depth, capped at `most + 1`, without recursion. Characters take four times as long as bytes. */
export function jsonDepth(bytes: Uint8Array, max: number): number {
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
      // brackets sort after digits, commas and colons
    } else if (code < 0x5b) continue;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > max) return deepest;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}
