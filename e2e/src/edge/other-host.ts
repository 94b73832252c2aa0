import { execFileSync } from 'node:child_process';
import type { Lab } from './lab.ts';

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Simulates other hardware with the named ports. */
export async function otherHost(lab: Lab, sockets: readonly string[]): Promise<void> {
  const [gateway, bench] = [`${lab.prefix}gw`, `${lab.prefix}t`];
  for (const pid of ip('netns', 'pids', gateway).split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // ended with the previous one
    }
  }
  ip('netns', 'add', bench);
  for (const socket of sockets) ip('-n', gateway, 'link', 'set', socket, 'down', 'netns', bench);
  ip('netns', 'del', gateway);
  ip('netns', 'add', gateway);
  ip('-n', gateway, 'link', 'set', 'lo', 'up');
  for (const [at, socket] of sockets.entries()) {
    ip('-n', bench, 'link', 'set', socket, 'netns', gateway);
    await lab.run('gw', 'ip', 'link', 'set', socket, 'address', `02:00:5e:00:53:${String(at + 10)}`);
  }
  ip('netns', 'del', bench);
}
