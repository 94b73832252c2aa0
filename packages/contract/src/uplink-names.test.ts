import { expect, test } from 'vitest';
import { socketOf, uplinkName } from './uplink-names.ts';

test('the socket of an uplink is the one that it is named by', () => {
  expect(['up0v0', 'up11v0', 'up101v0', 'up103v0', 'up199v0', 'up1v20'].map(socketOf)).toEqual([
    'WAN1',
    'WAN12',
    'LAN1',
    'LAN3',
    'LAN99',
    'WAN2',
  ]);
  for (const port of ['WAN1', 'WAN12', 'LAN1', 'LAN99'])
    for (const vlan of [0, 20]) expect(socketOf(uplinkName(port, vlan))).toBe(port);
});

test('what is no such name has no socket', () => {
  for (const name of ['', 'eth0', 'down1v0', 'up0', 'up0v0x']) expect(socketOf(name)).toBeNull();
});
