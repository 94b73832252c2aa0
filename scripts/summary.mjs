// Prints what the test runs of the gate or of the system tests kept: the slowest files, and failures with their reasons
// and pictures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.build/runs', import.meta.url));
const pictures = '/tmp/yunxun-e2e-failures';
const reports = existsSync(folder)
  ? readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  : [];

const slowest = reports.flatMap(({ files }) => files).sort((a, b) => b.ms - a.ms);
console.log('Slowest files:');
for (const { file, ms } of slowest.slice(0, 10)) console.log(`  ${(ms / 1000).toFixed(1)} s  ${file}`);

for (const one of reports.flatMap(({ failures }) => failures)) print(one);
if (existsSync(pictures)) console.log(`Pictures of failed pages: ${pictures}`);

function print({ file, test, reason }) {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  console.log(`FAIL ${file} > ${test}`);
  for (const line of lines.slice(0, 24)) console.log(`     ${line.slice(0, 200)}`);
}
