import { type RawBuilder, sql } from 'kysely';

/** Keeps the first spelling of tags that differ in letter case only. */
export function distinctTags(tags: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const tag of tags) if (!first.has(tag.toLowerCase())) first.set(tag.toLowerCase(), tag);
  return [...first.values()];
}

/** @param column of type `text[]` */
export const hasTag = (column: string, tag: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${tag}) = any(lower(${sql.ref(column)}::text)::text[])`;
