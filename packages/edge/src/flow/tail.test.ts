import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LineReader } from '../measure/tools.ts';
import { Tail } from './tail.ts';

let folder: string;
let path: string;
let lines: string[];
let tail: Tail;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-tail-'));
  path = join(folder, 'log');
  lines = [];
  tail = new Tail(path, (line) => lines.push(line));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads what was appended, and each line once', () => {
  tail.read();
  appendFileSync(path, 'one\ntw');
  tail.read();
  appendFileSync(path, 'o\nthree\n');
  tail.read();
  tail.read();
  expect(lines).toEqual(['one', 'two', 'three']);
});

it('begins anew where another file took the place', () => {
  writeFileSync(path, 'a long line\nhalf');
  tail.read();
  writeFileSync(path, 'new\n');
  tail.read();
  expect(lines).toEqual(['a long line', 'new']);
});

it('keeps the file short, and goes on with what is appended then', () => {
  const line = `${'x'.repeat(99)}\n`;
  for (let n = 0; n < 12; n += 1) {
    appendFileSync(path, line.repeat(1000));
    tail.read();
    appendFileSync(path, 'short\n');
  }
  tail.read();
  expect(lines.length).toBe(12_012);
  expect(statSync(path).size).toBeLessThan(200_000);
});

it('empties a file that is written to all the time', () => {
  const line = `${'x'.repeat(99)}\n`;
  const busy = new Tail(path, () => appendFileSync(path, 'another\n'));
  for (let n = 0; n < 40; n += 1) {
    appendFileSync(path, line.repeat(1000));
    busy.read();
  }
  expect(statSync(path).size).toBeLessThan(2 << 20);
});

it('joins lines from any chunks, and skips those that are too long', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,12}$/)), (parts) => {
      const got: string[] = [];
      const reader = new LineReader((line) => got.push(line), 8);
      for (const part of parts) reader.push(part);
      const wanted = parts.join('').split('\n').slice(0, -1);
      expect(got).toEqual(wanted.filter((line) => line.length <= 8));
    }),
  );
});
