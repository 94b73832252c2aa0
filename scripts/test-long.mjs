// npm run test:long: what the gate and the system tests run in a small form, whole: all runs of properties, every role
// at every endpoint, three simulated hours against the truth, axe on every screen in both languages, every variant of a
// cut-off, full counts of kills, and a soak of 40 minutes at twenty times the usual rate. Takes three and a half hours.
import { spawnSync } from 'node:child_process';

const files = ['accessibility', 'kill', 'edge/cut-off'];
run('npx', ['vitest', 'run', '--project', 'server', '--project', 'slow'], { LONG_TESTS: '1' });
run('npm', ['run', 'test:system', '--', ...files], { LONG_TESTS: '1' });
// a device reports once a minute: 1,000 devices at twenty times that rate
run('npx', ['tsx', 'bench/soak.ts', '40', '1000', '333']);

function run(command, args, env = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}
