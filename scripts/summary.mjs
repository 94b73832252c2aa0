// Prints what the gate's test runs kept: failures with their reasons and pictures, then the slowest files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.build/runs', import.meta.url));
const pictures = '/tmp/yunxun-e2e-failures';
const reports = existsSync(folder)
  ? readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  : [];

for (const { file, test, reason } of reports.flatMap(({ failures }) => failures)) {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  console.log(
    `FAIL ${file} > ${test}\n${lines
      .slice(0, 8)
      .map((line) => `     ${line.slice(0, 200)}`)
      .join('\n')}`,
  );
}
if (existsSync(pictures)) console.log(`Pictures of failed pages: ${pictures}`);

const slowest = reports.flatMap(({ files }) => files).sort((a, b) => b.ms - a.ms);
console.log('Slowest files:');
for (const { file, ms } of slowest.slice(0, 10)) console.log(`  ${(ms / 1000).toFixed(1)} s  ${file}`);
