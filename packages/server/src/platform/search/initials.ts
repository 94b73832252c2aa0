import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/index.ts';
import { better, type Match, matchOf } from './entries.ts';
import type { SearchWord } from './word.ts';

/** Characters that have a reading in pinyin. */
const chinese = /[\u3400-\u9fff]/;
const known = new LRUCache<string, string>({ max: 2000 });

/**
 * The pinyin initials of a text, other letters and digits kept: `西湖店2楼` is `xhd2l`. Null without Chinese characters.
 * The dictionary (pinyin-pro) is loaded at the first use.
 */
export async function initialsOf(text: string): Promise<string | null> {
  if (!chinese.test(text)) return null;
  const before = known.get(text);
  if (before !== undefined) return before;
  const { pinyin } = await import('pinyin-pro');
  const letters = pinyin(text, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' });
  const initials = letters
    .join('')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  known.set(text, initials);
  return initials;
}

/** Returns how a word is in a name or in its pinyin initials; null if in neither. */
export async function matchOfName(name: string, word: SearchWord): Promise<Match | null> {
  return better(matchOf(name, word), matchOf((await initialsOf(name)) ?? '', word));
}

/** Entries that one transaction completes, and objects older than the search that one transaction fills in. */
const [batchSize, fillSize] = [500, 2000];

/**
 * Background task: fills in the entries of objects that are older than the search, then computes the initials of entries
 * that were written since. Triggers write entries, and a trigger has no dictionary; names are found by their characters
 * at once, and by their initials within a minute.
 */
export function createInitialsTask(database: Database): () => Promise<void> {
  return async () => {
    while (await fillBatch(database));
    while ((await completeBatch(database)) === batchSize);
  };
}

/** @returns whether there may be more to fill in */
function fillBatch(database: Database): Promise<boolean> {
  return database.withSystem(async (tx) => {
    const { rows } = await sql<{ filled: boolean }>`
      select platform.fill_search_entries(${fillSize}) as filled`.execute(tx);
    return rows[0]!.filled;
  });
}

function completeBatch(database: Database): Promise<number> {
  return database.withSystem(async (tx) => {
    const { rows } = await sql<{ account_id: string; kind: string; id: string; words: string }>`
      select account_id, kind, id, words from search_entry where initials is null
      order by account_id, kind, id limit ${batchSize} for no key update skip locked`.execute(tx);
    if (rows.length === 0) return 0;
    const completed = await Promise.all(
      rows.map(async ({ words, ...key }) => {
        const fields = await Promise.all(words.split('\n').map(initialsOf));
        return { ...key, initials: fields.map((field) => (field ? `\n${field}\n` : '')).join('') };
      }),
    );
    await sql`
      update search_entry e set initials = c.initials
      from json_to_recordset(${JSON.stringify(completed)}::json) as c (account_id uuid, kind text, id text, initials text)
      where e.account_id = c.account_id and e.kind = c.kind and e.id = c.id`.execute(tx);
    return rows.length;
  });
}
