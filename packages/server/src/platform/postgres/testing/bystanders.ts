import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { inspectProcess } from '../processes.ts';
import type { As } from './sandbox.ts';

export async function bystander(as: As = {}, cwd = '/'): Promise<number> {
  const { pid } = await shell('echo up; exec sleep 600', as, cwd);
  await becomes(pid, 'sleep 600');
  return pid;
}

export async function zombie(as: As = {}): Promise<number> {
  const { pid: parent, line } = await shell('sleep 599 & echo $!; exec sleep 600', as, '/');
  const pid = Number(line);
  await becomes(parent, 'sleep 600');
  await becomes(pid, 'sleep 599');
  process.kill(pid, 'SIGKILL');
  while (!inspectProcess(pid)?.zombie) await new Promise(setImmediate);
  return pid;
}

async function shell(script: string, as: As, cwd: string): Promise<{ pid: number; line: string }> {
  const child = spawn('/bin/sh', ['-c', script], { ...as, cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { pid: child.pid!, line: line as string };
}

async function becomes(pid: number, command: string): Promise<void> {
  while (inspectProcess(pid)?.command !== command) await new Promise(setImmediate);
}
