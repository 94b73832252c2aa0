import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/index.ts';
import { better, type Match, matchOf } from './entries.ts';
import type { SearchWord } from './word.ts';

/** With a pinyin reading. */
const chinese = /[\u3400-\u9fff]/;
const known = new LRUCache<string, readonly string[]>({ max: 2000 });
const patterns = ['first', 'pinyin'] as const;
/** Of `曾家店`: `ceng…`, and `zeng…` as a surname. */
const surnames = ['off', 'all'] as const;

/**
 * Returns pinyin initials and full pinyin, once more with the readings of surnames: `xhd2l` and `xihudian2lou` for
 * `西湖店2楼`. None without Chinese. Loads the dictionary (pinyin-pro) at first use.
 */
export async function readingsOf(text: string): Promise<readonly string[]> {
  if (!chinese.test(text)) return [];
  const before = known.get(text);
  if (before !== undefined) return before;
  const { pinyin } = await import('pinyin-pro');
  const readings = patterns.flatMap((pattern) =>
    surnames.map((surname) =>
      pinyin(text, { pattern, surname, toneType: 'none', type: 'array', nonZh: 'consecutive', v: true })
        .join('')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, ''),
    ),
  );
  const distinct = [...new Set(readings)];
  known.set(text, distinct);
  return distinct;
}

export function mayBeReading({ text }: SearchWord): boolean {
  return /^[\p{L}\p{N}]+$/u.test(text);
}

/** Matches a name or its pinyin; null: neither. */
export async function matchOfName(name: string, word: SearchWord): Promise<Match | null> {
  const readings = await readingsOf(name);
  return readings.map((reading) => matchOf(reading, word)).reduce(better, matchOf(name, word));
}

/** Completed per transaction; filled per transaction. */
const [batchSize, fillSize] = [500, 2000];

/** Not completed; completed before full pinyin was kept. */
const incomplete = [sql`initials is null`, sql`initials <> '' and readings = 0`] as const;

/**
 * Fills entries of older objects, then readings: triggers write entries without a dictionary, so readings follow within
 * a minute.
 */
export function createReadingsTask(database: Database): () => Promise<void> {
  return async () => {
    while (await fillBatch(database));
    for (const which of incomplete) while ((await completeBatch(database, which)) === batchSize);
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

function completeBatch(database: Database, which: RawBuilder<unknown>): Promise<number> {
  return database.withSystem(async (tx) => {
    const { rows } = await sql<{ account_id: string; kind: string; id: string; words: string }>`
      select account_id, kind, id, words from search_entry where ${which}
      order by account_id, kind, id limit ${batchSize} for no key update skip locked`.execute(tx);
    if (rows.length === 0) return 0;
    const completed = await Promise.all(
      rows.map(async ({ words, ...key }) => {
        const readings = await Promise.all(words.split('\n').map(readingsOf));
        return {
          ...key,
          initials: readings
            .flat()
            .map((reading) => `\n${reading}\n`)
            .join(''),
        };
      }),
    );
    await sql`
      update search_entry e set initials = c.initials, readings = 1
      from json_to_recordset(${JSON.stringify(completed)}::json) as c (account_id uuid, kind text, id text, initials text)
      where e.account_id = c.account_id and e.kind = c.kind and e.id = c.id`.execute(tx);
    return rows.length;
  });
}
