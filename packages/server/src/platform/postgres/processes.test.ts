import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { inspectByProc, inspectByPs, inspectProcess, processesIn, stopServer, waitUntilGone } from './processes.ts';
import { sandbox } from './testing/sandbox.ts';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

function shell(script: string, cwd = '/'): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return line as string;
}

const noPs = (() => {
  try {
    execFileSync('ps', ['-o', 'pid=', '-p', '1']);
    return false;
  } catch {
    return true;
  }
})();
const noProc = process.platform !== 'linux';

describe.each([
  { name: noProc ? '/proc (skipped: only Linux has it)' : '/proc', look: inspectByProc, missing: noProc },
  { name: noPs ? 'ps (skipped: it is not installed)' : 'ps', look: inspectByPs, missing: noPs },
])('by $name', ({ look, missing }) => {
  test.skipIf(missing)('a process has a command and the same beginning whenever one looks', async () => {
    const child = shell('echo up; exec sleep 600');
    await firstLine(child);
    await expect.poll(() => look(child.pid!)?.command).toBe('sleep 600');
    expect(look(child.pid!)).toEqual({ zombie: false, since: look(child.pid!)!.since, command: 'sleep 600' });
    expect(look(child.pid!)!.since).not.toBe(look(process.ppid)!.since);
  });

  test.skipIf(missing)('a child that nobody waits for is a zombie', async () => {
    const child = shell('true & echo $!; exec sleep 600');
    const pid = Number(await firstLine(child));
    await expect.poll(() => look(pid)?.zombie).toBe(true);
  });

  test.skipIf(missing)('a number that no process has is nothing', () => {
    expect(look(2 ** 22 + 1)).toBeNull();
  });
});

test('waiting for a process ends with it, and not before', async () => {
  const child = shell('echo up; exec sleep 600');
  await firstLine(child);
  expect(await waitUntilGone(child.pid!, 30)).toBe(false);
  const waiting = waitUntilGone(child.pid!, 20_000);
  child.kill('SIGKILL');
  expect(await waiting).toBe(true);
});

test.skipIf(noProc)('processes are found by the directory they stand in', async () => {
  const dir = sandbox();
  const child = shell('echo up; exec sleep 600', dir);
  await firstLine(child);
  expect(processesIn(dir)).toEqual([child.pid]);
});

describe('stopping', () => {
  const steps = [
    ['SIGINT', 200],
    ['SIGQUIT', 200],
    ['SIGKILL', 20_000],
  ] as const;

  test.each([
    { trap: '', signal: 'SIGINT' },
    { trap: `trap '' INT; `, signal: 'SIGQUIT' },
    { trap: `trap '' INT QUIT; `, signal: 'SIGKILL' },
  ])('takes $signal when the server needs it', async ({ trap, signal }) => {
    const child = shell(`${trap}echo up; exec sleep 600`);
    await firstLine(child);
    // the shell of a test run may itself ignore an interrupt, which children inherit
    const gone = (ms: number) => waitUntilGone(child.pid!, ms);
    expect(await stopServer(child.pid!, gone, steps)).toBe(signal);
    expect(inspectProcess(child.pid!)?.zombie ?? true).toBe(true);
  });

  test('a server that is gone already needs nothing', async () => {
    const child = shell('exit 0');
    await once(child, 'exit');
    expect(await stopServer(child.pid!, (ms) => waitUntilGone(child.pid!, ms), steps)).toBe('SIGINT');
  });
});
