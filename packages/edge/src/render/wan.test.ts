import { describe as about, expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import { changed } from '../document/testing/changes.ts';
import { fullFacts, type Json, type JsonObject } from '../document/testing/documents.ts';
import { describe, type Plan, render } from './index.ts';

const wan = 'interfaces.0';
const makeWan = (name: string, more: JsonObject): Json => ({
  name,
  role: 'upstream',
  ethernet: [{ 'select-ports': ['WAN1'] }],
  ipv4: { addressing: 'dynamic' },
  ...more,
});

function plan(changes: Record<string, Json>): Plan {
  const read = readDocument(changed(changes), fullFacts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, fullFacts);
}

const devices = ({ links }: Plan) =>
  links.flatMap((link) => (link.kind === 'port' || link.kind === 'vlan' ? [link] : []));
const mtuOf = (made: Plan, vlan: number | null) =>
  devices(made).find((link) => (vlan === null ? link.device === 'eth0' : link.kind === 'vlan' && link.id === vlan))
    ?.mtu;

about('lines on one port', () => {
  it('are a device each, with names and rules of their own', () => {
    const made = plan({
      'interfaces.2': makeWan('TV', { vlan: { id: 85 } }),
      'interfaces.3': makeWan('Voice', { vlan: { id: 46 } }),
    });
    expect(made.lines.map((one) => one.interface)).toEqual(['up0v0', 'up0v46', 'up0v85']);
    expect(new Set(made.lines.map(({ device }) => device)).size).toBe(3);
    expect(made.layout.interfaces.filter(({ role }) => role === 'upstream').map(({ device }) => device)).toEqual([
      'eth0',
      made.lines[2]?.device,
      made.lines[1]?.device,
    ]);
  });

  it('leave the untagged side to a LAN', () => {
    const made = plan({
      [`${wan}.vlan`]: { id: 41 },
      'interfaces.1.ethernet': [{ 'select-ports': ['WAN1'] }],
    });
    expect(made.lines).toMatchObject([{ interface: 'up0v41', device: expect.stringMatching(/^yx-v/) }]);
    expect(made.addresses).toEqual([{ device: 'eth0', address: '192.168.1.1/24' }]);
  });

  it('do not share the limits of the untagged one', () => {
    const lines = [{ interface: 'WAN', down_kbps: 10_000, up_kbps: 10_000 }];
    const alone = plan({ 'third-party': { yunxun: { lines } } });
    expect([...alone.shapes, ...alone.redirects].map((one) => one.untaggedOnly)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const shared = plan({ 'third-party': { yunxun: { lines } }, 'interfaces.2': makeWan('TV', { vlan: { id: 85 } }) });
    expect(shared.shapes.filter(({ device }) => device === 'eth0')).toMatchObject([{ untaggedOnly: true }]);
    expect(shared.redirects).toMatchObject([{ device: 'eth0', untaggedOnly: true }]);
  });
});

about('an MTU', () => {
  it("is the port's, and of a VLAN both the port's and its own", () => {
    expect(mtuOf(plan({ [`${wan}.mtu`]: 1400 }), null)).toBe(1400);
    const jumbo = plan({ [`${wan}.vlan`]: { id: 41 }, [`${wan}.mtu`]: 9000 });
    expect([mtuOf(jumbo, null), mtuOf(jumbo, 41)]).toEqual([9000, 9000]);
  });

  it('of one VLAN leaves the untagged side and other VLANs at 1500', () => {
    const vlans = { 'interfaces.2': makeWan('TV', { vlan: { id: 85 }, mtu: 1400 }) };
    expect([mtuOf(plan(vlans), null), mtuOf(plan(vlans), 85)]).toEqual([1500, 1400]);
    const trunk = { ...vlans, [`${wan}.vlan`]: { id: 41 } };
    expect([mtuOf(plan(trunk), null), mtuOf(plan(trunk), 41), mtuOf(plan(trunk), 85)]).toEqual([1500, 1500, 1400]);
  });

  it('without a setting leaves devices as they are', () => {
    const made = plan({ 'interfaces.2': makeWan('TV', { vlan: { id: 85 } }) });
    expect(devices(made).map(({ mtu }) => mtu)).toEqual(devices(made).map(() => null));
  });

  it('bounds TCP segments in both directions', () => {
    const { nft } = plan({ [`${wan}.mtu`]: 1400 });
    expect(nft).toContain('oifname { "eth0" } tcp flags syn / syn,rst tcp option maxseg size set rt mtu');
    expect(nft).toContain('iifname "eth0" tcp flags syn / syn,rst tcp option maxseg size set 1360');
    expect(plan({}).nft).not.toContain('maxseg size set 1');
  });
});

about('a MAC address', () => {
  const mac = '02:aa:00:00:00:01';
  const cloned = { [`${wan}.ethernet`]: [{ 'select-ports': ['WAN1'], macaddr: mac.toUpperCase() }] };

  it("is the device's, also for the DHCP client", () => {
    const made = plan(cloned);
    expect(devices(made)[0]).toMatchObject({ device: 'eth0', mac });
    expect(made.dhcpClients).toMatchObject([{ device: 'eth0', mac }]);
    expect(describe(plan({}), made)).toContain(`eth0: up, MAC ${mac}`);
  });

  it('of a port is that of its VLANs too, unless they have their own', () => {
    const own = '02:bb:00:00:00:02';
    const made = plan({
      ...cloned,
      'interfaces.2': makeWan('TV', { vlan: { id: 85 } }),
      'interfaces.3': makeWan('Voice', { vlan: { id: 46 }, ethernet: [{ 'select-ports': ['WAN1'], macaddr: own }] }),
    });
    expect(made.dhcpClients.map((client) => client.mac)).toEqual([mac, own, mac]);
    expect(devices(made).find((link) => link.kind === 'vlan' && link.id === 85)).not.toHaveProperty('mac');
  });
});
