import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codes } from '../packages/contract/src/codes.ts';

const source = join(import.meta.dirname, '../packages/server/src');
const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');

it('has a caller for every code', () => {
  const unused = Object.keys(codes).filter((name) => !new RegExp(`'${name}'`).test(text));
  expect(unused).toEqual([]);
});
