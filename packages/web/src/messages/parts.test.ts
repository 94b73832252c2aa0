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

function once<Value>(find: (name: string) => Value): (name: string) => Value {
  const found = new Map<string, Value>();
  return (name) => {
    if (!found.has(name)) found.set(name, find(name));
    return found.get(name)!;
  };
}

const crossroads = /\/messages\/|\/app\/(routes\.ts|shell\/(shell|planned)\.tsx)$/;

const door = /\/features\/[\w-]+\/index\.ts$/;
const namesIn = (list: string) =>
  list.split(',').map(
    (name) =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ')[0]!,
  );

function behind(path: string, taken: string): string[] {
  const wanted = namesIn(taken);
  const given = [...textOf(path).matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)];
  const modules = given.filter(([, names]) => namesIn(names!).some((name) => wanted.includes(name)));
  return modules.length === 0 ? [path] : modules.map(([, , target]) => resolve(dirname(path), target!));
}

const lazyParts = join(source, 'app/lazy-parts.ts');

/** Of parts of other features, only those that are taken. */
function partsIn(taken: string): string[] {
  return namesIn(taken).flatMap((name) => {
    const part = new RegExp(`^export const ${name} = [^]*?^[)}].*$`, 'm').exec(textOf(lazyParts));
    if (!part) return [];
    const file = `${lazyParts}#${name}`;
    texts.set(file, part[0]);
    return [file];
  });
}

function modulesOf(path: string, names: string | undefined): string[] {
  if (names === undefined) return [path];
  if (path === lazyParts) return partsIn(names);
  return door.test(path) ? behind(path, names) : [path];
}

const importsOf = once((file) =>
  [...textOf(file).matchAll(/(?:\{([^{}]*)\}\s*from\s+|from\s+|import\()'(\.[^']+\.tsx?)'/g)]
    .flatMap(([, names, target]) => modulesOf(resolve(dirname(file), target!), names))
    .filter((module) => texts.has(module) || existsSync(module)),
);

function reach(entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || (file !== entry && crossroads.test(file))) return;
    seen.add(file);
    for (const module of importsOf(file)) visit(module);
  };
  visit(entry);
  return [...seen];
}

const keysOf = new Map<Part, Set<string>>();
for (const part of Object.keys(parts) as Part[]) keysOf.set(part, new Set(Object.keys(await parts[part].en())));

const beginsWith = once((start) => Object.keys(en).filter((key) => key.startsWith(start)));
const loadedBy = once((file) =>
  [...textOf(file).matchAll(/loadTexts\(([^)]*)\)/g)].flatMap(([, names]) =>
    [...names!.matchAll(/'(\w+)'/g)].map(([, name]) => name!),
  ),
);
const wantedBy = once((file) => ({
  full: [...textOf(file).matchAll(/'([a-z_]+\.[\w.]+)'/g)].map((match) => match[1]!).filter((key) => key in en),
  begun: [...textOf(file).matchAll(/\bt\(`([a-z_]+\.[\w.]*)\$\{/g)]
    .map((match) => match[1]!)
    .filter((start) => beginsWith(start).length > 0),
}));

function missing(files: readonly string[], given: readonly string[]): string[] {
  const loaded = new Set(given);
  // the router loads parts only at crossroads
  for (const file of files.filter((name) => !name.endsWith('/app/router.tsx')))
    for (const name of loadedBy(file)) loaded.add(name);
  const has = once((key) => key in core || [...loaded].some((part) => keysOf.get(part as Part)?.has(key)));
  return files.flatMap((file) => {
    const { full, begun } = wantedBy(file);
    return [...full.filter((key) => !has(key)), ...begun.filter((start) => !beginsWith(start).some(has))].map(
      (key) => `${relative(source, file)}: ${key}`,
    );
  });
}

test('what every page begins with needs no part', () => {
  expect(Object.keys(en).length).toBeGreaterThan(Object.keys(core).length);
  expect(missing(reach(join(source, 'app/start.tsx')), [])).toEqual([]);
});

test('the layout needs what comes with the sign-in', () => {
  expect(missing(reach(join(source, 'app/shell/shell.tsx')), ['inside'])).toEqual([]);
  expect(missing(reach(join(source, 'app/shell/planned.tsx')), ['inside', 'planned'])).toEqual([]);
});

/** Public addresses: their screens load without the parts behind the sign-in. */
const open = new Set(publicRoutes.map(({ path }) => path));

const table = [
  ...textOf(join(source, 'app/routes.ts')).matchAll(/path: '([^']+)'.*import\('([^']+)'\), '\w+'((?:, '\w+')*)\)/g),
].map(([, path, file, names]) => ({
  path: path!,
  file: resolve(source, 'app', file!),
  given: [...names!.matchAll(/'(\w+)'/g)].map((match) => match[1]!).concat(open.has(path!) ? [] : ['inside']),
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
