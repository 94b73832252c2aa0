import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Figure {
  what: string;
  measured: string;
  budget?: string;
  holds?: boolean;
}

const sections = {
  start: 'Time to ready',
  sessions: 'Device sessions',
  ingest: 'Ingest of state reports',
  commands: 'Command round trip',
  push: 'Push of a template to 2,000 access points',
  kill: 'Kills',
  killIngest: 'Kills while devices report',
  killPush: 'Kills in the middle of a push',
  killAlarms: 'Kills between an alarm and its message',
  killPayments: 'Kills under payments',
  alarms: 'Rules over 100,000 devices',
  lists: 'Lists at 100,000 devices',
  search: 'Search over 100,000 devices and 1,000,000 clients',
  fleet: 'The list of 20,000 access points',
  topology: 'Topology of 500 devices',
  journeys: 'Journeys of an operator',
  dashboards: 'Dashboards at 100,000 devices',
  storm: 'Ten thousand devices come back at once',
  soak: 'An hour of everything',
  edgeRest: 'The edge agent at rest',
  edgeReconnect: 'A day of reconnects of the edge agent',
  signIn: 'Sign-ins beside other calls',
  pages: 'Pages',
  wire: 'Fuzz of the device wire',
  radius: 'RADIUS',
  portal: 'Guest portal',
  remote: 'Remote access',
  sdwanCompile: 'SD-WAN compiler',
  bodies: 'Bodies of the worst shapes',
  statement: 'Statement of 1,000,000 lines',
  payments: 'Payments by webhooks',
} as const;
export type SectionName = keyof typeof sections;

const root = join(import.meta.dirname, '..');
const file = join(import.meta.dirname, 'RESULTS.md');
const head = `# Results

Written by the scripts of this folder; each replaces its own section (\`npx tsx bench/<name>.ts\`). Budgets are for two
cores with everything on one machine, the generator of the load included. A machine that others use at the same time
gives worse times: the load at the start of a run stands beside its figures.
`;

const loadAtStart = loadavg()[0] ?? 0;
/** Before a bench keeps itself to one of them. */
const coresAtStart = availableParallelism();

/** Writes a section of RESULTS.md; a dry run (`BENCH_DRY`) only prints. */
export function record(name: SectionName, figures: readonly Figure[], notes: readonly string[] = []): void {
  const section = [
    `## ${sections[name]}`,
    '',
    `\`bench/${scripts[name]}.ts\`, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${commit()}. ${machine()}.`,
    '',
    '| What | Measured | Budget | Holds |',
    '|---|---|---|---|',
    ...figures.map(
      ({ what, measured, budget, holds }) => `| ${what} | ${measured} | ${budget ?? ''} | ${word(holds)} |`,
    ),
    ...notes.flatMap((note) => ['', note]),
    '',
  ].join('\n');
  const kept = read();
  kept.set(sections[name], section);
  const ordered = Object.values(sections).flatMap((title) => kept.get(title) ?? []);
  if (!process.env.BENCH_DRY) writeFileSync(file, [head, ...ordered].join('\n'));
  console.log(`\n${section}`);
}

export function atMost(what: string, value: number, budget: number, show: (value: number) => string): Figure {
  return { what, measured: show(value), budget: `≤ ${show(budget)}`, holds: value <= budget };
}

const scripts: Record<SectionName, string> = {
  start: 'start',
  sessions: 'sessions',
  ingest: 'ingest',
  commands: 'commands',
  push: 'push',
  kill: 'kill',
  killIngest: 'kill-ingest',
  killPush: 'kill-push',
  killAlarms: 'kill-alarms',
  killPayments: 'kill-payments',
  alarms: 'alarms',
  lists: 'lists',
  search: 'search',
  fleet: 'fleet',
  topology: 'topology',
  journeys: 'journeys',
  dashboards: 'dashboards',
  storm: 'storm',
  soak: 'soak',
  edgeRest: 'edge-rest',
  edgeReconnect: 'edge-reconnect',
  signIn: 'sign-in',
  pages: 'pages',
  wire: 'fuzz-wire',
  radius: 'radius',
  portal: 'portal',
  remote: 'remote',
  sdwanCompile: 'sdwan-compile',
  bodies: 'bodies',
  statement: 'statement',
  payments: 'payments',
};

function word(holds: boolean | undefined): string {
  return holds === undefined ? '' : holds ? 'yes' : '**no**';
}

function read(): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const parts = readFileSync(file, 'utf8').split(/^(?=## )/m);
  return new Map(parts.slice(1).map((part) => [part.split('\n')[0]!.slice(3), `${part.trimEnd()}\n`]));
}

function commit(): string {
  try {
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      'packages',
      'scripts',
      'package-lock.json',
    );
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${coresAtStart} cores, ${memory} GiB, Linux ${release().split('.', 2).join('.')}, Node ${process.versions.node}; load at the start ${loadAtStart.toFixed(1)}`;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
