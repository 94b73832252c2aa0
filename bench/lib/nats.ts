import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { freePorts } from './free-ports.ts';
import { pause } from './stats.ts';

const program = '/usr/sbin/nats-server';

export const hasNats = existsSync(program);

export async function startNats(): Promise<{ url: string; stop(): Promise<void> }> {
  if (!hasNats) throw new Error(`this bench needs ${program} (Debian package nats-server)`);
  const [port = 0] = await freePorts(1);
  const server = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  while (!(await answers(port))) await pause(20);
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
