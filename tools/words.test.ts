import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'packages', 'e2e', 'bench', 'tools'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => /\.(ts|tsx)$/.test(file) && file !== 'tools/words.test.ts');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Private words in names of files; the glossary of CONTRIBUTING.md says what to use. */
const privateFiles =
  /^(desk|wanting|newcomers|trial|reach|deal|gathered|who|keeper|stays|room|lane|box-lines|harbour|house|front-door|crowd|listening|forgetting|closing|unheard|words|acts|near|said|slip|about|complaints|take-off|standing|doing|there)(\.test)?\.tsx?$/;
/** Private words in names of declarations. */
const privateNames =
  /\b(?:const|function|class|interface|type)\s+(Desk|Staging|Wanting|dealt|inWaves|successors|gathered|countInPassing|callRoll|takeSteps|takeTurn|standIn|worldOf|takenBack|refuseNarrowed|workplace|Harbour|House|whoHas|clearStanding|Complaints)\b/g;
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const unclear = /\b(whoever|somebody|is told|hears)\b/i;
/** Maximum words of comments in a thousand lines of source. */
const maxCommentWords = 240;

it('names files by noun and role', () => {
  expect(sources.filter((file) => privateFiles.test(basename(file)))).toEqual([]);
});

it('declares nothing under a private word', () => {
  const found = sources.flatMap((file) =>
    [...textOf(file).matchAll(privateNames)].map(([, name]) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

it('names what acts in comments, and keeps them short', () => {
  const found: string[] = [];
  let words = 0;
  let lines = 0;
  for (const file of sources) {
    const text = textOf(file);
    lines += text.split('\n').length;
    for (const [comment] of text.matchAll(comments)) {
      words += comment.match(/[A-Za-z’'-]{2,}/g)?.length ?? 0;
      if (unclear.test(comment)) found.push(`${file}: ${comment.trim().slice(0, 80)}`);
    }
  }
  expect(found).toEqual([]);
  expect((words / lines) * 1000).toBeLessThanOrEqual(maxCommentWords);
});

it('has English screen texts without private phrases', () => {
  const catalogues = sources.filter((file) => /\/messages\/(en\/|en\.ts$)/.test(file));
  const found = catalogues.flatMap((file) =>
    [...textOf(file).matchAll(/: *\n? *(['"])(.*)\1,$/gm)]
      .filter(([, , text]) => /\b(nobody|somebody|whoever|anybody)\b/i.test(text?.replaceAll(/\w+ \{/g, '') ?? ''))
      .map(([line]) => `${file}: ${line.trim().slice(0, 100)}`),
  );
  expect(catalogues.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
});
