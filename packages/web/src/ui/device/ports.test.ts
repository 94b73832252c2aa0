import { expect, test } from 'vitest';
import { type DrawnPort, dots, portLabel, portState, sockets } from './ports.ts';

const port = (more: Partial<DrawnPort> = {}): DrawnPort => ({
  name: 'Ethernet1',
  uplink: false,
  up: true,
  speed: 1000,
  watts: null,
  ...more,
});
const place = () => ({ x: 0, y: 0, width: 20, height: 16 });
const formOf = (more: Partial<DrawnPort>) => sockets([port(more)], place).map(({ paint }) => paint);

test('the state of a port is what keeps it from its work first', () => {
  const states = [
    { enabled: false },
    { up: false },
    { reaches: false },
    { speed: 100 },
    { speed: 1000 },
    { speed: null },
    { speed: 2500 },
  ].map((more) => portState(port(more)));
  expect(states).toEqual(['off', 'down', 'lost', 'slow', 'up', 'up', 'fast']);
  expect(portState(port({ enabled: false, up: false, speed: 100 }))).toBe('off');
});

test('each state has a form of its own, so that colour is not the only sign', () => {
  expect(formOf({ enabled: false })).toEqual(['down', 'edge']);
  expect(formOf({ up: false, speed: null })).toEqual(['down']);
  expect(formOf({ reaches: false })).toEqual(['lost', 'lost']);
  expect(formOf({ speed: 100 })).toEqual(['half', 'slow']);
  expect(formOf({})).toEqual(['up']);
  expect(formOf({ speed: 10_000 })).toEqual(['fast', 'hole']);
});

test('dots of a few pixels differ in height too', () => {
  const heightOf = (more: Partial<DrawnPort>) => {
    const d = dots([port(more)], place)[0]!.d;
    const [, top, bottom] = /^M\S+ (\S+)H\S+V(\S+)H/.exec(d)!;
    return Number(bottom) - Number(top);
  };
  const heights = [{ enabled: false }, { up: false }, { speed: 100 }, {}].map(heightOf);
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  expect(new Set(heights).size).toBe(4);
});

test('power is a bolt, readable on a socket with and without a link', () => {
  expect(formOf({ watts: 6.5 })).toEqual(['up', 'hole']);
  expect(formOf({ watts: 6.5, up: false, speed: null })).toEqual(['down', 'edge']);
  expect(formOf({ watts: 0 })).toEqual(['up']);
});

test('a port of a switch is labelled by its number, another by its name', () => {
  expect([portLabel({ name: 'Ethernet12' }), portLabel({ name: 'WAN' }), portLabel({ name: 'LAN3' })]).toEqual([
    '12',
    'WAN',
    'LAN3',
  ]);
});
