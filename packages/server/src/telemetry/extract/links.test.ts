import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract } from './index.ts';

const mac = (n: number) => n.toString(16).padStart(12, '0');
const colons = (text: string) => text.match(/../g)!.join(':').toUpperCase();
const links = (state: unknown) => extract({ state }).links;

describe('links', () => {
  test('are LLDP neighbours, sockets and MACs by port; what comes through an uplink or a radio is not behind it', () => {
    expect(
      links({
        interfaces: [
          {
            name: 'up0v0',
            clients: [
              { mac: colons(mac(1)), ports: ['WAN'] },
              { mac: mac(2), ports: ['LAN1'] },
              { mac: mac(3), ports: ['wlan0'] },
              { mac: mac(4), ports: ['LAN1', 'LAN2'] },
              { mac: mac(5), ports: ['LAN2'] },
            ],
            ssids: [{ iface: 'wlan0', bssid: colons(mac(0xb)), ssid: 'S' }],
          },
        ],
        'link-state': {
          upstream: { WAN: { carrier: 1, speed: '1000' } },
          downstream: { LAN1: { carrier: true, speed: 100 }, LAN2: { carrier: 0, speed: 1000 } },
        },
        'lldp-peers': {
          upstream: { WAN: [{ name: 'Core\u0007', mac: colons(mac(9)), port_id: 'gi0/3', capability: ['Bridge'] }] },
          downstream: { LAN1: [{}, 5, { name: 'Camera', management_ips: ['192.0.2.7'] }] },
        },
        'mac-forwarding-table': {
          LAN1: { 1: [mac(6), mac(2), 'x'], 20: [mac(7)] },
          overflow: false,
          WAN: { 1: [mac(8)] },
        },
      }),
    ).toEqual({
      lldp: [
        {
          port: 'WAN',
          up: true,
          mac: mac(9),
          name: 'Core',
          far_port: 'gi0/3',
          description: null,
          roles: ['Bridge'],
          address: null,
        },
        {
          port: 'LAN1',
          up: false,
          mac: null,
          name: 'Camera',
          far_port: null,
          description: null,
          roles: [],
          address: '192.0.2.7',
        },
      ],
      ports: [
        { name: 'WAN', up: true, carrier: true, speed: 1000 },
        { name: 'LAN1', up: false, carrier: true, speed: 100 },
        { name: 'LAN2', up: false, carrier: false, speed: null },
      ],
      // unplugged ports have no clients; a MAC on two ports is ambiguous
      macs: { LAN1: [mac(2), mac(6), mac(7)] },
      own: [mac(0xb)],
    });
  });

  test('have no socket called "unknown", which is how the firmware calls its radios', () => {
    expect(
      links({
        interfaces: [{ name: 'down1v0', clients: [{ mac: mac(1), ports: ['unknown'] }] }],
        'link-state': { downstream: { unknown: { carrier: 1 }, LAN: { carrier: 1 } } },
        'lldp-peers': { downstream: { unknown: [{ name: 'Phone', mac: mac(1) }] } },
      }),
    ).toMatchObject({ lldp: [], ports: [{ name: 'LAN' }], macs: {} });
  });

  test('of a bridging access point list no client behind an unplugged socket', () => {
    // older firmware: neighbours on the uplink have no carrier
    const state = {
      interfaces: [{ name: 'up0v0', clients: [1, 2, 3].map((n) => ({ mac: colons(mac(n)), ports: ['eth1'] })) }],
      'link-state': { upstream: { eth0: { carrier: 1, speed: 1000 } }, downstream: { eth1: { carrier: 0 } } },
      'lldp-peers': { upstream: {}, downstream: {} },
    };
    expect(links(state)).toMatchObject({ lldp: [], macs: {} });
  });

  test('are nothing where a report says nothing, and capped where it says too much', () => {
    expect(links({ unit: {} })).toBeNull();
    const many = Array.from({ length: 5000 }, (_, n) => ({ mac: mac(n), ports: ['LAN1'] }));
    const report = extract({ state: { interfaces: [{ clients: many }] } });
    expect(report.links?.macs.LAN1).toHaveLength(4096);
    expect(report.clamped).toBeGreaterThan(0);
  });

  test('are read from anything without a throw', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 5 }), (part) => {
        expect(() =>
          links({
            interfaces: [part],
            'link-state': part,
            'lldp-peers': { upstream: part },
            'mac-forwarding-table': part,
          }),
        ).not.toThrow();
      }),
    );
  });
});
