import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodKinds, methodName } from '@yunxun/portal/method-names';
import { expect, it } from 'vitest';

it.each([
  ['zh-CN', '## 各种认证方式', '、'],
  ['en', '## Ways to sign in', ', '],
] as const)('names every sign-in method of guests once in the table of docs/portal.%s.md', (locale, heading, comma) => {
  const text = readFileSync(join(import.meta.dirname, `../docs/portal.${locale}.md`), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const [, , ...rows] = /(?:^\|.*\n)+/m.exec(section)?.[0].trim().split('\n') ?? [];
  const named = rows.flatMap((row) => row.split('|')[1]!.trim().split(comma));
  expect(named).toEqual(methodKinds().map((kind) => methodName(locale, kind)));
});
