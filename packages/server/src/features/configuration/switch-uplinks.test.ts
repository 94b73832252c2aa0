import { describe, expect, it } from 'vitest';
import type { KeptLinks, KeptPeer } from '../../telemetry/read/index.ts';
import { type Neighbour, uplinksOf } from './switch-uplinks.ts';

const [router, access, printer] = ['02cafe0000fe', '02cafe000010', '02cafe000020'] as const;
const gateway: Neighbour = { serial: router, kind: 'gateway', routes: true, macs: ['02:ca:fe:00:00:ff'] };
const accessPoint: Neighbour = { serial: access, kind: 'ap', routes: false, macs: [] };

const peer = (port: string, mac: string | null, ...roles: string[]): KeptPeer => ({
  port,
  up: false,
  mac,
  name: 'peer',
  far_port: null,
  description: null,
  roles,
  address: null,
});
const links = (more: Partial<KeptLinks>, down: readonly string[] = []): KeptLinks => ({
  ports: ['Ethernet0', 'Ethernet1', 'Ethernet2'].map((name) => ({
    name,
    up: false,
    carrier: !down.includes(name),
    speed: 1000,
  })),
  lldp: [],
  macs: {},
  own: [],
  ...more,
});
const found = (...given: Parameters<typeof uplinksOf>) => [...uplinksOf(...given)];

describe('the uplinks of a switch', () => {
  it('are where a router or the gateway announces itself, and where the gateway is learned', () => {
    expect(found(links({ lldp: [peer('Ethernet1', null, 'Bridge', 'Router')] }), [])).toEqual(['Ethernet1']);
    expect(found(links({ lldp: [peer('Ethernet1', router)] }), [gateway])).toEqual(['Ethernet1']);
    expect(found(links({ macs: { Ethernet2: [printer, '02cafe0000ff'] } }), [gateway])).toEqual(['Ethernet2']);
    expect(found(links({ macs: { Ethernet2: [printer] } }), [gateway])).toEqual([]);
  });

  it('are not where an access point of the network calls itself a router', () => {
    const lldp = [peer('Ethernet0', access, 'Bridge', 'Wlan', 'Router'), peer('Ethernet1', null, 'Router')];
    expect(found(links({ lldp }), [gateway, accessPoint])).toEqual(['Ethernet1']);
  });

  it('stay while the link is up and nothing else announces itself there', () => {
    expect(found(links({}), [], ['Ethernet1'])).toEqual(['Ethernet1']);
    expect(found(links({}, ['Ethernet1']), [], ['Ethernet1'])).toEqual([]);
    expect(found(links({ lldp: [peer('Ethernet1', printer, 'Station')] }), [], ['Ethernet1'])).toEqual([]);
  });
});
