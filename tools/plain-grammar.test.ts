import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const contract = join(root, 'packages/contract');
const { exports: entries } = JSON.parse(readFileSync(join(contract, 'package.json'), 'utf8')) as {
  exports: Record<string, string>;
};

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !/(^|\/)testing\//.test(name))
    .map((name) => join(root, folder, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\s)[^'";]*?from\s+'([^']+)'/g)];
  return found.map(([, target]) => {
    const entry = /^@yunxun\/contract(\/.*)?$/.exec(target!);
    const pattern =
      entry && (entries[`.${entry[1] ?? ''}`] ?? entries['./messages/*']?.replace('*', entry[1]!.slice(10)));
    if (pattern) return join(contract, pattern);
    return target!.startsWith('.') ? resolve(dirname(file), target!) : target!;
  });
}

function reached(files: readonly string[]): { modules: Set<string>; packages: Set<string> } {
  const [modules, packages] = [new Set<string>(), new Set<string>()];
  for (let open = [...files]; open.length > 0; ) {
    const next = open.flatMap(importsOf);
    for (const target of next) if (!target.startsWith('/')) packages.add(target);
    open = [...new Set(next)].filter((target) => existsSync(target) && /\.tsx?$/.test(target) && !modules.has(target));
    for (const target of open) modules.add(target);
  }
  return { modules, packages };
}

const grammar = join(contract, 'src/device/grammar.ts');

it('gives the agent the grammar of documents without a schema library: Node and ws only', () => {
  const { modules, packages } = reached(sources('packages/edge/src'));
  expect(modules).toContain(grammar);
  expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual(['ws']);
});

it('gives browsers neither the grammar nor a schema library', () => {
  const { modules, packages } = reached([...sources('packages/web/src'), ...sources('packages/portal/src')]);
  expect(modules.size).toBeGreaterThan(100);
  expect([...modules].filter((file) => file === grammar)).toEqual([]);
  expect([...packages].filter((name) => name.startsWith('typebox'))).toEqual([]);
});
