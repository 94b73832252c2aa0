/** How a text has a word: whole, at its start, inside, in another word for it, in a part of it. */
export type Rank = 0 | 1 | 2 | 3 | 4;

const chinese = /[\u3400-\u9fff]/;

/** Returns the best rank of a word in texts; null: in none. Pinyin is separated by blanks. */
export function rankOf(word: string, texts: readonly string[], readings = ''): 0 | 1 | 2 | null {
  const sought = word.toLowerCase();
  if (sought === '') return null;
  const lower = [
    ...texts.map((text) => text.toLowerCase()),
    ...readings.split(' ').filter((reading) => reading !== ''),
  ];
  if (lower.includes(sought)) return 0;
  if (lower.some((text) => text.startsWith(sought))) return 1;
  return lower.some((text) => text.includes(sought)) ? 2 : null;
}

/** Returns the word with each of its terms replaced by those that mean the same: groups by bars, terms by commas. */
export function sameWords(word: string, groups: string): string[] {
  const sought = word.toLowerCase();
  return groups.split('|').flatMap((group) => {
    const terms = group.split(',');
    const has = terms.find((term) => sought.includes(term.toLowerCase()));
    if (has === undefined) return [];
    return terms.filter((term) => term !== has).map((term) => sought.replace(has.toLowerCase(), term));
  });
}

const pairsOf = (run: string) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));

/** Returns pairs of neighbouring Chinese characters, and the other words of three letters and more. */
export function partsOf(word: string): string[] {
  const runs = word.match(/[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+/g) ?? [];
  const parts = runs.flatMap((run) => (chinese.test(run) ? pairsOf(run) : run.length > 2 ? [run] : []));
  return parts.filter((part) => part !== word);
}
