// npm run check: types, lint of changed files, and the tests near them: a loop of a minute before the gate.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const base = process.argv[2] ?? mergeBase();
const changed = [
  ...lines('git', ['diff', '--name-only', '--diff-filter=d', base]),
  ...lines('git', ['ls-files', '-o', '--exclude-standard']),
];
const sources = [...new Set(changed)].filter((path) => /\.(ts|tsx|mjs)$/.test(path));
console.log(`Changed since ${base.slice(0, 8)}: ${sources.length} source files`);

const tests = testsNear(sources);
run(process.execPath, ['scripts/typecheck.mjs']);
if (sources.length > 0) {
  run('npx', ['oxlint', '--quiet', ...sources]);
  run('npx', ['biome', 'check', '--diagnostic-level=error', '--no-errors-on-unmatched', ...sources]);
}
// slow tests are left to the system tests, unless one of them was changed
const projects = tests.some((path) => path.includes('.slow.test.')) ? [] : ['--project', '!slow'];
run('npx', ['vitest', 'run', ...projects, 'tools', ...tests]);

function mergeBase() {
  const found = spawnSync('git', ['merge-base', 'main', 'HEAD'], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : 'HEAD';
}

/**
 * The test files themselves, those in the folders of the changed files, and those of the feature that a file of the
 * contract declares. Browser tests and labs are left to the gate.
 */
function testsNear(paths) {
  const near = new Set();
  for (const path of paths) {
    if (path.startsWith('e2e/') || path.startsWith('bench/')) continue;
    if (/\.test\.tsx?$/.test(path)) near.add(path);
    else if (/^packages\/contract\/src\/[^/]+\.ts$/.test(path)) {
      const feature = basename(path, '.ts').split('-')[0];
      for (const side of ['server', 'web']) {
        const folder = `packages/${side}/src/features/${feature}`;
        if (existsSync(folder)) near.add(folder);
      }
      near.add('packages/contract/src');
    } else if (hasTests(dirname(path))) near.add(dirname(path));
  }
  return [...near];
}

function hasTests(folder) {
  return folder.startsWith('packages/') && readdirSync(folder).some((name) => /\.test\.tsx?$/.test(name));
}

function lines(command, args) {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

function run(command, args) {
  console.log(
    `> ${command === process.execPath ? 'node' : command} ${args.slice(0, 6).join(' ')}${args.length > 6 ? ' …' : ''}`,
  );
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
