// npm test: types, lint, and tests that need only npm packages, without the slow ones. Passes its arguments to vitest.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const quickTests = readdirSync('tools')
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `tools/${name}`);
const args = process.argv.slice(2);
const steps =
  args.length > 0
    ? [['npx', ['vitest', 'run', ...args]]]
    : [
        [process.execPath, ['scripts/typecheck.mjs']],
        ['npx', ['oxlint', '--quiet']],
        ['npx', ['biome', 'check', '--diagnostic-level=error', '.']],
        // names, arrows and lengths take seconds: a fault there ends the run before the long part
        ['npx', ['vitest', 'run', ...quickTests]],
        ['npx', ['vitest', 'run', '--project', '!slow']],
      ];
for (const [command, rest] of steps) {
  console.log(`> ${command === process.execPath ? 'node' : command} ${rest.join(' ')}`);
  const { status } = spawnSync(command, rest, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
