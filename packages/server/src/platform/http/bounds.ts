import type { TSchema } from 'typebox';
import type { FieldError } from '../failure.ts';

interface Shape {
  type?: string | readonly string[];
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  patternProperties?: Readonly<Record<string, Shape>>;
  items?: Shape;
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  contentEncoding?: string;
}

export type FieldErrors = Record<string, FieldError[]>;
export const maxFieldErrors = 20;

/** Bytes that every endpoint accepts, and the maximum of any. */
export const bodyBytes = { usual: 16 * 1024, most: 3 * 1024 * 1024 } as const;

const unbounded = { text: 64, items: 100, keys: 50 } as const;
const longestText = 64 * 1024;
const freeValues = 500;

/**
 * Returns twice the largest valid size in bytes (escapes, non-ASCII), within `bodyBytes`. A base64 field of the body
 * needs no escapes: it adds its own size.
 */
export function bodyLimitOf(schema: TSchema): number {
  const files = Object.values((schema as Shape).properties ?? {}).filter((field) => field.contentEncoding === 'base64');
  const bytes = files.reduce((sum, { maxLength = 0 }) => sum + maxLength, 0);
  return bytes + Math.min(bodyBytes.most, Math.max(bodyBytes.usual, 2 * (largest(schema as Shape) - bytes)));
}

function largest(shape: Shape): number {
  const { anyOf, enum: words, properties, patternProperties, items } = shape;
  if (anyOf) return Math.max(...anyOf.map(largest));
  if (words) return Math.max(...words.map((word) => String(word).length + 2));
  if (shape.const !== undefined) return String(shape.const).length + 2;
  if (items) return 2 + (shape.maxItems ?? unbounded.items) * (largest(items) + 1);
  if (properties || patternProperties) {
    const fields = Object.entries(properties ?? {}).reduce(
      (sum, [name, inner]) => sum + name.length + 4 + largest(inner),
      2,
    );
    const others = Object.values(patternProperties ?? {}).reduce((sum, inner) => sum + largest(inner), 0);
    return fields + unbounded.keys * others;
  }
  if (shape.format === 'uuid') return 38;
  return 2 + (shape.maxLength ?? unbounded.text);
}

/**
 * Checks sizes and unknown fields before validation; skips oversized values, so the schema bounds the work. `unknown`
 * applies to top-level texts and numbers; unknown lists and objects are always rejected.
 */
export function checkBounds(schema: TSchema, input: unknown, unknown: 'refused' | 'ignored'): FieldErrors | null {
  const complaints: FieldErrors = {};
  walk(schema as Shape, input, '', { complaints, refused: unknown === 'refused' });
  return Object.keys(complaints).length > 0 ? complaints : null;
}

interface Walk {
  complaints: FieldErrors;
  refused: boolean;
}

function walk(shape: Shape, value: unknown, path: string, state: Walk): void {
  const { complaints } = state;
  if (Object.keys(complaints).length >= maxFieldErrors) return;
  if (shape.anyOf) walkAny(shape.anyOf, value, path, state);
  else if (typeof value === 'string') {
    const max = shape.maxLength ?? longestText;
    // a character takes at most two UTF-16 units
    if (value.length > 2 * max) complaints[path || 'body'] = [{ key: 'validation.maxLength', params: { max } }];
  } else if (Array.isArray(value)) {
    const max = shape.maxItems ?? unbounded.items;
    if (value.length > max) complaints[path || 'body'] = [{ key: 'validation.maxItems', params: { max } }];
    else if (shape.items) for (const [index, item] of value.entries()) walk(shape.items, item, at(path, index), state);
    else if (value.length > 0) complaints[path || 'body'] = [{ key: 'validation.invalid' }];
  } else if (typeof value === 'object' && value !== null) walkObject(shape, value, path, state);
}

function walkAny(members: readonly Shape[], value: unknown, path: string, { complaints, refused }: Walk): void {
  let fewest: FieldErrors | null = null;
  for (const member of members) {
    const own: FieldErrors = {};
    walk(member, value, path, { complaints: own, refused });
    if (Object.keys(own).length === 0) return;
    if (fewest === null || Object.keys(own).length < Object.keys(fewest).length) fewest = own;
  }
  Object.assign(complaints, fewest);
}

function walkObject(shape: Shape, value: object, path: string, state: Walk): void {
  const { complaints, refused } = state;
  if (!shape.properties && !shape.patternProperties) {
    if (!isSmall(value)) complaints[path || 'body'] = [{ key: 'validation.invalid' }];
    return;
  }
  const [others] = Object.values(shape.patternProperties ?? {});
  let count = 0;
  for (const name in value) {
    if (Object.keys(complaints).length >= maxFieldErrors) return;
    const inner: unknown = value[name as keyof typeof value];
    const known = shape.properties && Object.hasOwn(shape.properties, name) ? shape.properties[name] : others;
    count += 1;
    if (known) walk(known, inner, at(path, name), state);
    // clients may send back a list row with its extra fields
    else if ((refused && path === '') || (typeof inner === 'object' && inner !== null) || count > 2 * unbounded.keys)
      complaints[at(path, name)] = [{ key: 'validation.unknownField' }];
  }
}

/** Limits an object without described fields (a WebAuthn response). */
function isSmall(value: object): boolean {
  let left = freeValues;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.length > longestText) return false;
    if (typeof next !== 'object' || next === null) continue;
    for (const name in next) {
      left -= 1;
      if (left < 0) return false;
      open.push(next[name as keyof typeof next]);
    }
  }
  return true;
}

/** Truncates the path, because names are untrusted. */
function at(path: string, name: string | number): string {
  const full = path === '' ? String(name) : `${path}.${name}`;
  return full.length > 200 ? full.slice(0, 200) : full;
}
