import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { zh } from '../packages/web/src/messages/all.ts';

const features = resolve(import.meta.dirname, '../packages/server/src/features');

/** Actions written to the operation log. */
function actions(): string[] {
  const found = new Set<string>();
  for (const name of readdirSync(features, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    for (const [line] of readFileSync(join(features, name), 'utf8').matchAll(/^.*\baction\b.*$/gm)) {
      for (const [, action] of line.matchAll(/'([a-z]+(?:\.[a-z_]+)+)'/g)) found.add(action!);
    }
  }
  return [...found].sort();
}

it('words every action of the operation log in the console', () => {
  expect(actions().length).toBeGreaterThan(10);
  expect(actions().filter((action) => !(`log_action.${action}` in zh))).toEqual([]);
});

/** Refusal reasons of the sign-in log. */
function reasons(): string[] {
  const sources = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(features, name), 'utf8'));
  const calls = sources.flatMap((text) => [...text.matchAll(/\brefuse\((?:[^()]|\([^()]*\))*?'([a-z_]+)'\)/g)]);
  const rows = sources.flatMap((text) => [...text.matchAll(/result: 'failed',\s*reason: '([a-z_]+)'/g)]);
  return [...new Set([...calls, ...rows].map(([, reason]) => reason!))].sort();
}

it('words every reason of the sign-in log in the console', () => {
  expect(reasons()).toContain('wrong_password');
  expect(reasons().filter((reason) => !(`auth_reason.${reason}` in zh))).toEqual([]);
});
