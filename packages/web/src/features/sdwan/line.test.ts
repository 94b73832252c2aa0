import { expect, test } from 'vitest';
import { lineOf } from './line.ts';

test.each([
  [{ state: 'up' }, 'carrying'],
  [{ state: 'up', detour: true }, 'detour'],
  [{ state: 'up', idle: true }, 'idle'],
  [{ state: 'down', idle: true }, 'down'],
  [{ state: 'down', detour: true }, 'down'],
  [{ state: null, idle: true }, 'unknown'],
] as const)('%j is drawn as %s', (link, line) => {
  expect(lineOf(link)).toBe(line);
});
