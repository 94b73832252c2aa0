import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { inspectByProc, inspectByPs, inspectProcess, processesIn, stopServer, waitUntilGone } from './processes.ts';
import { bystander, zombie } from './testing/bystanders.ts';
import { sandbox } from './testing/sandbox.ts';

const place = sandbox();
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

function shell(script: string): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
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
    const pid = await bystander();
    expect(look(pid)).toEqual({ zombie: false, since: look(pid)!.since, command: 'sleep 600' });
    expect(look(pid)!.since).not.toBe(look(1)!.since);
  });

  test.skipIf(missing)('an unwaited child is a zombie', async () => {
    expect(look(await zombie())?.zombie).toBe(true);
  });

  test.skipIf(missing)('a number that no process has is nothing', () => {
    expect(look(2 ** 22 + 1)).toBeNull();
  });
});

test('waiting for a process ends with it, and not before', async () => {
  const pid = await bystander();
  expect(await waitUntilGone(pid, 30)).toBe(false);
  const waiting = waitUntilGone(pid, 20_000);
  process.kill(pid, 'SIGKILL');
  expect(await waiting).toBe(true);
});

test.skipIf(noProc)('processes are found by the directory they stand in', async () => {
  const pid = await bystander({}, place);
  expect(processesIn(place)).toEqual([pid]);
});

describe('stopping', () => {
  /** Ignored signals get 200 ms, the ending one as long as needed. */
  const stepsUpTo = (last: string) =>
    (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const).map((signal) => [signal, signal === last ? 20_000 : 200] as const);

  test.each([
    { trap: '', signal: 'SIGINT' },
    { trap: `trap '' INT; `, signal: 'SIGQUIT' },
    { trap: `trap '' INT QUIT; `, signal: 'SIGKILL' },
  ])('takes $signal when the server needs it', async ({ trap, signal }) => {
    const child = shell(`${trap}echo up; exec sleep 600`);
    await firstLine(child);
    const gone = (ms: number) => waitUntilGone(child.pid!, ms);
    expect(await stopServer(child.pid!, gone, stepsUpTo(signal))).toBe(signal);
    expect(inspectProcess(child.pid!)?.zombie ?? true).toBe(true);
  });

  test('a server that is gone already needs nothing', async () => {
    const child = shell('exit 0');
    await once(child, 'exit');
    expect(await stopServer(child.pid!, (ms) => waitUntilGone(child.pid!, ms), stepsUpTo('SIGINT'))).toBe('SIGINT');
  });
});
