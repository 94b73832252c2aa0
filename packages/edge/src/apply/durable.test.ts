import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-durable-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a file that does not fit keeps what it was, and says so', () => {
  const path = join(folder, 'applied.json');
  writeFileSync(path, 'the good one');
  const module = join(import.meta.dirname, 'durable.ts');
  const program = `
    process.on('SIGXFSZ', () => {});
    const { writeDurably } = await import(${JSON.stringify(module)});
    try { writeDurably(${JSON.stringify(path)}, 'x'.repeat(100_000)); console.log('written'); }
    catch (error) { console.log(error.code); }`;
  const file = join(folder, 'program.mts');
  writeFileSync(file, program);
  // 8 KiB for this process (POSIX counts blocks of 512 bytes)
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 16; exec "$0" --import tsx "$1"', process.execPath, file],
    {
      encoding: 'utf8',
      cwd: import.meta.dirname,
      env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    },
  );
  expect(stdout.trim(), stderr).toBe('EFBIG');
  expect(readFileSync(path, 'utf8')).toBe('the good one');
  expect(readdirSync(folder).toSorted()).toEqual(['applied.json', 'program.mts']);
});
