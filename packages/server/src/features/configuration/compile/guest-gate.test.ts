import { describe, expect, it } from 'vitest';
import { compile } from './index.ts';
import type { CompileInput } from './intent.ts';
import { guestGate, input, ssid, threeRadios, wifi6 } from './testing/samples.ts';

const guests = ssid({ id: 'guests', name: 'Guests', security: 'open', key: null });
const staff = ssid({ id: 'staff', name: 'Staff' });
const gated = (given: CompileInput, ids = ['guests']): CompileInput => ({ ...given, gate: guestGate(ids) });
const ssidsIn = ({ document }: ReturnType<typeof compile>) =>
  document.interfaces.flatMap(({ ssids = [] }) => ssids.map(({ name, services }) => [name, services]));
const codes = ({ findings }: ReturnType<typeof compile>) => findings.map(({ code, field }) => `${code} ${field}`);

describe('the sign-in of guests at access points', () => {
  it('gates the chosen SSID alone, and takes disconnects from the relay of the firmware', () => {
    const given = compile(gated(input({ ssids: [guests, staff] })));
    expect(ssidsIn(given)).toEqual([
      ['Guests', ['captive']],
      ['Staff', undefined],
    ]);
    const [open, keyed] = given.document.interfaces[0]!.ssids!;
    expect(open!.radius).toEqual({
      'dynamic-authorization': { host: '127.0.0.1', port: 3799, secret: guestGate([]).secret },
    });
    expect(keyed!.radius).toBeUndefined();
    expect(given.document.services!.captive).toEqual(guestGate([]).captive);
    expect(given.findings).toEqual([]);
  });

  it('gives the access point an address in the VLAN of guests, where their browsers reach it', () => {
    const ssids = [{ ...guests, vlan: 30 }, ssid({ id: 'tv', name: 'TV', vlan: 40 })];
    const { document } = compile(gated(input({ ssids })));
    expect(document.interfaces.map(({ name, ipv4 }) => [name, ipv4])).toEqual([
      ['WAN', { addressing: 'dynamic' }],
      ['VLAN30', { addressing: 'dynamic' }],
      ['VLAN40', undefined],
    ]);
  });

  it('follows an SSID that was renamed, and one of its name from another layer', () => {
    const gate = { ...guestGate([]), ssids: [{ id: 'guests', name: 'Lobby' }] };
    const names = (given: object) => ssidsIn(compile({ ...input({ ssids: [{ ...guests, ...given }] }), gate }));
    expect(names({ name: 'Visitors' })).toEqual([['Visitors', ['captive']]]);
    expect(names({ id: 'template', name: 'Lobby' })).toEqual([['Lobby', ['captive']]]);
  });

  it('sends no SSID without the gate that it should have', () => {
    const ways: [CompileInput, string[]][] = [
      [input({ ssids: [guests, staff] }, { capabilities: threeRadios }), ['captive_firmware ssids.0']],
      [
        input({ ssids: [guests, staff] }, { capabilities: { ...wifi6, platform: 'olg' } }),
        ['captive_firmware ssids.0'],
      ],
      [
        input({
          ssids: [ssid({ ...guests, security: 'psk2', key: 'welcome-2026', keys: [keyInto(30)] }), staff],
        }),
        ['captive_keys ssids.0'],
      ],
    ];
    for (const [given, findings] of ways) {
      const compiled = compile(gated(given));
      expect(ssidsIn(compiled)).toEqual([['Staff', undefined]]);
      expect(codes(compiled)).toEqual(findings);
      expect(compiled.document.services).not.toHaveProperty('captive');
    }
  });

  it('gates the first VLAN only, because clients of a second one would be let through', () => {
    const ssids = [guests, { ...staff, vlan: 40 }, ssid({ id: 'cafe', name: 'Cafe' })];
    const given = compile(gated(input({ ssids }), ['guests', 'staff', 'cafe']));
    expect(ssidsIn(given)).toEqual([
      ['Guests', ['captive']],
      ['Cafe', ['captive']],
    ]);
    expect(codes(given)).toEqual(['captive_second ssids.1']);
  });
});

function keyInto(vlan: number) {
  return { id: 'k', label: 'Room', key: 'room-101-key', mac: null, vlan };
}
