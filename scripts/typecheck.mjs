// Checks the types of all projects incrementally, in two programs: what runs in Node, and what runs in or drives a
// browser. One at a time: the compiler uses all cores by itself.
import { spawnSync } from 'node:child_process';

let failed = false;
for (const name of ['node', 'browser']) {
  const kept = `.build/types/${name}.tsbuildinfo`;
  const project = `tsconfig.${name}.json`;
  const { status } = spawnSync('npx', ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', kept, '-p', project], {
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
