import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
);
/** Literals that oxlint's rule misses: spread into JSX, or cast before they are spread. */
const literalSpread = /\{\.\.\.\{|\.\.\.\(\s*(?:\[[^[\]]*\]|\{[^{}]*\}) as [\w.]+\s*\)(?=\s*[,)\]}])/g;

const spreadsOf = (text: string) => [...text.matchAll(literalSpread)].map(([found]) => found);

it('finds literals that are spread, not conditions and lists that are mapped', () => {
  expect(spreadsOf("<A {...{ x, y }} />; [...(['a', 'b'] as const), ...([\n'c',\n] as const),]")).toHaveLength(3);
  expect(
    spreadsOf("<A {...props} />; f({ ...(a && { b }), ...([a, b] as const).map(c), ...(d ? ['e'] : []) })"),
  ).toEqual([]);
});

it('spreads no literal to keep lines together', () => {
  const found = sources
    .split('\n')
    .filter((file) => file && file !== 'tools/spreads.test.ts')
    .flatMap((file) => spreadsOf(readFileSync(join(root, file), 'utf8')).map((spread) => `${file}: ${spread}`));
  expect(found).toEqual([]);
});
