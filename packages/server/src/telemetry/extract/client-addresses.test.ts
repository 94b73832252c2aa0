import { expect, it } from 'vitest';
import { bestAddresses } from './client-addresses.ts';

it.each([
  ['2001:DB8:0:0:0:0:0:1', { ip: null, ip6: '2001:db8::1' }],
  ['2001:0db8::00a0/64', { ip: null, ip6: '2001:db8::a0' }],
  ['fe80:0::1%wlan0', { ip: null, ip6: 'fe80::1' }],
  ['::ffff:192.0.2.5', { ip: '192.0.2.5', ip6: null }],
])('writes %s in one form', (address, best) => expect(bestAddresses([address])).toEqual(best));

it('passes over what no client has', () => {
  const none = ['0:0:0:0:0:0:0:0', '::1', 'ff02::1', '0.0.0.0', '127.0.0.9', '224.0.0.1', '255.255.255.255'];
  expect(bestAddresses([none])).toEqual({ ip: null, ip6: null });
  expect(bestAddresses([[...none, '192.0.2.62']])).toEqual({ ip: '192.0.2.62', ip6: null });
});
