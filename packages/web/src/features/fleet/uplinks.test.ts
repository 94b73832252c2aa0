import { expect, test } from 'vitest';
import { inOrder, socketOf } from './uplinks.ts';

test('the socket of an uplink is the one that the agent named it by', () => {
  expect(['up0v0', 'up11v0', 'up101v0', 'up103v0', 'up199v0', 'up1v20'].map(socketOf)).toEqual([
    ...['WAN1', 'WAN12', 'LAN1', 'LAN3', 'LAN99', 'WAN2'],
  ]);
});

test('what is no such name has no socket', () => {
  for (const name of ['', 'eth0', 'down1v0', 'up0', 'up0v0x']) expect(socketOf(name)).toBeNull();
});

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
