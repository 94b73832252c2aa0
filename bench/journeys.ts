import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { type Figure, record } from './results.ts';

const root = join(import.meta.dirname, '..');
const journeys = {
  J2: 'e2e/src/j2-push-template.test.ts',
  J5: 'e2e/src/j5-replace.test.ts',
  'J5, on real boxes': 'e2e/src/edge/restore.test.ts',
  J7: 'e2e/src/j7-upgrade.test.ts',
};

interface Report {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string; duration: number }[] }[];
}

execFileSync(process.execPath, [join(root, 'scripts', 'ensure.mjs')], { stdio: 'inherit' });
const folder = makeFolder();
const figures: Figure[] = [];
try {
  for (const [name, file] of Object.entries(journeys)) {
    const steps = await walk(file, join(folder, `${name}.json`));
    const whole = steps.reduce((sum, { duration }) => sum + duration, 0);
    figures.push({ what: `**${name}**`, measured: `**${seconds(whole)}**` });
    for (const { ancestorTitles, title, duration } of steps)
      figures.push({ what: [...ancestorTitles, title].join(': '), measured: seconds(duration) });
  }
} finally {
  removeFolder(folder);
}
record('journeys', figures, [
  'One walk each, one after the other. Simulated devices restart and answer twenty times as quick as real ones; the boxes of the lab are our agent in network namespaces and take their time. J7 waits for the next whole minute, for that is when its plan begins.',
]);

async function walk(file: string, to: string): Promise<Report['testResults'][number]['assertionResults']> {
  const args = ['vitest', 'run', '--config', 'e2e/vitest.config.ts', file, '--reporter=json', `--outputFile=${to}`];
  const run = spawn('npx', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(run, 'exit');
  const report = JSON.parse(readFileSync(to, 'utf8')) as Report;
  const steps = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  if (code !== 0 || steps.length === 0) throw new Error(`${file} failed`);
  const [first] = steps;
  return steps.filter(({ ancestorTitles }) => ancestorTitles[0] === first?.ancestorTitles[0]);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
