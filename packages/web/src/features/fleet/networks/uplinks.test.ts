import { expect, test } from 'vitest';
import { inOrder, uplinkPlace } from './uplinks.ts';

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

test('VLANs of one port are lines of their own', () => {
  const reported = ['up0v0', 'up0v41', 'up0v85'].map((name) => ({ interface: name }));
  const set = [
    { port: 'WAN1', vlan: 85 },
    { port: 'WAN1', vlan: null },
    { port: 'WAN1', vlan: 41 },
  ];
  expect(inOrder(reported, set).map((line) => line.interface)).toEqual(['up0v85', 'up0v0', 'up0v41']);
  expect(reported.map((line) => uplinkPlace(line.interface))).toEqual(['WAN1', 'WAN1 · VLAN 41', 'WAN1 · VLAN 85']);
});
