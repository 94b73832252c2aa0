import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startTestCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket at which a test file asks for the run's cluster. */
    testClusterSocket: string;
  }
}

/**
 * One database cluster per test run, started when the first test file asks for it, so that runs without a database
 * pay nothing.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'yunxun-ask-'));
  const socket = join(dir, 'socket');
  let started: ReturnType<typeof startTestCluster> | null = null;
  const server = createServer((_, answer) => {
    started ??= startTestCluster();
    started.then(
      ({ cluster }) => answer.end(JSON.stringify(cluster)),
      (error: Error) => answer.writeHead(500).end(error.stack),
    );
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  project.provide('testClusterSocket', socket);
  return async () => {
    await new Promise((resolve) => server.close(resolve));
    const running = await started?.catch(() => null);
    await running?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}
