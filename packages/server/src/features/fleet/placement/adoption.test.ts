import { rules } from '@yunxun/contract/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type JoiningDevice,
  kindOf,
  nameOfDevice,
  networkNames,
  type Placement,
  placeDevice,
  type SiteEvidence,
} from './adoption.ts';

const ap: JoiningDevice = { serial: '903cb3000001', kind: 'ap', model: 'EAP102' };
const gateway: JoiningDevice = { serial: '903cb30000ff', kind: 'gateway', model: 'Edge 5' };
const noEvidence: SiteEvidence = { networkCount: 0, named: null, sharing: [] };
const some: SiteEvidence = { networkCount: 3, named: null, sharing: [] };
const named = { gwid: 'named', gatewaySerial: null };
const withGateway = { gwid: 'named', gatewaySerial: '903cb3000009' };

const table: [string, JoiningDevice, SiteEvidence, Placement][] = [
  [
    'an access point joins the network it named',
    ap,
    { ...some, named },
    { to: 'network', gwid: 'named', asGateway: false },
  ],
  [
    'the named network wins over the shared address',
    ap,
    { ...some, named, sharing: ['other'] },
    { to: 'network', gwid: 'named', asGateway: false },
  ],
  [
    'a gateway becomes the gateway of the network it named',
    gateway,
    { ...some, named },
    { to: 'network', gwid: 'named', asGateway: true },
  ],
  [
    'a gateway does not oust the one that is there',
    gateway,
    { ...some, named: withGateway },
    { to: 'network', gwid: 'named', asGateway: false },
  ],
  ['a gateway without a name starts a network', gateway, some, { to: 'new', asGateway: true }],
  [
    'a gateway starts its own even behind an address that has one',
    gateway,
    { ...some, sharing: ['other'] },
    { to: 'new', asGateway: true },
  ],
  [
    'an access point joins the network whose gateway shares its address',
    ap,
    { ...some, sharing: ['shared'] },
    { to: 'network', gwid: 'shared', asGateway: false },
  ],
  ['two networks behind one address decide nothing', ap, { ...some, sharing: ['a', 'b'] }, { to: 'waiting' }],
  [
    'the first device of an account starts a network named after its model',
    ap,
    noEvidence,
    { to: 'new', asGateway: false },
  ],
  [
    'a device that says no model gives its serial as the name',
    { ...ap, model: null },
    noEvidence,
    { to: 'new', asGateway: false },
  ],
  [
    'a switch follows the rules of an access point',
    { ...ap, kind: 'switch' },
    noEvidence,
    { to: 'new', asGateway: false },
  ],
  ['everything else waits', ap, some, { to: 'waiting' }],
];

describe('which network a newcomer joins', () => {
  it.each(table)('%s', (_name, joining, surroundings, expected) => {
    expect(placeDevice(joining, surroundings)).toEqual(expected);
  });
});

describe('first names', () => {
  it('are names that the rule name/text accepts, whatever a device says of itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 90 })), (model) => {
        const names = networkNames({ model, serial: ap.serial });
        for (const name of Array.from({ length: 4 }, () => String(names.next().value))) {
          expect(rules.nameText.test(name)).toBe(true);
          expect(Array.from(name).length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });

  it('keep a model readable', () => {
    expect(nameOfDevice({ model: 'Edgecore EAP102', serial: '903cb3abcdef' })).toBe('Edgecore-EAP102-cdef');
    expect(networkNames({ model: '锐捷 RG-1', serial: '903cb3abcdef' }).next().value).toBe('锐捷-RG-1');
  });
});

describe('what a device is for', () => {
  it.each([
    ['ap', 'ap'],
    ['switch', 'switch'],
    ['olg', 'gateway'],
    ['unknown', 'ap'],
    [null, 'ap'],
  ] as const)('%s is %s', (platform, kind) => {
    expect(kindOf(platform)).toBe(kind);
  });
});
