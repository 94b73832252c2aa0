import { expect, test } from 'vitest';
import { limitOf } from './limit.tsx';

test('the limit of a MAC counts before that of an address, and that of a network is not its own', () => {
  const rates = { down_mbps: 8, up_mbps: null };
  const lan = { ...rates, name: 'LAN', kind: 'network' as const, target: 'LAN' };
  const address = { ...rates, name: 'A', kind: 'address' as const, target: '10.0.0.2' };
  const own = { ...rates, name: 'M', kind: 'mac' as const, target: '00:1a:2b:3c:4d:5e' };
  const of = (limits: Parameters<typeof limitOf>[0]['limits']) => limitOf({ limits }, '001a2b3c4d5e', '10.0.0.2');
  expect(of([lan, address, own])).toBe(own);
  expect(of([lan, address])).toBe(address);
  expect(of([lan])).toBeUndefined();
  expect(limitOf({ limits: [address] }, '001a2b3c4d5e', null)).toBeUndefined();
});
