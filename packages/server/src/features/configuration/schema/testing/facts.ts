import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@yunxun/contract/device';

// published schemas, outside the repository
export const beside = fileURLToPath(new URL('../../../../../../../../shared/', import.meta.url));
export const present = existsSync(`${beside}data/schema`);
export const files = { ap: 'access-point.txt', olg: 'gateway.txt', switch: 'switch.txt' } as const;

interface Fact {
  types: string[];
  values: string[] | null;
  minimum: number;
  maximum: number;
}

/** Returns several facts for alternative shapes. */
export function readFacts(file: string): Map<string, Fact[]> {
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

export function strangers(value: unknown, path: string, facts: ReadonlyMap<string, Fact[]>): string[] {
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
