// Checks the types of all projects incrementally. One at a time: the compiler uses all cores by itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const projects = [...readdirSync('packages').map((name) => `packages/${name}`), 'e2e', 'bench'].filter((path) =>
  existsSync(`${path}/tsconfig.json`),
);
let failed = false;
for (const project of projects) {
  const kept = `.build/types/${project.replaceAll('/', '-')}.tsbuildinfo`;
  const { status } = spawnSync('npx', ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', kept, '-p', project], {
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
