import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@yunxun/contract/device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, withUuid } from '../compile/index.ts';
import { anyInput } from '../compile/testing/arbitraries.ts';

// the published schemas, flattened to one path per line; reference data that lies beside the repository, never in it
const beside = fileURLToPath(new URL('../../../../../../../shared/', import.meta.url));
const present = existsSync(`${beside}data/schema`);

interface Fact {
  types: string[];
  values: string[] | null;
  minimum: number;
  maximum: number;
}

/** Facts by path. A path that may hold one of several shapes has a fact for each. */
function readFacts(file: string): Map<string, Fact[]> {
  const facts = new Map<string, Fact[]>();
  for (const line of readFileSync(`${beside}data/schema/${file}`, 'utf8').split('\n')) {
    const [, path, rest] = /^(\S*) (.*)$/.exec(line) ?? [];
    if (path === undefined || rest === undefined) continue;
    const plain = path.replace(/<(any|one|all)Of\d+>/g, '');
    const listed = /^\[(.*?)\]/.exec(rest)?.[1];
    const types = listed ? listed.split(', ').map((type) => type.replaceAll("'", '')) : [rest.split(' ')[0]!];
    const choice = /enum=\[(.*?)\]/.exec(rest)?.[1]?.split(', ') ?? /const=(\S+)/.exec(rest)?.slice(1);
    const limit = (name: string, otherwise: number) =>
      Number(new RegExp(`${name}=(\\d+)`).exec(rest)?.[1] ?? otherwise);
    const fact = {
      types,
      values: choice?.map((value) => value.replaceAll("'", '')) ?? null,
      minimum: limit('minimum', Number.NEGATIVE_INFINITY),
      maximum: limit('maximum', Number.POSITIVE_INFINITY),
    };
    facts.set(plain, [...(facts.get(plain) ?? []), fact]);
  }
  return facts;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isRecord(value)) return 'object';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Where a document says what the schema does not have, or says it in another type or outside of its limits. */
function strangers(value: unknown, path: string, facts: ReadonlyMap<string, Fact[]>): string[] {
  const type = typeOf(value);
  const known = (facts.get(path) ?? []).some(
    ({ types, values, minimum, maximum }) =>
      (types.includes(type) || (type === 'integer' && types.includes('number'))) &&
      (values === null || values.includes(String(value))) &&
      (typeof value !== 'number' || (value >= minimum && value <= maximum)),
  );
  const own = known ? [] : [`${path} (${type})`];
  if (Array.isArray(value)) return [...own, ...value.flatMap((inner) => strangers(inner, `${path}[]`, facts))];
  if (!isRecord(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => strangers(inner, `${path}.${name}`, facts))];
}

const files = { ap: 'access-point.txt', olg: 'gateway.txt', switch: 'switch.txt' } as const;

describe('what we emit, held against the published schemas', () => {
  it('has them at hand in CI', () => {
    if (process.env.CI === 'true' && existsSync(beside)) expect(present).toBe(true);
    expect(
      strangers({ a: 1 }, '', new Map([['', [{ types: ['object'], values: null, minimum: 0, maximum: 9 }]]])),
    ).toEqual(['.a (integer)']);
  });

  it.skipIf(!present).each(Object.keys(files) as (keyof typeof files)[])(
    '%s: every path exists there, with its type and in its limits',
    (platform) => {
      const facts = readFacts(files[platform]);
      expect(facts.size).toBeGreaterThan(300);
      const seen = new Set<string>();
      fc.assert(
        fc.property(anyInput, fc.integer({ min: 1, max: 2_147_483_647 }), (input, uuid) => {
          const capabilities = { ...input.device.capabilities, platform };
          const { document } = compile({ ...input, device: { ...input.device, capabilities } });
          seen.add(Object.keys(document).join());
          expect(strangers(withUuid(document, uuid), '', facts)).toEqual([]);
        }),
        { numRuns: 300 },
      );
      expect(seen.size).toBeGreaterThan(0);
    },
  );
});
