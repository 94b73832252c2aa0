import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from './index.ts';
import { changed, lan } from './testing/changes.ts';
import { documents, fullFacts, smallDocument } from './testing/documents.ts';

describe('a document that is right', () => {
  it('is taken with its defaults filled in', () => {
    const read = readDocument(smallDocument(), fullFacts);
    expect(read).toMatchObject({
      rejected: [],
      document: {
        hostName: 'gw-1',
        confirmS: 60,
        uplinks: [{ name: 'WAN', probe: { addresses: [], everyS: 5, fails: 3, recovers: 3 } }],
        networks: [{ name: 'LAN', ports: [{ name: 'LAN1' }, { name: 'LAN2' }, {}, {}, { name: 'LAN10' }] }],
      },
    });
  });

  it('may count leases by address as well', () => {
    const dhcp = { 'lease-start': '192.168.1.10', 'lease-end': '192.168.1.209', 'lease-time': '6h' };
    expect(readDocument(changed({ [`${lan}.ipv4.dhcp`]: dhcp }), fullFacts)).toEqual(
      readDocument(smallDocument(), fullFacts),
    );
  });

  it('reports what it leaves out', () => {
    const document = changed({
      radios: [],
      'unit.leds-active': true,
      [`${lan}.ssids`]: [],
      [`${lan}.ethernet`]: [],
      [`${lan}.services`]: ['lldp', 'ssh'],
      services: { ntp: { servers: ['a'] } },
    });
    const read = readDocument(document, fullFacts);
    expect(read).toMatchObject({
      rejected: [
        '[W] (In /unit/leds-active) is not supported by this gateway',
        '[W] (In /interfaces/1/ssids) is not supported by this gateway',
        '[W] (In /radios) is not supported by this gateway',
        '[W] (In /services/ntp) is not supported by this gateway',
        '[W] (In /interfaces/1/ethernet) selects no port of this gateway, so no client can use this network',
        '[W] (In /interfaces/1/services/0) "lldp" is not a service of this gateway',
      ],
      document: { networks: [{ services: ['ssh'] }] },
    });
    expect(readDocument({ ...document, strict: true }, fullFacts)).toMatchObject({ refused: expect.any(Array) });
  });

  it('says that a log is sent nowhere', () => {
    const document = { ...smallDocument(), services: { log: { host: 'log.example.com', port: 514 } } };
    expect(readDocument(document, fullFacts)).toMatchObject({
      rejected: ['[W] (In /services/log) is not supported by this gateway'],
    });
  });

  it('is what the console makes for a gateway without settings of its own', () => {
    // as in the server's compile/edge.ts
    const dhcp = { 'lease-start': '192.168.1.10', 'lease-end': '192.168.1.209', 'lease-time': '6h' };
    const wan = (name: string) => ({
      name,
      role: 'upstream',
      ethernet: [{ 'select-ports': [name] }],
      ipv4: { addressing: 'dynamic' },
    });
    const lan = {
      name: 'LAN',
      role: 'downstream',
      ethernet: [{ 'select-ports': ['LAN*'] }],
      ipv4: { addressing: 'static', subnet: '192.168.1.1/24', dhcp },
    };
    const document = {
      uuid: 5,
      unit: { name: 'Lobby-1' },
      interfaces: [wan('WAN1'), wan('WAN2'), lan],
      metrics: {
        statistics: { interval: 60, types: ['clients'] },
        health: { interval: 60 },
        realtime: { types: ['client', 'wired', 'health', 'unit'] },
      },
      'third-party': { yunxun: { confirm_s: 60 } },
    };
    const ports = { WAN1: 'eth0', WAN2: 'eth1', LAN1: 'eth2' };
    expect(readDocument(document, { ...fullFacts, ports })).toMatchObject({
      rejected: [],
      document: { uplinks: [{ name: 'WAN1' }, { name: 'WAN2' }], networks: [{ ports: [{ name: 'LAN1' }] }] },
    });
  });

  it('is what the generator makes, whatever it draws', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const read = readDocument(document, fullFacts);
        expect('refused' in read ? read.refused : read.rejected.filter((why) => !/selects no port/.test(why))).toEqual(
          [],
        );
      }),
      { numRuns: 150 },
    );
  });
});
