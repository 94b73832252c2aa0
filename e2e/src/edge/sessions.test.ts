import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LabDocument, type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, logged, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

/** Connections survive saves that do not touch their LAN and WAN. */

type Change = (document: LabDocument) => LabDocument;

const lanOf = ({ interfaces }: LabDocument) => interfaces[1] as { ipv4: Record<string, unknown> };

const changes: Record<string, Change> = {
  'a port forward': (document) => {
    const lan = lanOf(document);
    const forward = { protocol: 'tcp', 'internal-address': '10.1.0.20', 'external-port': 8081, 'internal-port': 80 };
    return {
      ...document,
      interfaces: [document.interfaces[0]!, { ...lan, ipv4: { ...lan.ipv4, 'port-forward': [forward] } }],
    };
  },
  'a pool of another size': (document) => {
    const lan = lanOf(document);
    const dhcp = { 'lease-first': 90, 'lease-count': 100, 'lease-time': '2h' };
    return { ...document, interfaces: [document.interfaces[0]!, { ...lan, ipv4: { ...lan.ipv4, dhcp } }] };
  },
  'a second network': (document) => ({
    ...document,
    interfaces: [
      ...document.interfaces,
      {
        name: 'Guests',
        role: 'downstream',
        vlan: { id: 20 },
        ethernet: [{ 'select-ports': ['LAN2'], 'vlan-tag': 'un-tagged' }],
        ipv4: { addressing: 'static', subnet: '10.2.0.1/24' },
      },
    ],
  }),
  'a second WAN': (document) => ({
    ...document,
    interfaces: [
      ...document.interfaces,
      {
        name: 'Second',
        role: 'upstream',
        ethernet: [{ 'select-ports': ['WAN2'] }],
        metric: 2,
        ipv4: {
          addressing: 'static',
          subnet: '203.0.113.3/24',
          gateway: '203.0.113.1',
          'use-dns': ['192.0.2.53'],
        },
      },
    ],
  }),
  'another DNS server': (document) => {
    const [wan, ...lans] = document.interfaces as [{ ipv4: object }, ...LabDocument['interfaces']];
    const servers = { 'use-dns': ['192.0.2.53', '192.0.2.54'] };
    return { ...document, interfaces: [{ ...wan, ipv4: { ...wan.ipv4, ...servers } }, ...lans] };
  },
  'one WAN again': (document) => document,
  'a static route': (document) => ({
    ...document,
    'third-party': {
      yunxun: { ...document['third-party'].yunxun, routes: [{ to: '10.99.0.0/16', via: '10.1.0.77' }] },
    },
  }),
};

describe.each([
  ['a static WAN', false],
  ['a WAN by DHCP', true],
])('a connection over %s', (_what, dynamic) => {
  let lab: Lab;
  let host: LabHost;
  let uuid = 100;
  const base = (): LabDocument => {
    const document = smallGateway(uuid);
    const [wan, lan] = document.interfaces;
    const ipv4 = dynamic ? { addressing: 'dynamic' } : wan!.ipv4;
    return { ...document, interfaces: [{ ...wan, metric: 1, ipv4 }, lan!] };
  };

  labFixture(async (own) => {
    uuid = 100;
    lab = own(await startLab({ console: true, dhcpOnWans: dynamic }));
    host = own(await startHost(lab));
    await host.start();
    expect(await host.configure(base()), host.log()).toMatchObject({ uuid, status: { error: 0 } });
    await lab.lease('a');
    await expect.poll(() => lab.page()).toBe(200);
  });

  it.each(Object.entries(changes))('lives when %s is saved', async (_name, change) => {
    const call = { url: 'http://192.0.2.14/bytes/16000000', hold: 1_000_000, timeoutS: 240 };
    const loading = lab.start('a', process.execPath, [join(import.meta.dirname, 'caller.mjs'), JSON.stringify(call)]);
    let loaded = '';
    loading.stdout?.on('data', (part: Buffer) => {
      loaded += part.toString();
    });
    await logged(loading, 'held');
    uuid += 1;
    const word = await host.configure(change(base()));
    expect(word, host.log()).toMatchObject({ uuid });
    loading.stdin?.write('\n');
    await expect.poll(() => loaded, { timeout: 20_000 }).toContain('"bytes":16000000');
  });
});
