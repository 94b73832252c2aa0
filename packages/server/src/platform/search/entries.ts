import { sql } from 'kysely';
import type { Tx } from '../database/index.ts';
import type { SearchWord } from './word.ts';

/** How a word was found: as a whole field, at the start of one, or inside one. */
export const matches = ['exact', 'start', 'part'] as const;
export type Match = (typeof matches)[number];

/** An object that a word was found in. */
export interface FoundEntry {
  id: string;
  /** Its fields, as they were written. */
  fields: string[];
  match: Match;
}

/**
 * Entries that hold a word or its digits, by kind: the most exact first, then the shortest. Reads the transaction's account
 * and networks only.
 *
 * `most` says the kinds, and bounds the work: of a word that more entries of a kind hold, any of them are found, those that
 * start with it before others.
 */
export async function findEntries<K extends string>(
  tx: Tx,
  most: Readonly<Record<K, number>>,
  { text, digits }: SearchWord,
): Promise<Record<K, FoundEntry[]>> {
  const words = digits && digits !== text.toLowerCase() ? [text, digits] : [text];
  const kinds = Object.keys(most) as K[];
  const { rows } = await sql<{ kind: K; id: string; words: string; rank: number }>`
    select k.kind, f.id, f.words, min(f.rank) as rank
    from unnest(${kinds}::text[], ${kinds.map((kind) => most[kind])}::integer[]) k (kind, most), unnest(${words}::text[]) w
    cross join lateral platform.search_entries(k.kind, w, k.most) f
    group by k.kind, f.id, f.words order by min(f.rank), length(f.words), f.words, f.id`.execute(tx);
  const found = Object.fromEntries(kinds.map((kind): [K, FoundEntry[]] => [kind, []])) as Record<K, FoundEntry[]>;
  for (const { kind, id, words: said, rank } of rows)
    found[kind].push({ id, fields: said.split('\n').filter((field) => field !== ''), match: matches[rank]! });
  return found;
}

/** How a word is in a field: for what is read whole, without an index. Null: not at all. */
export function matchOf(field: string, { text }: SearchWord): Match | null {
  const [said, sought] = [field.toLowerCase(), text.toLowerCase()];
  if (said === sought) return 'exact';
  if (said.startsWith(sought)) return 'start';
  return said.includes(sought) ? 'part' : null;
}

/** The better of two matches. */
export function better(a: Match | null, b: Match | null): Match | null {
  if (!a || !b) return a ?? b;
  return matches.indexOf(a) <= matches.indexOf(b) ? a : b;
}
