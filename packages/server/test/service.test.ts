import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exampleLanguages, exampleOf } from './operation-guide.ts';

it('has the same examples in both languages of the operator guide', () => {
  for (const language of exampleLanguages) expect(exampleOf(language, 'zh-CN')).toBe(exampleOf(language));
});

const unit = exampleOf('ini');

it('is started again after every end, without a limit', () => {
  for (const line of ['Restart=always', 'StartLimitIntervalSec=0', 'KillMode=mixed'])
    expect(unit.split('\n')).toContain(line);
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!analyze && !process.env.CI)('is a unit that systemd takes without a complaint', () => {
  const dir = mkdtempSync(join(tmpdir(), 'yunxun-unit-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'yunxun.service');
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', file], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('yunxun.service'))).toEqual([]);
  expect(status).toBe(0);
});
