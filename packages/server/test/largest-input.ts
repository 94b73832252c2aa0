import type { TSchema } from 'typebox';
import { maxFreeValues, type Shape, undeclared } from '../src/platform/http/schema-check.ts';

export interface Size {
  /** UTF-8, without white space. */
  bytes: number;
  values: number;
}

/** Length of a text whose pattern or rule bounds it, where the schema states no number. */
const ruled = 64;
/** Bytes of a WebAuthn response with an attestation. */
const free = 12 * 1024;

/**
 * Returns the size of the largest valid JSON of a schema.
 * @param character bytes of a character of free text; Chinese takes three
 */
export function largestInput(schema: TSchema, character = 3): Size {
  return sizeOf(schema as Shape, character);
}

function sizeOf(shape: Shape, character: number): Size {
  const inside = (inner: Shape) => sizeOf(inner, character);
  const { anyOf, enum: words, items, properties, patternProperties } = shape;
  if (Object.keys(shape).length === 0) return { bytes: free, values: maxFreeValues };
  if (anyOf) return widest(anyOf.map(inside));
  if (words) return widest(words.map(sizeOfConstant));
  if (shape.const !== undefined) return sizeOfConstant(shape.const);
  if (items) {
    const distinct = shape.uniqueItems ? (items.enum?.length ?? Infinity) : Infinity;
    const count = Math.min(shape.maxItems ?? undeclared.items, distinct);
    const each = inside(items);
    return { bytes: 2 + count * (each.bytes + 1), values: 1 + count * each.values };
  }
  if (properties || patternProperties) {
    const names = shape.maxProperties ?? undeclared.names;
    const fields = Object.entries(properties ?? {}).map(([name, inner]) => ({ name: name.length, ...inside(inner) }));
    const records = Object.values(patternProperties ?? {}).flatMap((inner) =>
      Array.from({ length: names }, () => ({ name: ruled, ...inside(inner) })),
    );
    return [...fields, ...records].reduce(
      (sum, { name, bytes, values }) => ({ bytes: sum.bytes + name + 4 + bytes, values: sum.values + values }),
      { bytes: 2, values: 1 },
    );
  }
  return { bytes: 2 + lengthOf(shape, character), values: 1 };
}

const widest = (sizes: readonly Size[]): Size => ({
  bytes: Math.max(...sizes.map(({ bytes }) => bytes)),
  values: Math.max(...sizes.map(({ values }) => values)),
});

const sizeOfConstant = (value: unknown): Size => ({ bytes: Buffer.byteLength(JSON.stringify(value)), values: 1 });

function lengthOf(shape: Shape, character: number): number {
  const { type, format, pattern, maxLength, contentEncoding, minimum, maximum } = shape;
  const types = [type].flat();
  if (!types.includes('string')) return Math.max(5, String(minimum ?? 1e15).length, String(maximum ?? 1e15).length);
  if (format) return 36;
  if (pattern) return Math.min(maxLength ?? Infinity, longestMatch(pattern));
  return maxLength === undefined ? ruled : maxLength * (contentEncoding ? 1 : character);
}

/** Returns an upper bound of the characters, which the patterns of the contract restrict to ASCII. */
function longestMatch(pattern: string): number {
  const atoms = pattern
    .replaceAll(/\(\?!.*?\$\)/g, '')
    .replaceAll(/\[[^\]]*\]|\\./g, 'x')
    .replaceAll(/[\^$()]/g, '');
  if (/[*+]/.test(atoms)) return Infinity;
  // a repeated group multiplies
  if (/\)\{/.test(pattern)) return ruled;
  return [...atoms.matchAll(/\{(?:\d+,)?(\d+)\}/g)].reduce(
    (sum, [, most]) => sum + Number(most),
    atoms.replaceAll(/\{[^}]*\}/g, '').length,
  );
}
