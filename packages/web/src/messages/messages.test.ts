import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en, zh } from './all.ts';

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? ''))].sort();

const keys = Object.keys(zh) as (keyof typeof zh)[];

/** Texts that people read; words for the search are typed, in either language. */
const shown = keys.filter((key) => !/^search\.\w*_words/.test(key));

test('both languages have the same keys', () => {
  expect(Object.keys(en).sort()).toEqual(Object.keys(zh).sort());
});

test('a text asks for the same values in both languages', () => {
  const differing = keys.filter((key) => placeholders(en[key]).join() !== placeholders(zh[key]).join());
  expect(differing).toEqual([]);
});

test('no Chinese text ends a sentence or clause with Latin punctuation', () => {
  const own = shown.filter((key) => !/^(validation|code)\./.test(key));
  const wrong = own.filter((key) => /\p{Script=Han}[,;!?]|[,;!?]\p{Script=Han}/u.test(zh[key]));
  expect(wrong).toEqual([]);
});

test('no English text holds a Chinese character', () => {
  expect(shown.filter((key) => /\p{Script=Han}/u.test(en[key]))).toEqual([]);
});

test('no text is left over', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^messages/.test(name))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  // A key appears in full, or built from data: `refusal.${reason}`, 'role.' + role.
  const made = [...sources.matchAll(/`([a-z_]+[._][a-z_.]*)\$\{|'([a-z_]+\.(?:[a-z_]+_)?)'/g)].map(
    ([, template, start]) => template ?? start ?? '',
  );
  const named = new Set([...sources.matchAll(/'([a-z_]+\.[\w.]+)'/g)].map(([, key]) => key));
  const unused = keys.filter(
    (key) => !/^(validation|code)\./.test(key) && !named.has(key) && !made.some((prefix) => key.startsWith(prefix)),
  );
  expect(unused).toEqual([]);
});
