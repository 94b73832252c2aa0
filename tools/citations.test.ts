import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const texts = tracked
  .filter((file) => /\.(ts|tsx|mjs|sh|css|md|json|yml|yaml)$/.test(file))
  .filter((file) => !/(^|\/)package-lock\.json$/.test(file) && file !== 'tools/citations.test.ts')
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const foreign = [
  /\b(spec|specification|design|research|brief)['’s]* (section|sections|point|[\d§])/i,
  /\b(product|shared) (research|design)\b/i,
  /\bof the spec(ification)?\b/i,
  /\bsettled point/i,
  /\bissue #?\d+\b/i,
  /\bresearch\//,
];
const standards = /\b(RFC \d+|WebAuthn|WHATWG|WPA3|PNG|APPNOTE|OWASP|ASVS|GB\/T)\b/;
const numbered = /\bsections? \d/i;

function places({ file, text }: (typeof texts)[number], isWrong: (line: string, before: string) => boolean): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) =>
    isWrong(line, lines[at - 1] ?? '') ? [`${file}:${at + 1}: ${line.trim().slice(0, 120)}`] : [],
  );
}

it('cites no document that a clone does not have', () => {
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.flatMap((one) => places(one, (line) => foreign.some((words) => words.test(line))))).toEqual([]);
});

it('names the standard whose section it cites', () => {
  const isWrong = (line: string, before: string) => numbered.test(line) && !standards.test(`${before} ${line}`);
  expect(texts.flatMap((one) => places(one, isWrong))).toEqual([]);
});

it('names only pages that are here', () => {
  const pages = new Set(tracked.filter((file) => file.endsWith('.md')).map((file) => basename(file)));
  const isWrong = (line: string) =>
    (line.match(/[\w./%*-]+\.md\b/g) ?? []).some((name) => !/[%*]/.test(name) && !pages.has(basename(name)));
  expect(texts.flatMap((one) => places(one, isWrong))).toEqual([]);
});

it('reads no file above the checkout', () => {
  const isOutside = (file: string, path: string) => relative(root, join(root, dirname(file), path)).startsWith('..');
  const found = texts
    .filter(({ file }) => /\.(ts|tsx|mjs|json)$/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/(['"`])((?:\.\.\/){2,}[^'"`\n]*)\1/g)]
        .filter(([, , path]) => isOutside(file, path!))
        .map(([, , path]) => `${file}: ${path}`),
    );
  expect(found).toEqual([]);
});
