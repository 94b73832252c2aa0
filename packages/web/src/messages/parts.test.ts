import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aloneRoutes, isPlanned, layoutRoutes, publicRoutes } from '../app/routes.ts';
import { en } from './all.ts';
import { messages as core } from './en.ts';
import { type Part, parts } from './parts.ts';

const source = join(import.meta.dirname, '..');
const texts = new Map<string, string>();

function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(file, 'utf8');
  texts.set(file, known);
  return known;
}

/** Every module that a module leads to, by import or later by `import()`. The route table is a crossroads: not followed. */
function reach(entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || /\/messages\/|\/app\/routes\.ts$/.test(file)) return;
    seen.add(file);
    for (const [, target] of textOf(file).matchAll(/(?:from\s+|import\()'(\.[^']+\.tsx?)'/g)) {
      const path = resolve(dirname(file), target!);
      if (existsSync(path)) visit(path);
    }
  };
  visit(entry);
  return [...seen];
}

const keysOf = new Map<Part, Set<string>>();
for (const part of Object.keys(parts) as Part[]) keysOf.set(part, new Set(Object.keys(await parts[part].en())));

/** Keys that the modules name in full and that none of the given parts holds. */
function missing(files: readonly string[], given: readonly string[]): string[] {
  const loaded = new Set(given);
  for (const file of files) {
    for (const [, names] of textOf(file).matchAll(/loadTexts\(([^)]*)\)/g)) {
      for (const [, name] of names!.matchAll(/'(\w+)'/g)) loaded.add(name!);
    }
  }
  const has = (key: string) => key in core || [...loaded].some((part) => keysOf.get(part as Part)?.has(key));
  return files.flatMap((file) =>
    [...textOf(file).matchAll(/'([a-z_]+\.[\w.]+)'/g)]
      .map((match) => match[1]!)
      .filter((key) => key in en && !has(key))
      .map((key) => `${relative(source, file)}: ${key}`),
  );
}

test('the frame of the console needs no part', () => {
  expect(Object.keys(en).length).toBeGreaterThan(Object.keys(core).length);
  expect(missing(reach(join(source, 'app/start.tsx')), ['planned'])).toEqual([]);
});

/** File of a row's screen and the parts that its row names, from the table's own text. */
const table = [
  ...textOf(join(source, 'app/routes.ts')).matchAll(/path: '([^']+)'.*import\('([^']+)'\), '\w+'((?:, '\w+')*)\)/g),
].map(([, path, file, names]) => ({
  path: path!,
  file: resolve(source, 'app', file!),
  given: [...names!.matchAll(/'(\w+)'/g)].map((match) => match[1]!),
}));

describe('a screen has its texts', () => {
  test('for every row that is built', () => {
    expect(table.length).toBe(
      [...layoutRoutes, ...aloneRoutes, ...publicRoutes].filter((row) => !isPlanned(row)).length,
    );
  });
  test.each(table.map((row) => [row.path, row] as const))('%s', (_path, row) => {
    expect(missing(reach(row.file), row.given)).toEqual([]);
  });
});
