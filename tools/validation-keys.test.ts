import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { en, zhCN } from '../packages/contract/src/messages/catalogues.ts';

const root = resolve(import.meta.dirname, '../packages/server/src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
const catalogues: readonly Readonly<Record<string, string>>[] = [en, zhCN];

/** Validation errors in the source: key, and whether placeholder values follow. */
const errors = sources.flatMap(({ name, text }) =>
  [...text.matchAll(/(?:invalid|\.add)\([^;]*?'(validation\.\w+)'(\s*,)?/g)].map(([, key, comma]) => ({
    name,
    key: key!,
    hasValues: comma !== undefined,
  })),
);

it('finds complaints at all', () => {
  expect(errors.length).toBeGreaterThan(50);
});

it('words every complaint of the server in both languages', () => {
  const wordless = errors.filter(({ key }) => catalogues.some((catalogue) => catalogue[key] === undefined));
  expect(wordless).toEqual([]);
});

it('gives values to every complaint whose text has placeholders', () => {
  const raw = errors.filter(
    ({ key, hasValues }) => !hasValues && catalogues.some((catalogue) => catalogue[key]?.includes('{')),
  );
  expect(raw).toEqual([]);
});
