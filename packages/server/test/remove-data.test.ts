import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../scripts/remove-data.mjs');
const parent = mkdtempSync(join(tmpdir(), 'yunxun-remove-'));
let folder: string;
let elsewhere: string;

beforeEach(() => {
  const room = mkdtempSync(join(parent, 'room-'));
  folder = join(room, 'data');
  elsewhere = join(room, 'system', 'hash');
  mkdirSync(folder);
  mkdirSync(join(elsewhere, 'cluster'), { recursive: true });
  writeFileSync(join(folder, 'master.key'), 'key');
  writeFileSync(join(folder, 'database-location.txt'), `${elsewhere}\n\nWhy it is there.\n`);
  writeFileSync(join(elsewhere, 'data-folder'), `${folder}\n`);
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const remove = (what: string) => spawnSync(process.execPath, [script, what], { encoding: 'utf8' });

it('removes a data folder and the database that lies elsewhere', () => {
  const { status, stdout } = remove(folder);
  expect(status).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([`Removed ${elsewhere}`, `Removed ${folder}`]);
  expect([existsSync(folder), existsSync(elsewhere)]).toEqual([false, false]);
});

it('leaves a database that names another data folder', () => {
  writeFileSync(join(elsewhere, 'data-folder'), '/somewhere/else\n');
  expect(remove(folder).status).toBe(0);
  expect([existsSync(folder), existsSync(elsewhere)]).toEqual([false, true]);
});

it('refuses a folder that is no data folder', () => {
  rmSync(join(folder, 'master.key'));
  expect(remove(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('holds no master.key') });
  expect(existsSync(folder)).toBe(true);
});

it('refuses while the database runs', () => {
  writeFileSync(join(elsewhere, 'cluster/postmaster.pid'), `${process.pid}\n`);
  expect(remove(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('still runs') });
  expect(existsSync(elsewhere)).toBe(true);
});
