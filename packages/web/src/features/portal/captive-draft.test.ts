import { expect, it } from 'vitest';
import { captiveOf, countOf, draftOf, plainDevice, rangeError } from './captive-draft.ts';

const captive = {
  lans: ['LAN', 'Guests'],
  ranges: [
    { lan: 'LAN', range: '10.1.0.100-10.1.0.150' },
    { lan: 'LAN', range: '10.1.0.192/26' },
  ],
  ssids: ['s1'],
  exempt_macs: ['02:00:00:00:00:09'],
  exempt_addresses: ['10.1.0.20', '2001:db8::20'],
  exempt_remarks: [{ device: '10.1.0.20', remark: 'Cash register' }],
};

it('returns what it was given', () => {
  expect(captiveOf(draftOf(captive))).toEqual(captive);
});

it('drops ranges of a LAN that is not chosen, and empty remarks', () => {
  const draft = { ...draftOf(captive), lans: ['Guests'] };
  const exempt = draft.exempt.map((one) => ({ ...one, remark: ' ' }));
  expect(captiveOf({ ...draft, exempt })).toMatchObject({ lans: ['Guests'], ranges: [], exempt_remarks: [] });
});

it('saves typed devices that were not added, once', () => {
  const draft = { ...draftOf(captive), typed: '02-00-00-00-00-09 192.168.100.200；2001:DB8::20 10.1.0.21' };
  expect(captiveOf(draft)).toEqual({
    ...captive,
    exempt_addresses: [...captive.exempt_addresses, '192.168.100.200', '10.1.0.21'],
  });
});

it('takes MACs in any notation, and several ranges in a line', () => {
  const notations = ['02-00-00-00-00-0A', '0200.0000.000a', '0200-0000-000a', '02000000000a', ' 02:00:00:00:00:0A '];
  expect(notations.map(plainDevice)).toEqual(notations.map(() => '02:00:00:00:00:0a'));
  // of twelve digits too
  const addresses = ['192.168.100.200', '100.100.100.100', '2001:db8::12:345'];
  expect(addresses.map(plainDevice)).toEqual(addresses);
  expect(plainDevice('2001:DB8::20')).toBe('2001:db8::20');
  const draft = { ...draftOf(captive), ranges: { LAN: '10.1.0.5 , 10.1.0.9 - 10.1.0.12；\n10.1.0.64/30' } };
  expect(captiveOf(draft).ranges.map(({ range }) => range)).toEqual([
    '10.1.0.5',
    '10.1.0.9 - 10.1.0.12',
    '10.1.0.64/30',
  ]);
  expect(countOf(draft.ranges.LAN, '10.1.0.1/24')).toEqual({ clients: 9, of: 256 });
  expect(countOf('10.1.0.5-', '10.1.0.1/24')).toBeNull();
  expect(countOf('10.1.0.250-10.1.1.5', '10.1.0.1/24')).toBeNull();
  expect(countOf('', '10.1.0.1/24')).toBeNull();
});

it('finds the LAN of a wrong range', () => {
  const sent = draftOf({ ...captive, ranges: [...captive.ranges, { lan: 'Guests', range: '10.2.0.5' }] });
  const error = (field: string) => ['LAN', 'Guests', null].map((lan) => rangeError({ [field]: 'wrong' }, sent, lan));
  expect(error('captive.ranges.1.range')).toEqual(['wrong', null, null]);
  expect(error('captive.ranges.2.range')).toEqual([null, 'wrong', null]);
  expect(error('captive.ranges')).toEqual([null, null, 'wrong']);
  expect(error('captive.lans')).toEqual([null, null, null]);
});
