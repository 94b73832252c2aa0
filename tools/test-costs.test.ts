import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { budgets, folderCosts, folderOf } from '../scripts/test-costs.mjs';

const root = join(import.meta.dirname, '..');

it('counts a file to the feature of the server that it is in, else to its package', () => {
  expect(
    [
      'packages/server/src/features/alarms/notify/notify.test.ts',
      'packages/server/src/telemetry/ingest/flow.test.ts',
      'packages/server/test/conformance/fuzz/fuzz.test.ts',
      'packages/server/test/roles.test.ts',
      'packages/web/src/features/users/limit.test.ts',
      'tools/words.test.ts',
    ].map(folderOf),
  ).toEqual([
    'packages/server/src/features/alarms',
    'packages/server/src/telemetry',
    'packages/server/test/conformance',
    'packages/server/test',
    'packages/web/src',
    'tools',
  ]);
});

it('marks a folder beyond its budget, and a feature without one beyond 20 seconds', () => {
  const alarms = 'packages/server/src/features/alarms';
  const fresh = 'packages/server/src/features/fresh';
  const ms = (budgets[alarms]! * 1000) / 2;
  const costs = folderCosts([
    { file: `${alarms}/a.test.ts`, ms },
    { file: `${alarms}/b.test.ts`, ms },
    { file: `${fresh}/a.test.ts`, ms: 20_001 },
    { file: 'tools/a.test.ts', ms: 60_000 },
  ]);
  expect(costs.map(({ folder, count, isOver }) => [folder, count, isOver])).toEqual([
    [alarms, 2, false],
    ['tools', 1, false],
    [fresh, 1, true],
  ]);
});

it('has budgets of folders that exist', () => {
  for (const folder of Object.keys(budgets)) expect(readdirSync(join(root, folder)), folder).not.toEqual([]);
});
