import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Facts, readDocument } from './index.ts';
import { changed, lan, without, yunxun } from './testing/changes.ts';
import { documents, fullFacts, hostileTexts, type Json, type JsonObject, replaced } from './testing/documents.ts';

function refusal(changes: Record<string, Json>, facts: Facts = fullFacts): readonly string[] {
  const read = readDocument(changed(changes), facts);
  return 'refused' in read ? read.refused : [];
}

const wan = 'interfaces.0';
const guest = (more: JsonObject = {}, ipv4: JsonObject = {}): Json => ({
  name: 'Guest',
  role: 'downstream',
  vlan: { id: 20 },
  ethernet: [],
  ipv4: { addressing: 'static', subnet: '10.0.20.1/24', ...ipv4 },
  ...more,
});
const line = (more: JsonObject): Json => ({
  name: 'Second',
  role: 'upstream',
  ethernet: [{ 'select-ports': ['WAN1'] }],
  ipv4: { addressing: 'dynamic' },
  ...more,
});
const fixed = { addressing: 'static', subnet: '203.0.113.2/29', gateway: '203.0.113.1', 'use-dns': ['192.0.2.53'] };
const forward = (more: JsonObject): JsonObject => ({
  protocol: 'tcp',
  'external-port': 8080,
  'internal-address': '192.168.1.20',
  ...more,
});

describe('a document is refused', () => {
  it.each<[string, Record<string, Json>, string]>([
    ['without interfaces', { interfaces: [] }, '(In /interfaces) must have at least 1 items'],
    ['without a line', { interfaces: [guest()] }, '(In /interfaces) at least one interface must be upstream'],
    ['with a name twice', { [`${lan}.name`]: 'wan' }, '(In /interfaces/1/name) "wan" is the name of /interfaces/0'],
    ['with an empty name', { [`${lan}.name`]: ' ' }, '(In /interfaces/1/name) must not be empty'],
    [
      'with a long name',
      { [`${lan}.name`]: 'x'.repeat(33) },
      '(In /interfaces/1/name) must have at most 32 characters',
    ],
    [
      'with an unknown role',
      { [`${lan}.role`]: 'side' },
      '(In /interfaces/1/role) must be one of upstream, downstream',
    ],
    [
      'with an unknown port',
      { [`${lan}.ethernet`]: [{ 'select-ports': ['LAN9'] }] },
      '(In /interfaces/1/ethernet/0/select-ports/0) "LAN9" is not a port of this gateway',
    ],
    [
      'with a port untagged twice',
      { 'interfaces.2': guest({ ethernet: [{ 'select-ports': ['LAN2'] }] }) },
      '(In /interfaces/2/ethernet/0/select-ports/0) "LAN2" is untagged in "LAN" already',
    ],
    [
      'with a VLAN of a line on a port that has it already',
      {
        'interfaces.2': line({ vlan: { id: 41 } }),
        'interfaces.3': line({ name: 'Third', vlan: { id: 41 } }),
      },
      '(In /interfaces/3/ethernet/0/select-ports/0) "WAN1" is in VLAN 41 in "Second" already',
    ],
    [
      'with a VLAN that 802.1Q does not have',
      { [`${wan}.vlan`]: { id: 4095 } },
      '(In /interfaces/0/vlan/id) must be from 1 to 4094, not 4095',
    ],
    [
      'with an MTU that no line has',
      { [`${wan}.mtu`]: 575 },
      '(In /interfaces/0/mtu) must be from 576 to 9216, not 575',
    ],
    [
      'with an MTU beyond the hardware of the port',
      { [`${wan}.mtu`]: 9195 },
      '(In /interfaces/0/mtu) must be from 68 to 9194 on WAN1, not 9195',
    ],
    [
      'with a VLAN of larger packets than the untagged side of its port',
      { 'interfaces.2': line({ vlan: { id: 41 }, mtu: 1508 }) },
      '(In /interfaces/2/mtu) must be at most 1500, which "WAN" has on WAN1 untagged',
    ],
    [
      'with a MAC address of many machines',
      { [`${wan}.ethernet`]: [{ 'select-ports': ['WAN1'], macaddr: '01:00:5e:00:00:01' }] },
      '(In /interfaces/0/ethernet/0/macaddr) "01:00:5e:00:00:01" is not a unicast MAC address',
    ],
    [
      'with a MAC address for a network',
      { [`${lan}.ethernet`]: [{ 'select-ports': ['LAN1'], macaddr: '02:00:00:00:00:01' }] },
      '(In /interfaces/1/ethernet/0/macaddr) belongs to an upstream interface',
    ],
    [
      'with a VLAN twice',
      { 'interfaces.2': guest(), 'interfaces.3': guest({ name: 'x' }, { subnet: '10.0.30.1/24' }) },
      '(In /interfaces/3/vlan/id) VLAN 20 is "Guest" already',
    ],
    [
      'with a tag and no VLAN',
      { [`${lan}.ethernet`]: [{ 'select-ports': ['LAN1'], 'vlan-tag': 'tagged' }] },
      '(In /interfaces/1/ethernet/0/vlan-tag) tagged, but the interface has no vlan',
    ],
    [
      'with VLAN 5000',
      { [`${lan}.vlan`]: { id: 5000 } },
      '(In /interfaces/1/vlan/id) must be from 1 to 4094, not 5000',
    ],
    [
      'with two ports for a line',
      { [`${wan}.ethernet`]: [{ 'select-ports': ['WAN*'] }] },
      '(In /interfaces/0/ethernet) an upstream interface takes exactly one port of this gateway, and this has 3',
    ],
    ['with no address for a line', { [`${wan}.ipv4`]: {} }, '(In /interfaces/0/ipv4/addressing) an upstream interface'],
    [
      'with the broadcast address as gateway',
      { [`${wan}.ipv4`]: { ...fixed, gateway: '203.0.113.7' } },
      '(In /interfaces/0/ipv4/gateway) 203.0.113.7 is not a host address',
    ],
    [
      'with the gateway in a LAN',
      { [`${wan}.ipv4`]: { ...fixed, gateway: '192.168.1.9' } },
      '(In /interfaces/0/ipv4/gateway) is in the subnet of "LAN"',
    ],
    [
      'with its own address as gateway',
      { [`${wan}.ipv4`]: { ...fixed, gateway: '203.0.113.2' } },
      '(In /interfaces/0/ipv4/gateway) is the address of this gateway',
    ],
    [
      'without a name server',
      { [`${wan}.ipv4`]: { addressing: 'static', subnet: '203.0.113.2/29', gateway: '203.0.113.1' } },
      '(In /interfaces/0/ipv4/use-dns) is missing',
    ],
    [
      'with no address in it',
      { [`${lan}.ipv4.subnet`]: '192.168.1.0/24' },
      '192.168.1.0 is the network or the broadcast',
    ],
    ['with a broadcast address', { [`${lan}.ipv4.subnet`]: '192.168.1.255/24' }, 'is the network or the broadcast'],
    ['with loopback', { [`${lan}.ipv4.subnet`]: '127.0.0.1/24' }, '127.0.0.1 is not a host address'],
    [
      'with octal',
      { [`${lan}.ipv4.subnet`]: '192.168.01.1/24' },
      '"192.168.01.1/24" is not an IPv4 address with a prefix',
    ],
    [
      'with a prefix of 31',
      { [`${lan}.ipv4`]: { addressing: 'static', subnet: '192.168.1.1/31' } },
      'the prefix must be from 8 to 30, not 31',
    ],
    [
      'with subnets that overlap',
      { 'interfaces.2': guest({}, { subnet: '192.168.1.129/25' }) },
      '(In /interfaces/2/ipv4/subnet) 192.168.1.128/25 overlaps 192.168.1.0/24 of "LAN"',
    ],
    [
      'with leases beyond the subnet',
      { [`${lan}.ipv4.dhcp.lease-count`]: 300 },
      '(In /interfaces/1/ipv4/dhcp) leases from 192.168.1.10 to 192.168.2.53 do not lie in 192.168.1.0/24',
    ],
    [
      'with leases that hold its own address',
      { [`${lan}.ipv4.dhcp.lease-first`]: 1 },
      '(In /interfaces/1/ipv4/dhcp) the leases hold 192.168.1.1, the address of this gateway',
    ],
    [
      'with leases counted both ways',
      { [`${lan}.ipv4.dhcp.lease-start`]: '192.168.1.9' },
      'has both lease-first and lease-start',
    ],
    ['with no lease time', { [`${lan}.ipv4.dhcp.lease-time`]: '6' }, '"6" is not a time such as 30m or 6h'],
    [
      'with a terminal twice',
      {
        [`${lan}.ipv4.dhcp-leases`]: [
          { macaddr: '02:00:00:00:00:01', 'static-lease-offset': 5 },
          { macaddr: '02:00:00:00:00:01', 'static-lease-offset': 6 },
        ],
      },
      '(In /interfaces/1/ipv4/dhcp-leases/1/macaddr) "02:00:00:00:00:01" has an address here already',
    ],
    [
      'with an address for two terminals',
      {
        [`${lan}.ipv4.dhcp-leases`]: [
          { macaddr: '02:00:00:00:00:01', 'static-lease-offset': 5 },
          { macaddr: '02:00:00:00:00:02', 'static-lease-offset': 5 },
        ],
      },
      '(In /interfaces/1/ipv4/dhcp-leases/1/static-lease-offset) 192.168.1.5 is kept for another terminal already',
    ],
    [
      'with a lease for its own address',
      { [`${lan}.ipv4.dhcp-leases`]: [{ macaddr: '02:00:00:00:00:01', 'static-lease-offset': 1 }] },
      '192.168.1.1 is the address of this gateway',
    ],
    [
      'with a lease for many machines',
      { [`${lan}.ipv4.dhcp-leases`]: [{ macaddr: '01:00:5e:00:00:01', 'static-lease-offset': 5 }] },
      '"01:00:5e:00:00:01" is not a unicast MAC address',
    ],
    [
      'with a port forwarded twice',
      { [`${lan}.ipv4.port-forward`]: [forward({}), forward({ protocol: 'any', 'external-port': '8000-8100' })] },
      '(In /interfaces/1/ipv4/port-forward/1/external-port) is forwarded by /interfaces/1/ipv4/port-forward/0 already',
    ],
    [
      'with a forward beyond the subnet',
      { [`${lan}.ipv4.port-forward`]: [forward({ 'internal-address': '192.168.2.2' })] },
      '192.168.2.2 is not a host address in 192.168.1.0/24',
    ],
    [
      'with ranges of other lengths',
      { [`${lan}.ipv4.port-forward`]: [forward({ 'external-port': '80-90', 'internal-port': '80-91' })] },
      'must be as many ports as external-port',
    ],
    [
      'with its own lease forwarded away',
      { [`${lan}.ipv4.port-forward`]: [forward({ protocol: 'udp', 'external-port': '60-70' })] },
      'udp port 68 is used by the DHCP client of this gateway',
    ],
    [
      'with its own ssh forwarded away',
      { [`${wan}.services`]: ['ssh'], [`${lan}.ipv4.port-forward`]: [forward({ 'external-port': 22 })] },
      'tcp port 22 is the SSH port of this gateway',
    ],
    ['with port 0', { [`${lan}.ipv4.port-forward`]: [forward({ 'external-port': 0 })] }, '"0" is not a port'],
    [
      'with an unknown vendor key',
      yunxun({ vpn: {} }),
      '(In /third-party/yunxun/vpn) is not a key that this gateway supports',
    ],
    [
      'with too short a countdown',
      yunxun({ confirm_s: 29 }),
      '(In /third-party/yunxun/confirm_s) must be from 30 to 600',
    ],
    [
      'with host bits in a route',
      yunxun({ routes: [{ to: '10.9.0.1/16', via: '192.168.1.9' }] }),
      '(In /third-party/yunxun/routes/0/to) has host bits: the network is 10.9.0.0/16',
    ],
    [
      'with a default route',
      yunxun({ routes: [{ to: '0.0.0.0/0', via: '192.168.1.9' }] }),
      'a default route belongs to an upstream interface',
    ],
    [
      'with a route to itself',
      yunxun({ routes: [{ to: '192.168.1.128/25', via: '192.168.1.9' }] }),
      '192.168.1.128/25 is part of a network that this gateway is connected to',
    ],
    [
      'with a route via an unreachable gateway',
      yunxun({ routes: [{ to: '10.9.0.0/16', via: '192.168.9.9' }] }),
      '(In /third-party/yunxun/routes/0/via) 192.168.9.9 is in no subnet of this gateway',
    ],
    [
      'with a route by a line that is none',
      yunxun({ routes: [{ to: '10.9.0.0/16', interface: 'LAN' }] }),
      '(In /third-party/yunxun/routes/0/interface) "LAN" is not an upstream interface',
    ],
    [
      'with a route by a line and a machine',
      yunxun({ routes: [{ to: '10.9.0.0/16', via: '192.168.1.9', interface: 'WAN' }] }),
      '(In /third-party/yunxun/routes/0) needs via or interface',
    ],
    ['with a line that is none', yunxun({ lines: [{ interface: 'LAN' }] }), '"LAN" is not an upstream interface'],
    [
      'with a limit of an unknown address',
      yunxun({ limits: [{ name: 'a', of: {}, down_kbps: 1000 }] }),
      'must have exactly one of mac, address, interface',
    ],
    [
      'with a limit of a stranger',
      yunxun({ limits: [{ name: 'a', of: { address: '10.1.1.1' }, down_kbps: 1000 }] }),
      '10.1.1.1 is in no downstream subnet',
    ],
    [
      'with a limit without a rate',
      yunxun({ limits: [{ name: 'a', of: { interface: 'LAN' } }] }),
      '(In /third-party/yunxun/limits/0) needs down_kbps or up_kbps',
    ],
    [
      'with two limits of one',
      yunxun({
        limits: [
          { name: 'a', of: { interface: 'LAN' }, up_kbps: 1000 },
          { name: 'b', of: { interface: 'LAN' }, up_kbps: 2000 },
        ],
      }),
      '(In /third-party/yunxun/limits/1/of) has a limit already',
    ],
    [
      'with a rate beyond all bounds',
      yunxun({ limits: [{ name: 'a', of: { interface: 'LAN' }, up_kbps: 63 }] }),
      'must be from 64 to 10000000, not 63',
    ],
    ['with a restart at no time', yunxun({ reboot: { days: ['mon'], at: '24:00' } }), '"24:00" is not a time of day'],
    ['with a restart on no day', yunxun({ reboot: { days: [], at: '03:00' } }), 'must have at least 1 items'],
    ['with a time zone that is none', { 'unit.timezone': 'Mars/Base' }, '"Mars/Base" is not a time zone'],
    [
      'with a rule about nothing',
      yunxun({ app_flow: { rules: [{ match: 'a b', category: 'Video' }] } }),
      '"a b" is neither a name',
    ],
  ])('%s', (_name, changes, sentence) => {
    const sentences = refusal(changes);
    expect(sentences).toEqual([expect.stringContaining(sentence)]);
    expect(sentences[0]).toMatch(/^\[E\] \(In \//);
  });

  it.each<[string, keyof Facts['abilities'], Record<string, Json>, string]>([
    [
      'VLAN devices',
      'vlan',
      { [`${lan}.vlan`]: { id: 3 }, [`${lan}.ethernet`]: [{ 'select-ports': ['LAN1'], 'vlan-tag': 'tagged' }] },
      'this gateway cannot tag',
    ],
    ['dnsmasq', 'dnsmasq', {}, 'this gateway has no dnsmasq'],
    ['a DHCP client', 'dhcpClient', {}, 'this gateway has no DHCP client'],
    ['htb', 'shaping', yunxun({ lines: [{ interface: 'WAN', up_kbps: 1000 }] }), 'its kernel has no htb'],
    ['ifb', 'ifb', yunxun({ lines: [{ interface: 'WAN', down_kbps: 1000 }] }), 'its kernel has no ifb'],
  ])('that needs %s where there is none', (_name, ability, changes, sentence) => {
    expect(refusal(changes, without(ability))).toEqual([expect.stringContaining(sentence)]);
  });

  it('with everything that is wrong, not the first of it', () => {
    expect(
      refusal({
        [`${lan}.ipv4.subnet`]: '192.168.1.0/24',
        ...yunxun({ routes: [{ to: '10.9.0.1/16', via: '1.2.3.4' }], lines: [{ interface: 'nobody' }] }),
      }),
    ).toHaveLength(4);
  });

  it('briefly, however wrong it is', () => {
    const sentences = refusal({ interfaces: Array.from({ length: 32 }, () => ({ a: 1 })) as Json });
    expect(sentences.length).toBeLessThanOrEqual(65);
    const keys = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${'k'.repeat(400)}${index}`, 1]));
    expect(JSON.stringify(refusal(yunxun(keys))).length).toBeLessThan(20_000);
  });

  it('whatever it is, without a throw', () => {
    const any = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(any, documents, fc.nat(), (value, document, at) => {
        readDocument(value, fullFacts);
        const keys = Object.keys(document);
        readDocument({ ...document, [keys[at % keys.length]!]: value }, fullFacts);
        readDocument(replaced(document, ['third-party', 'yunxun'], value as Json), fullFacts);
      }),
      { numRuns: 100 },
    );
  });

  it('with hostile text in a sentence only as harmless text', () => {
    for (const text of hostileTexts)
      for (const sentence of refusal({ [`${lan}.role`]: text, [`${lan}.ipv4.subnet`]: text, ...yunxun({ [text]: 1 }) }))
        expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
