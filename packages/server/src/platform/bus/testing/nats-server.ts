import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Where the NATS server of this machine is; undefined when it has none (Debian package nats-server). */
export const natsServer = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find((path) =>
  existsSync(path),
);

/** Starts a NATS server on a free port of the loopback. @throws when this machine has none */
export async function startNats(): Promise<{ url: string; stop(): Promise<void> }> {
  if (!natsServer) throw new Error('nats-server is not installed (Debian package nats-server)');
  const child = spawn(natsServer, ['-a', '127.0.0.1', '-p', '-1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      // it prints the port it took
      const found = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(said);
      if (found?.[1] && said.includes('Server is ready')) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`nats-server ended: ${said}`)));
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
