import { expect, test } from 'vitest';
import { drawnPorts } from './drawn-ports.ts';
import { portState } from './ports.ts';

const port = (name: string, uplink: boolean) => ({ name, uplink, up: true, speed: 1000, watts: null });
const wan = (name: string, alive: boolean | null) => ({
  interface: name,
  address: null,
  gateway: null,
  alive,
  latency_ms: null,
  loss_pct: null,
  since: null,
});

test('a WAN port has no internet once every uplink through it fails', () => {
  const ports = [port('WAN1', true), port('WAN2', true), port('LAN1', false), port('LAN3', false)];
  const lines = [wan('up0v0', false), wan('up1v0', false), wan('up1v40', true), wan('up103v0', null)];
  const drawn = drawnPorts({ ports, lines, status: 'online' });
  expect(drawn.map((one) => [one.name, one.uplink, portState(one)])).toEqual([
    ['WAN1', true, 'lost'],
    ['WAN2', true, 'up'],
    ['LAN1', false, 'up'],
    ['LAN3', true, 'up'],
  ]);
});

test('no port of an offline device has a link', () => {
  const drawn = drawnPorts({ ports: [port('WAN1', true)], lines: null, status: 'offline' });
  expect(drawn.map(portState)).toEqual(['down']);
});
