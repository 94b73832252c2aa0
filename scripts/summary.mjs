// Prints what the test runs of the gate or of the system tests kept: the costs of files, in the gate (`--budgets`) those
// of folders beside their budgets, and failures with their reasons and pictures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderCosts } from './test-costs.mjs';

const folder = fileURLToPath(new URL('../.build/runs', import.meta.url));
const pictures = '/tmp/yunxun-e2e-failures';
const reports = existsSync(folder)
  ? readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  : [];
/** Cheaper files are only counted. */
const listedMs = 1000;

const files = reports.flatMap((report) => report.files).sort((a, b) => b.ms - a.ms);
const listed = files.filter(({ ms }) => ms >= listedMs);
const seconds = (ms) => (ms / 1000).toFixed(1).padStart(7);
console.log('Costs of test files in seconds:');
for (const { file, ms } of listed) console.log(`${seconds(ms)}  ${file}`);
const rest = files.slice(listed.length);
console.log(`${seconds(rest.reduce((sum, { ms }) => sum + ms, 0))}  ${rest.length} files below a second`);
if (process.argv.includes('--budgets')) printFolders();

for (const one of reports.flatMap(({ failures }) => failures)) print(one);
if (existsSync(pictures)) console.log(`Pictures of failed pages: ${pictures}`);

function printFolders() {
  const costs = folderCosts(files);
  console.log('Costs of folders in seconds, and their budgets on two quiet cores:');
  for (const { folder: name, count, seconds: spent, budget, isOver } of costs)
    console.log(
      `${seconds(spent * 1000)} of ${String(budget ?? '-').padStart(4)}  ${name}, ${count} files${isOver ? '  OVER' : ''}`,
    );
  const over = costs.filter(({ isOver }) => isOver).map(({ folder: name }) => name);
  if (over.length > 0) console.log(`Over budget: ${over.join(', ')}`);
}

function print({ file, test, reason }) {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  console.log(`FAIL ${file} > ${test}`);
  for (const line of lines.slice(0, 24)) console.log(`     ${line.slice(0, 200)}`);
}
