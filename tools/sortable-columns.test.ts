import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../packages/web/src/features');
/** Numbers that are names: their order says nothing. */
const names = new Set(['peripherals/columns.tsx: port']);

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));

/** Returns the object literals that begin with a key, as text. */
function columnsIn(text: string): { key: string; column: string }[] {
  return [...text.matchAll(/\{\s*(?:\.\.\.\{ )?key(?:: '(\w+)')?,/g)].map((match) => {
    let depth = 0;
    let end = match.index;
    do {
      if (text[end] === '{') depth += 1;
      if (text[end] === '}') depth -= 1;
      end += 1;
    } while (depth > 0 && end < text.length);
    return { key: match[1] ?? 'port', column: text.slice(match.index, end) };
  });
}

const found = files.flatMap((file) =>
  columnsIn(readFileSync(join(root, file), 'utf8'))
    .filter(
      ({ column }) => /\btitle\b/.test(column) && /\b(cell|text)\b/.test(column) && /\bright: true\b/.test(column),
    )
    .map(({ key, column }) => ({ name: `${file}: ${key}`, sorts: /\bsort\b/.test(column) })),
);

it('finds the columns with numbers at all', () => {
  expect(found.length).toBeGreaterThan(40);
});

it('sorts every column with a number', () => {
  expect(found.filter(({ name, sorts }) => !sorts && !names.has(name)).map(({ name }) => name)).toEqual([]);
});
