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
/** Private words in identifiers, and the words to use. Names with `_` are fields of the API, of rows and of documents. */
const words = new Map(
  Object.entries({
    calm: 'soft limit, idle',
    complain: 'fail, print an error',
    complaint: 'error',
    complaints: 'errors',
    dealt: 'assigned to waves',
    desk: 'ConfigSession',
    gathered: 'batcher',
    harbour: 'fixture',
    house: 'fixture, testServer',
    houses: 'fixtures',
    keeper: 'batch writer, owner',
    keepers: 'batch writers, owners',
    lane: 'handshake limiter, queue',
    lanes: 'queues',
    newcomer: 'joining device, late enrolment',
    newcomers: 'joining devices, late enrolment',
    patience: 'timeout',
    rested: 'debounced',
    said: 'serverError, reported, output',
    sight: 'observation',
    sights: 'observations',
    told: 'reported, logText',
    unheard: 'console downtime',
    vacant: 'vacancy',
    wanting: 'stage decision',
    workplace: 'membership, requestScope',
    workplaces: 'memberships',
  }),
);
/** Whole names that once were ours. */
const names = new Map(
  Object.entries({
    asHeard: 'excuseDowntime',
    callRoll: 'applyAssociations',
    clearStanding: 'unassignScopes',
    countInPassing: 'client-counts',
    Happening: 'AlarmEvent',
    inWaves: 'assignWaves',
    leaveToAir: 'zeroWirelessDuplicates',
    leaveWaiting: 'dropUnassigned',
    lookTask: 'recheckTask',
    makeSomebody: 'seedPerson',
    maxUntilLook: 'recheckIntervalMs',
    Meant: 'UnsavedSettings',
    networksBehind: 'networksByAddress',
    Overtaken: 'WriteConflict',
    refuseNarrowed: 'requireWholeAccount',
    Somebody: 'SeededPerson',
    Spell: 'ProblemPeriod',
    standIn: 'simulateReplacement',
    stopRest: 'cancelRemaining',
    successors: 'promoteCanaries',
    takenBack: 'dryRun',
    takeOff: 'unassignTemplate',
    takeSteps: 'appendAssignmentLog',
    takeTurn: 'rollout step',
    whoHas: 'findAssignments',
    Wish: 'PushReason',
    worldOf: 'snapshot',
  }),
);
/** Files whose names of migrations or of placeholders in texts stay. Only shrinks. */
const exempt = [
  'packages/server/migrations/index.ts',
  'packages/web/src/features/configuration/finding.ts',
  'packages/web/src/features/templates/impact.tsx',
];
const anyWord = new RegExp([...words.keys(), ...names.keys()].join('|'), 'i');
const token =
  /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=(?:[(,=:[!&|?{};>]|return)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|[`{}]|[A-Za-z_$][\w$]*/g;
const template = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;

/** Yields strings, comments, regular expressions and identifiers; of templates the code inside. */
function* tokensOf(text: string): Generator<string> {
  const open: ('block' | 'template')[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [part] = match;
    if (part === '{') open.push('block');
    else if (part === '`' || (part === '}' && open.pop() === 'template')) {
      template.lastIndex = token.lastIndex;
      if (template.exec(text)?.[0].endsWith('{')) open.push('template');
      token.lastIndex = template.lastIndex || text.length;
    } else if (part !== '}') yield part;
  }
}

const identifiersOf = (text: string): Set<string> => new Set([...tokensOf(text)].filter((part) => /^[\w$]/.test(part)));
const commentsOf = (text: string): string[] => [...tokensOf(text)].filter((part) => /^\/[/*]/.test(part));

/** Private words of a file: the identifier and what to use. */
function privateWordsOf(file: string): string[] {
  const text = textOf(file);
  if (!anyWord.test(text)) return [];
  return [...identifiersOf(text)].flatMap((name) => {
    if (/[a-z]_[a-z]/.test(name)) return [];
    const use =
      names.get(name) ?? name.match(/[A-Z]?[a-z]+|[A-Z]+/g)?.flatMap((part) => words.get(part.toLowerCase()) ?? [])[0];
    return use ? [`${file}: ${name} (use ${use})`] : [];
  });
}

const unclear = /\b(whoever|somebody|anybody|everybody|is told|hears|has its turn)\b/i;
/** Maximum words of comments in a thousand lines of source. */
const maxCommentWords = 235;

it('names files by noun and role', () => {
  expect(sources.filter((file) => privateFiles.test(basename(file)))).toEqual([]);
});

it('reads identifiers, not strings, comments or regular expressions', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the source under test
  const source = "const a = `told ${b('said', /it's told/)} told`; // told\n/* said */ c = { d: 'told' };";
  expect([...identifiersOf(source)]).toEqual(['const', 'a', 'b', 'c', 'd']);
  expect(commentsOf("a('**/b*/') // c\n/* d */")).toEqual(['// c', '/* d */']);
});

it('has no private words in identifiers', () => {
  const found = sources.filter((file) => !exempt.includes(file)).flatMap(privateWordsOf);
  expect(found).toEqual([]);
});

it('exempts only files that still have a private word', () => {
  expect(exempt.filter((file) => !sources.includes(file) || privateWordsOf(file).length === 0)).toEqual([]);
});

it('names what acts in comments, and keeps them short', () => {
  const found: string[] = [];
  let words = 0;
  let lines = 0;
  for (const file of sources) {
    const text = textOf(file);
    lines += text.split('\n').length;
    for (const comment of commentsOf(text)) {
      words += comment.match(/[A-Za-z’'-]{2,}/g)?.length ?? 0;
      if (unclear.test(comment)) found.push(`${file}: ${comment.trim().slice(0, 80)}`);
    }
  }
  expect(found).toEqual([]);
  expect((words / lines) * 1000).toBeLessThanOrEqual(maxCommentWords);
});

it('names what acts in test titles', () => {
  const found = sources.flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:it|test|describe)\((['"`])(.*?)\1,/g)]
      .filter(([, , title = '']) => unclear.test(title) || /(?<!`)\bnobody\b/i.test(title))
      .map(([, , title]) => `${file}: ${title}`),
  );
  expect(found).toEqual([]);
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
