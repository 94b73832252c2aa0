import { sql } from 'kysely';
import type { Tx } from '../database/index.ts';
import type { SearchWord } from './word.ts';

/** Whole field, start, or inside. */
export const matches = ['exact', 'start', 'part'] as const;
export type Match = (typeof matches)[number];

export interface FoundEntry {
  id: string;
  fields: string[];
  match: Match;
}

/**
 * Finds by word or digits, by kind: most exact first, then shortest. Reads the transaction's account and networks.
 * `max` bounds the work: more entries than that are sampled, those that start with the word first.
 */
export async function findEntries<K extends string>(
  tx: Tx,
  max: Readonly<Record<K, number>>,
  { text, digits }: SearchWord,
): Promise<Record<K, FoundEntry[]>> {
  const words = digits && digits !== text.toLowerCase() ? [text, digits] : [text];
  const kinds = Object.keys(max) as K[];
  const { rows } = await sql<{ kind: K; id: string; words: string; rank: number }>`
    select k.kind, f.id, f.words, min(f.rank) as rank
    from unnest(${kinds}::text[], ${kinds.map((kind) => max[kind])}::integer[]) k (kind, most), unnest(${words}::text[]) w
    cross join lateral platform.search_entries(k.kind, w, k.most) f
    group by k.kind, f.id, f.words order by min(f.rank), length(f.words), f.words, f.id`.execute(tx);
  const found = Object.fromEntries(kinds.map((kind): [K, FoundEntry[]] => [kind, []])) as Record<K, FoundEntry[]>;
  for (const { kind, id, words: term, rank } of rows)
    found[kind].push({ id, fields: term.split('\n').filter((field) => field !== ''), match: matches[rank]! });
  return found;
}

/** Matches without an index; null: none. */
export function matchOf(field: string, { text }: SearchWord): Match | null {
  const [term, sought] = [field.toLowerCase(), text.toLowerCase()];
  if (term === sought) return 'exact';
  if (term.startsWith(sought)) return 'start';
  return term.includes(sought) ? 'part' : null;
}

export function better(a: Match | null, b: Match | null): Match | null {
  if (!a || !b) return a ?? b;
  return matches.indexOf(a) <= matches.indexOf(b) ? a : b;
}
