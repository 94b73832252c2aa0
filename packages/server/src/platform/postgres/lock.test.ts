import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderHolder, holdFolder, lockName } from './lock.ts';
import { inspectProcess } from './processes.ts';
import { sandbox } from './testing/sandbox.ts';

const root = sandbox();
let folders = 0;

function newFolder(): string {
  const dir = join(root, `data${++folders}`);
  mkdirSync(dir);
  return dir;
}

test('a held folder is refused with a sentence until it is released', () => {
  const dir = newFolder();
  const hold = holdFolder(dir);
  expect(folderHolder(dir)).toBe(process.pid);
  expect(() => holdFolder(dir)).toThrow(
    `Another Yunxun (process ${process.pid}) runs on the data folder ${dir}. Stop it first, or give this one a folder of its own with YUNXUN_DATA.`,
  );
  hold.release();
  expect(folderHolder(dir)).toBeNull();
  holdFolder(dir).release();
  expect(readdirSync(dir)).toEqual([]);
});

async function endedProcess(): Promise<{ pid: number; since: string }> {
  const child = spawn('/bin/sh', ['-c', 'read line'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const pid = child.pid!;
  const { since } = inspectProcess(pid)!;
  child.stdin.end();
  await once(child, 'exit');
  return { pid, since };
}

const locks: Record<string, () => Promise<string>> = {
  'of a process that ended': async () => JSON.stringify(await endedProcess()),
  'whose number now belongs to another program': async () => JSON.stringify({ pid: process.ppid, since: 'long ago' }),
  'that was never written whole': async () => '{"pid":',
  'that is empty': async () => '',
};

test.each(Object.keys(locks))('a lock %s is taken over', async (name) => {
  const dir = newFolder();
  writeFileSync(join(dir, lockName), await locks[name]!());
  const hold = holdFolder(dir);
  expect(JSON.parse(readFileSync(join(dir, lockName), 'utf8')).pid).toBe(process.pid);
  expect(readdirSync(dir)).toEqual([lockName]);
  hold.release();
});

test('a lock that another process took meanwhile is not released', () => {
  const dir = newFolder();
  const hold = holdFolder(dir);
  const other = JSON.stringify({ pid: process.ppid, since: inspectProcess(process.ppid)!.since });
  writeFileSync(join(dir, lockName), other);
  hold.release();
  expect(folderHolder(dir)).toBe(process.ppid);
});
