import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { startTestCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket at which a test file asks for the run's cluster. */
    testClusterSocket: string;
    /** The bundled ingest thread: worker threads cannot load TypeScript here. */
    ingestWorker: string;
  }
}

/** Bundles the ingest thread with all it needs, so that it runs wherever it lies. */
async function bundleWorker(dir: string): Promise<string> {
  const outfile = join(dir, 'ingest-worker.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../src/telemetry/ingest/worker.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['pg-native'],
    logLevel: 'warning',
  });
  return outfile;
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
  project.provide('ingestWorker', await bundleWorker(dir));
  return async () => {
    await new Promise((resolve) => server.close(resolve));
    const running = await started?.catch(() => null);
    await running?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}
