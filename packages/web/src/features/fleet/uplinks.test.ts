import { expect, test } from 'vitest';
import { inOrder } from './uplinks.ts';

test('lines stand in the order in which they are preferred, whatever order they were reported in', () => {
  const reported = ['eth7', 'up103v0', 'up0v0'].map((name) => ({ interface: name }));
  const names = (ports: string[]) =>
    inOrder(
      reported,
      ports.map((port) => ({ port })),
    ).map((line) => line.interface);
  expect(names(['WAN1', 'LAN3'])).toEqual(['up0v0', 'up103v0', 'eth7']);
  expect(names(['LAN3', 'WAN1'])).toEqual(['up103v0', 'up0v0', 'eth7']);
  expect(names([])).toEqual(['eth7', 'up103v0', 'up0v0']);
});
