import { switches } from '@yunxun/contract';
import { describe, expect, it } from 'vitest';
import { findSchemaErrors } from '../schema/check.ts';
import { awaitsReport, compile, maySend, noOverride, type PortFacts } from './index.ts';
import { input, ssid, wifi6 } from './testing/samples.ts';

const codes = (given: ReturnType<typeof compile>) =>
  given.findings.map(({ severity, code, field }) => `${severity} ${code} ${field}`);

const named = (name: string) => findSchemaErrors(compile(input({ ssids: [ssid({ name })] })).document, 'ap');
const lan = (lan_address: string) =>
  compile(input({}, { routes: true }, { radios: [], ssids_off: [], lan_address })).document.interfaces[1]?.ipv4;

describe('an access point', () => {
  it('runs a valid minimal document when nothing is set: an upstream interface and the default reports', () => {
    const { document, findings } = compile(input({}, { capabilities: null }));
    expect(findings).toEqual([]);
    expect(document).toEqual({
      unit: { name: 'Lobby-1', 'leds-active': true },
      interfaces: [
        {
          name: 'WAN',
          role: 'upstream',
          services: ['lldp'],
          ethernet: [{ 'select-ports': ['WAN*'] }],
          ipv4: { addressing: 'dynamic' },
        },
      ],
      services: {
        lldp: { describe: 'Lobby-1' },
        fingerprint: { mode: 'final', 'minimum-age': 60, 'maximum-age': 3600, periodicity: 600 },
      },
      metrics: {
        statistics: { interval: 60, types: ['ssids', 'lldp', 'clients'] },
        health: { interval: 60 },
        realtime: { types: ['client', 'wired', 'health', 'wifi', 'unit'] },
      },
    });
  });

  it('bridges its wires, with one interface for each VLAN', () => {
    const { document } = compile(
      input({
        ssids: [
          ssid(),
          ssid({ id: 'b', name: 'Guest', vlan: 30 }),
          ssid({ id: 'c', name: 'Staff', vlan: 20 }),
          ssid({ id: 'd', name: 'Tills', vlan: 20 }),
        ],
      }),
    );
    expect(
      document.interfaces.map(({ name, role, vlan, ethernet, ssids }) => ({
        name,
        role,
        vlan,
        ethernet,
        ssids: ssids?.map((one) => one.name),
      })),
    ).toEqual([
      {
        name: 'WAN',
        role: 'upstream',
        vlan: undefined,
        ethernet: [{ 'select-ports': ['WAN*', 'LAN*'] }],
        ssids: ['Lobby'],
      },
      {
        name: 'VLAN20',
        role: 'upstream',
        vlan: { id: 20 },
        ethernet: [{ 'select-ports': ['WAN*'], 'vlan-tag': 'tagged' }],
        ssids: ['Staff', 'Tills'],
      },
      {
        name: 'VLAN30',
        role: 'upstream',
        vlan: { id: 30 },
        ethernet: [{ 'select-ports': ['WAN*'], 'vlan-tag': 'tagged' }],
        ssids: ['Guest'],
      },
    ]);
  });

  it.each([
    ['open', { proto: 'none' }],
    ['owe', { proto: 'owe', ieee80211w: 'required' }],
    ['psk2', { proto: 'psk2', key: 'welcome-2026', ieee80211w: 'optional' }],
    ['sae-mixed', { proto: 'sae-mixed', key: 'welcome-2026', ieee80211w: 'optional' }],
    ['sae', { proto: 'sae', key: 'welcome-2026', ieee80211w: 'required' }],
  ] as const)('writes security %s as the firmware spells it', (security, encryption) => {
    const { document } = compile(input({ ssids: [ssid({ security })] }));
    expect(document.interfaces[0]?.ssids?.[0]?.encryption).toEqual(encryption);
  });

  it('writes limits, hiding and isolation; a rate in one direction leaves the other free', () => {
    const { document } = compile(
      input({ ssids: [ssid({ hidden: true, isolate: true, maximum_clients: 40, down_mbps: 20 })] }),
    );
    expect(document.interfaces[0]?.ssids?.[0]).toMatchObject({
      'hidden-ssid': true,
      'isolate-clients': true,
      'maximum-clients': 40,
      'rate-limit': { 'ingress-rate': 10_000, 'egress-rate': 20 },
    });
  });

  it('leaves out what it cannot do, and says each', () => {
    const given = compile(
      input({
        ssids: [ssid({ bands: ['2G', '6G'] }), ssid({ id: 'b', name: 'Six', security: 'sae', bands: ['6G'] })],
        radios: [{ band: '6G', enabled: true, channel: 'auto', width: null, mode: null, power: null }],
      }),
    );
    expect(codes(given)).toEqual([
      'left_out no_radio radios.6G',
      'left_out no_radio ssids.0.bands',
      'left_out no_radio ssids.1.bands',
      'left_out ssid_left_out ssids.1',
    ]);
    expect(maySend(given)).toBe(true);
  });

  it('keeps 6 GHz for the securities that it takes', () => {
    const capabilities = {
      ...wifi6,
      wifi: { ...wifi6.wifi, c: { band: ['6G'], channels: [1, 5, 37], htmode: ['HE80', 'HE160'] } },
    };
    const given = compile(
      input(
        {
          ssids: [ssid({ bands: ['5G', '6G'] }), ssid({ id: 'b', name: 'New', security: 'sae-mixed', bands: ['6G'] })],
        },
        { capabilities },
      ),
    );
    expect(given.document.interfaces[0]?.ssids?.map((one) => one['wifi-bands'])).toEqual([['5G'], ['6G']]);
    expect(codes(given)).toEqual(['left_out security_6g ssids.0.bands']);
  });

  it('leaves out an SSID whose key is 64 hex digits, which the schema of the firmware refuses', () => {
    const given = compile(
      input({
        ssids: [ssid({ key: '0123456789abcdef'.repeat(4) }), ssid({ id: 'b', name: 'New', key: ' Admin$12345' })],
      }),
    );
    const sent = given.document.interfaces[0]?.ssids ?? [];
    expect(sent.map(({ name, encryption }) => [name, encryption.key])).toEqual([['New', ' Admin$12345']]);
    expect(codes(given)).toEqual(['left_out key_hex ssids.0.key']);
    expect(maySend(given)).toBe(true);
  });

  it('carries at most eight SSIDs on a band', () => {
    const ssids = Array.from({ length: 10 }, (_, index) =>
      ssid({ id: String(index), name: `N${index}`, bands: ['2G'] }),
    );
    const given = compile(input({ ssids }));
    expect(given.document.interfaces[0]?.ssids).toHaveLength(8);
    expect(codes(given)).toContain('left_out too_many_ssids ssids.8.bands');
    expect(codes(given)).toContain('left_out ssid_left_out ssids.9');
  });

  it('does not send what a device that takes no compressed frame would lose', () => {
    const ssids = Array.from({ length: 8 }, (_, index) => ssid({ id: String(index), name: `N${index}` }));
    const big = input({ ssids }, { name: 'x'.repeat(20_000), capabilities: { ...wifi6, compress_cmd: false } });
    expect(codes(compile(big))).toContain('wrong too_large ');
    expect(maySend(compile(big))).toBe(false);
  });

  it('broadcasts every SSID except those that the device switches off', () => {
    const override = { radios: [], ssids_off: ['b'], lan_address: null };
    const { document } = compile(input({ ssids: [ssid(), ssid({ id: 'b', name: 'Guest' })] }, {}, override));
    expect(document.interfaces[0]?.ssids?.map(({ name }) => name)).toEqual(['Lobby']);
  });
});

describe('a gateway', () => {
  it('routes from a LAN of its own, and from one for each VLAN', () => {
    const given = compile(input({ ssids: [ssid(), ssid({ id: 'b', name: 'Guest', vlan: 300 })] }, { routes: true }));
    expect(given.document.interfaces.map(({ name, role, ipv4 }) => ({ name, role, ipv4 }))).toEqual([
      { name: 'WAN', role: 'upstream', ipv4: { addressing: 'dynamic' } },
      {
        name: 'LAN',
        role: 'downstream',
        ipv4: {
          addressing: 'static',
          subnet: '192.168.1.1/24',
          dhcp: { 'lease-first': 10, 'lease-count': 200, 'lease-time': '6h' },
        },
      },
      {
        name: 'VLAN300',
        role: 'downstream',
        ipv4: {
          addressing: 'static',
          subnet: '10.113.44.1/24',
          dhcp: { 'lease-first': 10, 'lease-count': 200, 'lease-time': '6h' },
        },
      },
    ]);
    expect(findSchemaErrors(given.document, 'ap')).toEqual([]);
  });

  it('leases no address of its own', () => {
    expect(lan('192.168.7.254/24')).toMatchObject({ dhcp: { 'lease-first': 10, 'lease-count': 200 } });
    expect(lan('192.168.7.100/24')).toMatchObject({ dhcp: { 'lease-first': 101, 'lease-count': 154 } });
    expect(lan('192.168.7.200/24')).toMatchObject({ dhcp: { 'lease-first': 10, 'lease-count': 190 } });
    expect(lan('172.16.8.1/28')).toMatchObject({
      subnet: '172.16.8.1/28',
      dhcp: { 'lease-first': 2, 'lease-count': 12 },
    });
  });

  it('refuses a LAN that overlaps the one of a VLAN', () => {
    const override = { radios: [], ssids_off: [], lan_address: '10.112.5.1/16' };
    const given = compile(input({ ssids: [ssid({ vlan: 7 })] }, { routes: true }, override));
    expect(codes(given)).toEqual(['wrong lan_overlap lan_address']);
    expect(maySend(given)).toBe(false);
  });

  it('of the olg platform counts leases by address', () => {
    const { document } = compile(
      input({}, { kind: 'gateway', capabilities: { platform: 'olg', network: { wan: ['eth0'], lan: ['eth1'] } } }),
    );
    expect(document.interfaces[1]?.ipv4).toMatchObject({
      dhcp: { 'lease-start': '192.168.1.10', 'lease-end': '192.168.1.209' },
    });
    expect(findSchemaErrors(document, 'olg')).toEqual([]);
    expect(findSchemaErrors(document, 'ap')).not.toEqual([]);
  });

  it('of our own agent has its sockets in the LAN, which it names one by one', () => {
    const network = { WAN1: ['eth0'], LAN1: ['eth1'], LAN2: ['eth2'] };
    const { document } = compile(input({}, { kind: 'gateway', capabilities: { platform: 'olg', network } }));
    expect(document.interfaces[1]?.ethernet).toEqual([{ 'select-ports': ['LAN*'] }]);
  });
});

describe('a gateway on our own agent', () => {
  const yunxun = { agent: '0.5.0', abilities: {}, missing: [], allowed: { reboot: true, scripts: false } };
  const gateway = (network: Record<string, string[]>, more: Parameters<typeof input>[0] = {}) =>
    compile(input(more, { kind: 'gateway', capabilities: { platform: 'olg', network, yunxun } }));

  it('gets only supported settings, and the confirm window', () => {
    const { document, findings } = gateway({ WAN1: ['eth0'], LAN1: ['eth1'], LAN2: ['eth2'] });
    expect(findings).toEqual([]);
    expect(document).toEqual({
      unit: { name: 'Lobby-1' },
      interfaces: [
        { name: 'WAN', role: 'upstream', ethernet: [{ 'select-ports': ['WAN1'] }], ipv4: { addressing: 'dynamic' } },
        {
          name: 'LAN',
          role: 'downstream',
          ethernet: [{ 'select-ports': ['LAN*'] }],
          ipv4: {
            addressing: 'static',
            subnet: '192.168.1.1/24',
            dhcp: { 'lease-start': '192.168.1.10', 'lease-end': '192.168.1.209', 'lease-time': '6h' },
          },
        },
      ],
      metrics: {
        statistics: { interval: 60, types: ['clients'] },
        health: { interval: 60 },
        realtime: { types: ['client', 'wired', 'health', 'unit'] },
      },
      'third-party': { yunxun: { confirm_s: 60 } },
    });
    expect(findSchemaErrors(document, 'edge')).toEqual([]);
    expect(findSchemaErrors({ ...document, services: {} }, 'edge')).not.toEqual([]);
  });

  it('has a line for each WAN socket in the order of their numbers, and no LAN without one', () => {
    const { document } = gateway({ WAN10: ['eth9'], WAN2: ['eth1'], WAN1: ['eth0'] });
    expect(document.interfaces.map(({ name, ethernet }) => [name, ethernet?.[0]?.['select-ports']])).toEqual([
      ['WAN1', ['WAN1']],
      ['WAN2', ['WAN2']],
      ['WAN10', ['WAN10']],
    ]);
    expect(findSchemaErrors(document, 'edge')).toEqual([]);
  });

  it('is not sent more lines than it can hold: which of its sockets are lines is for its settings to say', () => {
    const network = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`WAN${index + 1}`, [`eth${index}`]]));
    const given = gateway(network);
    expect(codes(given)).toEqual(['wrong too_many_lines lines']);
    expect(maySend(given)).toBe(false);
  });

  it('sends out no SSID, and says so', () => {
    const given = gateway({ WAN1: ['eth0'], LAN1: ['eth1'] }, { ssids: [ssid(), ssid({ id: 'b', enabled: false })] });
    expect(codes(given)).toEqual(['left_out ssid_left_out ssids.0']);
    expect(JSON.stringify(given.document)).not.toContain('Lobby"');
  });
});

const plainSwitch = { kind: 'switch', capabilities: { platform: 'switch' } } as const;
const port = (name: string, change: Partial<PortFacts> = {}): PortFacts => ({
  name,
  speed: 1000,
  top_speed: 1000,
  duplex: 'full',
  poe: true,
  uplink: false,
  ...change,
});

describe('a switch', () => {
  it('gets ports, VLANs and its own reports, and nothing wireless', () => {
    const given = compile(
      input({ ssids: [ssid({ vlan: 20 })] }, { ...plainSwitch, ports: [port('Ethernet0'), port('Ethernet1')] }),
    );
    expect(Object.keys(given.document)).toEqual(['unit', 'ethernet', 'switch', 'interfaces', 'services', 'metrics']);
    expect(JSON.stringify(given.document)).not.toContain('Lobby"');
    expect(given.document.metrics).toEqual({
      statistics: { interval: 60, types: ['lldp', 'clients'] },
      health: { interval: 60 },
    });
    expect(given.document.interfaces.map(({ vlan }) => vlan?.id)).toEqual([1, 20]);
    expect(codes(given)).toEqual(['left_out not_wireless ssids']);
  });

  it('is sent nothing before it has reported its ports', () => {
    const given = compile(input({}, plainSwitch));
    expect(codes(given)).toEqual(['wrong ports_unknown ports']);
    expect([maySend(given), awaitsReport(given)]).toEqual([false, true]);
  });

  it('keeps the speeds that its ports were last seen at, and takes gigabit for one that was never in use', () => {
    const ports = [
      port('Ethernet0'),
      port('Ethernet1', { speed: 100, top_speed: 100, duplex: 'half' }),
      port('Ethernet2', { speed: null, top_speed: null, duplex: null }),
      port('Ethernet48', { speed: 10_000, top_speed: 10_000, poe: false }),
      port('Ethernet49', { speed: 1000, top_speed: 10_000, poe: false }),
    ];
    const given = compile(input({}, { ...plainSwitch, ports }));
    const speeds = (given.document.ethernet ?? []).flatMap((entry) =>
      (entry['select-ports'] as string[]).map((name) => [name, entry.speed, entry.duplex]),
    );
    expect(speeds.toSorted()).toEqual([
      ['Ethernet0', 1000, 'full'],
      ['Ethernet1', 100, 'half'],
      ['Ethernet2', 1000, 'full'],
      ['Ethernet48', 10_000, 'full'],
      ['Ethernet49', 1000, 'full'],
    ]);
    expect(given.findings).toEqual([
      {
        severity: 'adjusted',
        code: 'port_speed_unknown',
        field: 'ports',
        params: { ports: 'Ethernet2', speed: 1000 },
      },
    ]);
  });

  it('does not hold a port at the speed of a computer that sleeps', () => {
    const asleep = port('Ethernet1', { speed: 10, top_speed: 1000 });
    expect(compile(input({}, { ...plainSwitch, ports: [asleep] })).document.ethernet).toMatchObject([{ speed: 1000 }]);
  });

  it('has the VLANs of each port as they are set', () => {
    const ports = ['Ethernet0', 'Ethernet1', 'Ethernet2'].map((name) => port(name));
    const given = compile({
      ...input({ ssids: [ssid({ vlan: 20 })] }, { ...plainSwitch, ports }),
      override: {
        ...noOverride,
        ports: [
          { ...switches.usualPort('Ethernet1'), vlan: 30, tagged: [] },
          { ...switches.usualPort('Ethernet2'), vlan: 20 },
          { ...switches.usualPort('Ethernet9'), vlan: 50 },
        ],
      },
    });
    const vlans = given.document.interfaces.map(({ vlan, ethernet }) => [
      vlan?.id,
      ...(ethernet ?? []).map((entry) => `${entry['vlan-tag']} ${entry['select-ports'].join(' ')}`),
    ]);
    expect(vlans).toEqual([
      [1, 'un-tagged Ethernet0'],
      [20, 'un-tagged Ethernet2', 'tagged Ethernet0'],
      [30, 'un-tagged Ethernet1'],
    ]);
    expect(codes(given)).toContain('left_out port_gone ports');
  });
});

describe('our schema', () => {
  it.each([
    ['an unknown key', (document: object) => ({ ...document, bogus: {} })],
    ['a key in the wrong place', (document: object) => ({ ...document, unit: { name: 'a', radios: [] } })],
    ['no upstream interface', (document: object) => ({ ...document, interfaces: [] })],
    ['a band that does not exist', (document: object) => ({ ...document, radios: [{ band: '60G' }] })],
    ['too much power', (document: object) => ({ ...document, radios: [{ band: '2G', 'tx-power': 31 }] })],
    [
      'reports more often than firmware takes',
      (document: object) => ({ ...document, metrics: { statistics: { interval: 59, types: [] } } }),
    ],
  ])('refuses %s', (_what, broken) => {
    const { document } = compile(input({ ssids: [ssid()] }));
    expect(findSchemaErrors(document, 'ap')).toEqual([]);
    expect(findSchemaErrors(broken(document), 'ap')).not.toEqual([]);
  });

  it('counts the bytes of a name', () => {
    expect(named('馆'.repeat(10))).toEqual([]);
    expect(named('馆'.repeat(11))).not.toEqual([]);
  });
});
