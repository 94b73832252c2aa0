import { isRecord } from '@yunxun/contract/device';

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const containers = (schema: Record<string, unknown>) => isRecord(schema.properties) || isRecord(schema.items);

/** Marks list entries by `[]`: `ssids[].name`. */
export function schemaLeaves(schema: unknown, path = ''): string[] {
  if (!isRecord(schema)) return [path];
  const choices = isArray(schema.anyOf) ? schema.anyOf.filter(isRecord).filter(containers) : [];
  if (choices.length > 0) return [...new Set(choices.flatMap((choice) => schemaLeaves(choice, path)))];
  if (isRecord(schema.items)) return schemaLeaves(schema.items, `${path}[]`);
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length === 0) return [path];
  return properties.flatMap(([name, inner]) => schemaLeaves(inner, path ? `${path}.${name}` : name));
}

export function documentLeaves(value: unknown, path = ''): string[] {
  if (isArray(value)) return [...new Set(value.flatMap((entry) => documentLeaves(entry, `${path}[]`)))];
  if (!isRecord(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([name, inner]) => documentLeaves(inner, path ? `${path}.${name}` : name));
}

function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[]`);
}

export function ownersOf<T>(path: string, claims: readonly { owner: T; path: string }[]): T[] {
  const fitting = claims.filter((claim) => isWithin(path, claim.path));
  const closest = Math.max(...fitting.map((claim) => claim.path.length));
  return fitting.filter((claim) => claim.path.length === closest).map(({ owner }) => owner);
}
