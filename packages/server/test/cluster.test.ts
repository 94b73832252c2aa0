import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, makeCheckout, sandbox, startProgram } from '../src/platform/postgres/testing/sandbox.ts';
import { clusterDir, sweep } from './cluster.ts';

const checkout = sandbox();

test('the cluster of a test run that was killed is ended and removed by the next run', async () => {
  const { program } = await makeCheckout(checkout);
  const gone = spawnSync('true').pid;
  const dir = join(tmpdir(), `${clusterDir(gone)}test`);
  mkdirSync(dir);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  chmodSync(dir, 0o711);
  const running = await startProgram(program, { dataDir: join(dir, 'data'), systemDir: join(dir, 'system') });
  await running.end('SIGKILL');
  expect(isAlive(running.ready.pid)).toBe(true);

  await sweep();
  expect(isAlive(running.ready.pid)).toBe(false);
  expect(existsSync(dir)).toBe(false);
});

test('the cluster of a run in another PID namespace is left alone', async () => {
  const dir = join(tmpdir(), 'yunxun-cluster-1-999999999-test');
  mkdirSync(dir);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await sweep();
  expect(existsSync(dir)).toBe(true);
});
