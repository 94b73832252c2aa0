import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const documents = tracked.filter(
  (file) =>
    /^(ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY|README(\.zh-CN)?)\.md$/.test(file) || /^docs\/.*\.md$/.test(file),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Files that a document names in backticks, as `runner.ts` or `jobs/runner.ts`. */
const namedFiles = (text: string) =>
  [...text.matchAll(/`((?:[\w@.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs))`/g)]
    .map(([, name]) => name as string)
    // the reader's own file in the API guide
    .filter((name) => name !== 'example.mjs');
const links = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target) && !target.startsWith('/'));

describe.each(documents)('%s', (document) => {
  it('names source files that exist', () => {
    const missing = namedFiles(textOf(document)).filter(
      (name) => !tracked.some((file) => file === name || file.endsWith(`/${name}`)),
    );
    expect(missing).toEqual([]);
  });

  it('links to files that exist', () => {
    const missing = links(textOf(document)).filter((target) => !existsSync(join(root, dirname(document), target)));
    expect(missing).toEqual([]);
  });
});

it('keeps the architecture on two pages', () => {
  expect(textOf('ARCHITECTURE.md').split(/\s+/).length).toBeLessThanOrEqual(1300);
});

/** Longer than five steps. Only shrinks. */
const longRecipes: Record<string, number> = {
  'A setting of gateways': 6,
};

it('keeps recipes at five steps', () => {
  const recipes = textOf('CONTRIBUTING.md').split('\n## Recipes\n')[1]!.split('\n## ')[0]!.split('\n### ').slice(1);
  const steps = recipes.map((text) => [text.split('\n')[0]!, text.match(/^\d+\. /gm)?.length ?? 0] as const);
  expect(steps.length).toBeGreaterThan(7);
  expect(Object.fromEntries(steps.filter(([, count]) => count > 5))).toEqual(longRecipes);
});
