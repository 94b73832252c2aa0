import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol, listedAs } from '../../../test/conformance/device-client.ts';
import {
  call,
  config,
  ended,
  expectConfig,
  fixture,
  network,
  online,
  pushes,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings, usualPool } from './testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

interface Got {
  version: number;
  settings: ReturnType<typeof settings>;
  gates: string[];
  origin: string;
  ports: string[];
  reported: object[];
  gateway: { serial: string } | null;
}
const given = expect.objectContaining({ code: 'gateway_firmware', severity: 'left_out' }) as unknown;
const get = async (gwid: string) => (await call<Got>('/api/v3/network/gateway/get', { gwid })).data;
const reported = (gwid: string) => expect.poll(async () => (await get(gwid)).reported).not.toEqual([]);
const save = (gwid: string, version: number, wanted: object) =>
  call<{ job_id: string; version: number }>('/api/v3/network/gateway/save', { gwid, version, settings: wanted });

describe('settings of a gateway', () => {
  it('begin as what it runs by itself, and say what it cannot do', async () => {
    const { gwid, identity } = await gatewayNetwork();
    expect(await get(gwid)).toMatchObject({ version: 0, gates: ['never_connected'], ports: [] });
    await connectGateway(identity);
    expect(await get(gwid)).toMatchObject({
      version: 0,
      gateway: { serial: identity.serial },
      ports: ['WAN1', 'WAN2', 'LAN1', 'LAN2'],
      gates: ['no_vlan', 'no_reboot'],
      settings: {
        lines: [{ name: 'WAN1', addressing: 'dynamic' }, { name: 'WAN2' }],
        networks: [{ name: 'LAN', address: '192.168.1.1/24', ports: ['LAN1', 'LAN2'], pool: usualPool }],
      },
    });
  });

  it('begin with the WAN addresses that the host runs, and need no DHCP of a provider without one', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const gateway = await connectGateway(identity);
    expect(await get(gwid)).toMatchObject({ origin: 'proposed' });
    const fixed = { address: '203.0.113.2/29', gateway: '203.0.113.1', dns: ['192.0.2.53'] };
    gateway.state({
      unit: {},
      interfaces: [{ name: 'up0v0', ipv4: { addresses: [fixed.address] } }],
      yunxun: {
        found: [
          { port: 'WAN1', ...fixed, dynamic: false },
          { port: 'WAN2', address: '198.51.100.7/24', gateway: '198.51.100.1', dynamic: true, dns: ['192.0.2.53'] },
          { port: 'WAN7', address: 'nonsense', gateway: 7, dns: 'x' },
        ],
      },
    });
    await expect.poll(async () => (await get(gwid)).origin).toBe('running');
    const { settings: own } = await get(gwid);
    expect(own.lines).toMatchObject([
      { port: 'WAN1', addressing: 'static', ...fixed },
      { port: 'WAN2', addressing: 'dynamic', address: null, gateway: null, dns: [] },
    ]);
    await ended(await save(gwid, 0, own), 'applied');
    expect(await get(gwid)).toMatchObject({ origin: 'saved', settings: { lines: [{ addressing: 'static' }, {}] } });
  });

  it('become its document, pushed, logged, and can be undone', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const gateway = await connectGateway(identity);
    const first = await save(gwid, 0, settings());
    await ended(first, 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect((await config(identity.serial)).desired?.document).toMatchObject({
      interfaces: [
        { name: 'WAN1', metric: 1, ipv4: { addressing: 'dynamic' } },
        {
          name: 'Fibre',
          metric: 2,
          ipv4: { subnet: '203.0.113.2/29', gateway: '203.0.113.1', 'use-dns': ['192.0.2.53'] },
        },
        {
          name: 'LAN',
          ipv4: {
            subnet: '10.1.0.1/24',
            dhcp: { 'lease-first': 100, 'lease-count': 50, 'lease-time': '60m' },
            'dhcp-leases': [{ macaddr: '02:00:00:00:00:01', 'static-lease-offset': 20 }],
            'port-forward': [
              { protocol: 'tcp', 'external-port': '8080', 'internal-address': '10.1.0.20', 'internal-port': '80' },
            ],
          },
        },
      ],
      'third-party': { yunxun: { confirm_s: 90, lines: [{ interface: 'Fibre', down_kbps: 100_000 }] } },
    });
    expect(gateway.flash.active).toBeGreaterThan(1);

    const second = await save(gwid, 1, settings({ forwards: [] }));
    await ended(second, 'applied');
    const log = await call<{ list: { seq: number; action: string }[] }>('/api/v3/log/action/list', {
      page: 1,
      limit: 10,
    });
    expect(log.data.list[0]).toMatchObject({ action: 'network.gateway.save' });
    const undone = await call('/api/v3/log/action/undo', { seq: log.data.list[0]!.seq });
    expect(undone.code).toBe(2000);
    expect((await get(gwid)).settings.forwards).toHaveLength(1);
  });

  it('serve the time to a network, unless the agent is too old, which the preview says', async () => {
    const wanted = settings({ networks: settings().networks.map((lan) => ({ ...lan, ntp: true })) });
    const old = await gatewayNetwork();
    await connectGateway(old.identity, undefined, {}, { ntp: false });
    expect((await get(old.gwid)).gates).toContain('no_ntp');
    const preview = await call('/api/v3/network/gateway/preview', { gwid: old.gwid, settings: wanted });
    const outdated = { code: 'no_ntp', severity: 'wrong', field: 'networks.0.ntp', params: { name: 'LAN' } };
    expect(preview.data).toMatchObject({
      devices: [{ effect: 'wrong', findings: expect.arrayContaining([expect.objectContaining(outdated)]) }],
    });
    const { gwid, identity } = await gatewayNetwork();
    await connectGateway(identity);
    await ended(await save(gwid, 0, wanted), 'applied');
    expect((await config(identity.serial)).desired?.document).toMatchObject({
      interfaces: [{ name: 'WAN1' }, { name: 'Fibre' }, { name: 'LAN', services: ['ntp'] }],
    });
  });

  it('answer 4104 over an old base, and change nothing', async () => {
    const { gwid } = await network();
    expect((await save(gwid, 0, settings())).code).toBe(2000);
    expect(await save(gwid, 0, settings({ confirm_s: 120 }))).toMatchObject({ code: 4104, data: { version: 1 } });
    expect((await get(gwid)).settings.confirm_s).toBe(90);
  });

  it('wait for a gateway that joins later, and leave access points of the network alone', async () => {
    const { gwid, identity } = await gatewayNetwork();
    expect((await save(gwid, 0, settings())).data.version).toBe(1);
    (await connectGateway(identity)).state({ interfaces: [], unit: {} });
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect((await config(identity.serial)).desired?.document).toMatchObject({
      interfaces: [{ name: 'WAN1' }, { name: 'Fibre' }, { name: 'LAN' }],
    });
    const point = await online(await enrol(fixture.server, fixture.owner, { gwid }));
    point.state({ interfaces: [], unit: {} });
    expect((await save(gwid, 1, settings({ routes: [] }))).code).toBe(2000);
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(pushes(point)).toBe(0);
  });

  it('are not for a gateway with other firmware: that is said, and nothing is sent to it', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const capabilities = { platform: 'olg', model: 'Other', network: { wan: ['eth0'], lan: ['eth1'] } };
    const device = await online(identity, { capabilities });
    expect(await get(gwid)).toMatchObject({ gateway: { serial: identity.serial }, gates: ['firmware'] });
    const { data } = await call('/api/v3/network/gateway/preview', { gwid, settings: settings() });
    expect(data).toMatchObject({ devices: [{ findings: expect.arrayContaining([given]) }] });
    expect(await save(gwid, 0, settings())).toMatchObject({ code: 2000, data: { job_id: null, version: 1 } });
    expect(pushes(device)).toBe(0);
  });

  it('are waited for as long as the gateway may try them', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const gateway = await connectGateway(identity);
    // an unconfigured box waits for its report
    await ended(await save(gwid, 0, settings()), 'applied');
    await gateway.cut();
    await listedAs(fixture.server, fixture.owner, identity.serial, { status: 'offline' });
    // only the node with the socket decides the timeout
    const heard: { method: string }[] = [];
    const { bus } = fixture.server.program;
    const release = bus.respond(`dev.${fixture.owner.accountId}.${identity.serial}.rpc`, async (message) => {
      heard.push(message as { method: string });
      const { uuid } = (message as { params: { uuid: number } }).params;
      return { serial: identity.serial, uuid, status: { error: 0, text: 'Success' } };
    });
    await ended(await save(gwid, 1, settings({ confirm_s: 30 })), 'applied');
    await ended(await save(gwid, 2, settings({ confirm_s: 600 })), 'applied');
    release();
    expect(heard.filter(({ method }) => method === 'configure')).toMatchObject([
      { timeoutMs: 120_000 },
      { timeoutMs: 660_000 },
    ]);
  });

  it('are refused where the gateway has no such port or cannot tag, and the preview says it first', async () => {
    const { gwid, identity } = await gatewayNetwork();
    await connectGateway(identity);
    await reported(gwid);
    const [lan] = settings().networks;
    const wanted = settings({ networks: [{ ...lan!, vlan: 20, ports: ['LAN1'], tagged: ['LAN9'] }] });
    const preview = await call<{ devices: { effect: string; findings: { code: string; field: string }[] }[] }>(
      '/api/v3/network/gateway/preview',
      { gwid, settings: wanted },
    );
    expect(preview.data.devices).toMatchObject([
      {
        effect: 'wrong',
        findings: [
          { code: 'port_missing', field: 'networks.0.tagged' },
          { code: 'no_reboot', field: 'reboot', severity: 'adjusted' },
          { code: 'no_vlan_tags', field: 'networks.0.tagged' },
        ],
      },
    ]);
    expect(await save(gwid, 0, wanted)).toMatchObject({
      code: 4114,
      data: { findings: [{ code: 'port_missing' }, {}] },
    });
    expect((await get(gwid)).version).toBe(0);
  });
});

describe('the wire of a line', () => {
  it('is judged against the ports of the gateway: VLAN devices, and the MTU that a port takes', async () => {
    const { gwid, identity } = await gatewayNetwork();
    await connectGateway(identity);
    await reported(gwid);
    const [first, second] = settings().lines;
    const wanted = settings({
      lines: [
        { ...first!, vlan: 41 },
        { ...second!, mtu: 1600 },
      ],
    });
    expect(await save(gwid, 0, wanted)).toMatchObject({
      code: 4114,
      data: {
        findings: [
          { code: 'mtu_unfit', field: 'lines.1.mtu', params: { port: 'WAN2', min: 68, max: 1500 } },
          { code: 'no_vlan_tags', field: 'lines.0.vlan' },
        ],
      },
    });
    expect(await get(gwid)).toMatchObject({
      version: 0,
      mtus: [{ port: 'WAN1', min: 68, max: 9194 }, { port: 'WAN2' }],
    });
    const fits = settings({ lines: [{ ...first!, mtu: 1400, mac: '02:aa:00:00:00:01' }, second!] });
    await ended(await save(gwid, 0, fits), 'applied');
  });
});

describe('what makes no sense is said beside its field', () => {
  const base = settings();
  const [lan] = base.networks;
  const [, fixed] = base.lines;
  const [forward] = base.forwards;
  it.each<[string, object, string[]]>([
    ['a name twice', { networks: [{ ...lan!, name: 'wan1' }], limits: [] }, ['networks.0.name']],
    ['a port twice', { networks: [{ ...lan!, ports: ['WAN1'] }] }, ['networks.0.ports']],
    [
      'a VLAN twice on a port',
      {
        lines: [
          base.lines[0]!,
          { ...fixed!, vlan: 41 },
          { ...fixed!, name: 'C', address: '203.0.114.2/29', gateway: '203.0.114.1', vlan: 41 },
        ],
      },
      ['lines.2.vlan'],
    ],
    [
      'a LAN tagged with the VLAN of a line',
      { lines: [base.lines[0]!, { ...fixed!, vlan: 41 }], networks: [{ ...lan!, vlan: 41, tagged: ['WAN2'] }] },
      ['networks.0.vlan'],
    ],
    [
      'a VLAN with larger packets than the untagged line of its port',
      { lines: [base.lines[0]!, { ...fixed!, port: 'WAN1', vlan: 41, mtu: 1508 }] },
      ['lines.1.mtu'],
    ],
    ['a MAC address of many machines', { lines: [{ ...fixed!, mac: '01:00:5e:00:00:01' }] }, ['lines.0.mac']],
    ['an MTU that no line has', { lines: [{ ...fixed!, mtu: 575 }] }, ['lines.0.mtu']],
    ['no port', { networks: [{ ...lan!, ports: [] }] }, ['networks.0.ports']],
    ['tags without a VLAN', { networks: [{ ...lan!, tagged: ['LAN2'] }] }, ['networks.0.vlan']],
    [
      'networks that overlap',
      { networks: [lan!, { ...lan!, name: 'B', ports: ['LAN2'], address: '10.1.0.129/25', pool: null, leases: [] }] },
      ['networks.1.address'],
    ],
    ['the network as address', { networks: [{ ...lan!, address: '10.1.0.0/24' }] }, ['networks.0.address']],
    [
      'a pool outside',
      { networks: [{ ...lan!, pool: { ...lan!.pool!, first: '10.2.0.5' } }] },
      ['networks.0.pool.first'],
    ],
    ['a pool too long', { networks: [{ ...lan!, pool: { ...lan!.pool!, count: 500 } }] }, ['networks.0.pool.count']],
    [
      'a pool with itself',
      { networks: [{ ...lan!, pool: { ...lan!.pool!, first: '10.1.0.1' } }] },
      ['networks.0.pool.first'],
    ],
    [
      'a lease outside and one twice',
      {
        networks: [
          {
            ...lan!,
            leases: [
              { mac: '02:00:00:00:00:01', address: '10.9.0.4', note: '' },
              { mac: '02:00:00:00:00:01', address: '10.1.0.5', note: '' },
            ],
          },
        ],
      },
      ['networks.0.leases.0.address', 'networks.0.leases.1.mac'],
    ],
    ['a gateway in a LAN', { lines: [{ ...fixed!, gateway: '10.1.0.9' }] }, ['lines.0.gateway']],
    ['a gateway that is no machine', { lines: [{ ...fixed!, gateway: '203.0.113.7' }] }, ['lines.0.gateway']],
    ['a fixed line without DNS', { lines: [{ ...fixed!, dns: [] }] }, ['lines.0.dns']],
    [
      'a forward to an address outside every LAN',
      { forwards: [{ ...forward!, address: '10.7.0.1' }] },
      ['forwards.0.address'],
    ],
    [
      'a port forwarded twice',
      { forwards: [forward!, { ...forward!, protocol: 'any', port: '8000-8100', to_port: null }] },
      ['forwards.1.port'],
    ],
    [
      'other numbers of ports',
      { forwards: [{ ...forward!, port: '80-90', to_port: '80-91' }] },
      ['forwards.0.to_port'],
    ],
    ['its own lease', { forwards: [{ ...forward!, protocol: 'udp', port: '68', to_port: null }] }, ['forwards.0.port']],
    [
      'its own SSH',
      {
        lines: [{ ...base.lines[0]!, ssh: true }, fixed!],
        forwards: [{ ...forward!, port: '20-30', to_port: null }],
      },
      ['forwards.0.port'],
    ],
    ['host bits in a route', { routes: [{ to: '10.9.0.1/16', via: '10.1.0.9' }] }, ['routes.0.to']],
    ['a route by a line that is none', { routes: [{ to: '10.9.0.0/16', via: 'WAN9' }] }, ['routes.0.via']],
    [
      'a route by a line that has an address as its name',
      {
        lines: base.lines.map((wan, at) => (at === 0 ? { ...wan, name: '10.77.0.9' } : wan)),
        routes: [{ to: '10.9.0.0/16', via: '10.77.0.9' }],
      },
      ['routes.0.via'],
    ],
    ['a route via an unreachable gateway', { routes: [{ to: '10.9.0.0/16', via: '10.77.0.9' }] }, ['routes.0.via']],
    [
      'a limit of an unknown address',
      { limits: [{ name: 'a', kind: 'network', target: 'X', down_mbps: 1, up_mbps: null }] },
      ['limits.0.target'],
    ],
    [
      'a limit without a rate',
      { limits: [{ name: 'a', kind: 'network', target: 'LAN', down_mbps: null, up_mbps: null }] },
      ['limits.0.down_mbps'],
    ],
    ['no such zone', { reboot: { days: ['mon'], at: '04:00', time_zone: 'Nowhere/City' } }, ['reboot.time_zone']],
    [
      'nine lines',
      { lines: Array.from({ length: 9 }, (_, at) => ({ ...base.lines[0]!, name: `L${at}`, port: `WAN${at + 1}` })) },
      ['lines'],
    ],
  ])('%s', async (_what, change, fields) => {
    const { gwid } = await network();
    const answer = await fixture.server.call<null>(
      '/api/v3/network/gateway/save',
      { gwid, version: 0, settings: settings(change) },
      fixture.owner,
    );
    expect(answer.code).toBe(422);
    const errors = (answer as unknown as { errors: Record<string, string[]> }).errors;
    expect(Object.keys(errors)).toEqual(fields.map((field) => `settings.${field}`));
  });
});
