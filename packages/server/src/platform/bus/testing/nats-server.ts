import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Debian package nats-server; undefined without it. */
export const natsServer = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find((path) =>
  existsSync(path),
);

export async function startNats(
  more: readonly string[] = [],
  usual = '-1',
): Promise<{ url: string; port: string; stop(): Promise<void> }> {
  if (!natsServer) throw new Error('nats-server is not installed (Debian package nats-server)');
  const child = spawn(natsServer, ['-a', '127.0.0.1', '-p', usual, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(output);
      if (found?.[1] && output.includes('Server is ready')) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`nats-server ended: ${output}`)));
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
