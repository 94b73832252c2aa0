import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/index.ts';
import { better, type Match, matchOf } from './entries.ts';
import type { SearchWord } from './word.ts';

/** With a pinyin reading. */
const chinese = /[\u3400-\u9fff]/;
const known = new LRUCache<string, string>({ max: 2000 });

/** Returns `xhd2l` for `西湖店2楼`; null without Chinese. Loads the dictionary (pinyin-pro) at first use. */
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

export function mayHaveInitials({ text }: SearchWord): boolean {
  return /^[\p{L}\p{N}]+$/u.test(text);
}

/** Matches name or initials; null: neither. */
export async function matchOfName(name: string, word: SearchWord): Promise<Match | null> {
  return better(matchOf(name, word), matchOf((await initialsOf(name)) ?? '', word));
}

/** Completed per transaction; filled per transaction. */
const [batchSize, fillSize] = [500, 2000];

/**
 * Fills entries of older objects, then initials: triggers write entries without a dictionary, so initials follow within
 * a minute.
 */
export function createInitialsTask(database: Database): () => Promise<void> {
  return async () => {
    while (await fillBatch(database));
    while ((await completeBatch(database)) === batchSize);
  };
}

/** @returns whether more may remain */
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
