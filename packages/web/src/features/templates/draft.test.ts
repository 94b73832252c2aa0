import { expect, test } from 'vitest';
import { locksAfter } from './draft.ts';

const ssid = (ref: string, name: string) => ({ ref, name }) as never;

test('the lock of an SSID goes with its name, and the others stay', () => {
  const draft = { ssids: [ssid('a', 'Guests'), ssid('b', 'Staff')], locks: ['ssids.Guests', 'ssids.Staff', 'country'] };
  expect(locksAfter(draft, [ssid('a', 'Staff'), ssid('b', 'Guests')])).toEqual([
    'ssids.Staff',
    'ssids.Guests',
    'country',
  ]);
  expect(locksAfter(draft, [ssid('b', 'Staff'), ssid('c', 'Guests')])).toEqual([
    'ssids.Guests',
    'ssids.Staff',
    'country',
  ]);
});
