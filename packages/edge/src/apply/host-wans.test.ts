import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../render/plan.ts';
import { HostRig, lease, makeWan, routed } from '../testing/host-rig.ts';
import type { Lease } from './wans.ts';

let rig: HostRig;
const other: Lease = { ...lease, address: '203.0.113.50', gateway: '203.0.113.1' };

beforeEach(() => {
  rig = new HostRig();
});

afterEach(() => rig.stop());

describe('lines', () => {
  const two: Plan = {
    ...routed,
    dhcpClients: [...routed.dhcpClients, { device: 'eth1', hostName: null, resolv: null }],
    lines: [makeWan('eth0', 10), makeWan('eth1', 20)],
  };

  it('get address, table, rule and default route with their lease, and a foreign default gives way only then', async () => {
    const host = await rig.started();
    await host.change(two, 7, 30);
    expect(rig.model.state.routes['254 default 0']).toBe('192.0.2.1 eth0 dhcp');
    await host.updateWan('eth0', { lease });
    expect(rig.model.state.addresses).toContain('eth0 192.0.2.50/24');
    expect(rig.model.state.routes).toMatchObject({
      '254 default 10': '192.0.2.1 eth0 201',
      '210 default 0': '192.0.2.1 eth0 201',
    });
    expect(rig.model.state.routes).not.toHaveProperty('254 default 0');
    await host.updateWan('eth0', { lease: null });
    expect(rig.model.state.routes).not.toHaveProperty('254 default 10');
    expect(rig.model.state.routes['254 default 0']).toBe('192.0.2.1 eth0 dhcp');
  });

  it('take routes and MTU of their lease, but none into a LAN or by an own address, and give them back', async () => {
    const port = { kind: 'port', device: 'eth0', master: null, mtu: null } as const;
    const host = await rig.started();
    await host.change({ ...two, links: [...two.links, port] }, 7, 30);
    const mtu = rig.model.state.links.eth0?.mtu;
    const routes = [
      { to: '198.18.0.0/15', via: '192.0.2.9' },
      { to: '10.1.0.128/25', via: '192.0.2.9' },
      { to: '198.51.100.0/24', via: '10.1.0.1' },
    ];
    await host.updateWan('eth0', { lease: { ...lease, routes, mtu: 1492 } });
    expect(rig.model.state.routes).toMatchObject({
      '254 198.18.0.0/15 10': '192.0.2.9 eth0 201',
      '210 198.18.0.0/15 0': '192.0.2.9 eth0 201',
    });
    expect(Object.keys(rig.model.state.routes).join()).not.toMatch(/10\.1\.0\.128|198\.51\.100\.0/);
    expect(rig.model.state.links.eth0).toMatchObject({ mtu: '1492' });
    await host.updateWan('eth0', { lease });
    expect(Object.keys(rig.model.state.routes).join()).not.toContain('198.18.0.0');
    expect(rig.model.state.links.eth0).toMatchObject({ mtu: String(mtu) });
  });

  it('that are metered end their connections once a preferred one lives again', async () => {
    const { host, logged } = await rig.loggingHost();
    const [first, second] = two.lines;
    const marked = { ...second!, metered: true as const, mark: { value: 0x800, mask: 0x3c00 } };
    await host.change({ ...two, lines: [{ ...first!, routes: ['10.9.0.0/16'] }, marked] }, 7, 30);
    await host.updateWan('eth0', { lease });
    await host.updateWan('eth1', { lease: other });
    expect(rig.model.state.routes['254 10.9.0.0/16 0']).toBe('192.0.2.1 eth0 201');
    await host.updateWan('eth0', { alive: false });
    expect(rig.model.state.routes['254 10.9.0.0/16 0']).toBe('192.0.2.1 eth0 201');
    expect(logged).toEqual(['conntrack -D --mark 0x400/0x3c00']);
    await host.updateWan('eth0', { alive: true });
    expect(logged.slice(1)).toEqual(['conntrack -D --mark 0x800/0x3c00']);
  });

  it('with one address leave it to the living one', async () => {
    const host = await rig.started();
    const lines = two.lines.map((wan, at) => ({ ...wan, rulePriority: 20_131 + at }));
    await host.change({ ...two, lines }, 7, 30);
    const ofAddress = () => rig.model.state.rules.filter((rule) => rule.includes('from 192.0.2.50'));
    await host.updateWan('eth0', { lease });
    await host.updateWan('eth1', { lease });
    expect(ofAddress()).toEqual([expect.stringContaining('lookup 210')]);
    await host.updateWan('eth0', { alive: false });
    expect(ofAddress()).toEqual([expect.stringContaining('lookup 220')]);
    for (const device of ['eth0', 'eth1'])
      expect(rig.model.state.rules.some((rule) => rule.includes(`oif ${device} `))).toBe(true);
  });

  it('that are lost leave the main table, keep their own for the probes, and end their connections', async () => {
    const { host, logged } = await rig.loggingHost();
    await host.change(two, 7, 30);
    await host.updateWan('eth0', { lease });
    await host.updateWan('eth1', { lease: other });
    await host.updateWan('eth0', { alive: false });
    expect(rig.model.state.routes).not.toHaveProperty('254 default 10');
    expect(rig.model.state.routes['210 default 0']).toBe('192.0.2.1 eth0 201');
    expect(logged).toEqual(['conntrack -D --mark 0x400/0x3c00']);
    await host.updateWan('eth0', { alive: true });
    expect(rig.model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(logged).toHaveLength(1);
  });

  it('that are lost stay the way out while no other lives, and give way once one does', async () => {
    const { host, logged } = await rig.loggingHost();
    await host.change(two, 7, 30);
    await host.updateWan('eth0', { lease });
    await host.updateWan('eth0', { alive: false });
    expect(rig.model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(logged).toEqual([]);
    await host.updateWan('eth1', { alive: false });
    await host.updateWan('eth1', { lease: other });
    expect(rig.model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(logged).toEqual([]);
    await host.updateWan('eth1', { alive: true });
    expect(rig.model.state.routes).not.toHaveProperty('254 default 10');
    expect(logged).toHaveLength(1);
  });

  it('that get another address end the connections that were translated to the one before', async () => {
    const { host, logged } = await rig.loggingHost();
    await host.change(two, 7, 30);
    await host.updateWan('eth0', { lease });
    await host.updateWan('eth0', { lease: { ...lease, nameServers: [] } });
    expect(logged).toEqual([]);
    await host.updateWan('eth0', { lease: { ...lease, address: '192.0.2.51' } });
    expect(logged).toEqual(['conntrack -D --mark 0x400/0x3c00']);
    const fixed = { address: '192.0.2.60', gateway: '192.0.2.1' };
    await host.change({ ...two, lines: two.lines.map((one) => ({ ...one, fixed })) }, 8, 30);
    const again = logged.length;
    const other = { ...fixed, address: '192.0.2.61' };
    await host.change({ ...two, lines: two.lines.map((one) => ({ ...one, fixed: other })) }, 9, 30);
    expect(logged.length).toBeGreaterThan(again);
  });

  it('do not wait for a count that does not end', async () => {
    const { host, logged } = await rig.loggingHost({ losing: () => new Promise(() => {}) });
    await host.change(two, 7, 30);
    await host.updateWan('eth0', { lease });
    await host.updateWan('eth1', { lease: other });
    await host.updateWan('eth0', { alive: false });
    expect(logged).toHaveLength(1);
  });

  it('that were lost are lost still after a start of the program', async () => {
    const leases: Record<string, Lease> = { eth0: lease, eth1: other };
    const host = await rig.started();
    await host.change(two, 7, 30);
    for (const [device, known] of Object.entries(leases)) await host.updateWan(device, { lease: known });
    await host.updateWan('eth0', { alive: false });
    const again = (ways: string[]) =>
      rig.started({ lease: (device) => leases[device] ?? null, ways: async () => new Set(ways) });
    expect((await again(['eth1'])).lines.eth0?.alive).toBe(false);
    expect(rig.model.state.routes).not.toHaveProperty('254 default 10');
    // no default route: WAN states are unknown
    expect((await again([])).lines.eth0?.alive).toBe(true);
  });

  const lanPlan = (address: string): Plan => ({
    ...two,
    addresses: [{ device: 'yx-a', address }],
    routes: [{ table: 254, to: '10.9.0.0/16', via: '192.0.2.210', device: 'yx-a', metric: 0 }],
    layout: {
      ...two.layout,
      interfaces: [{ name: 'down1v0', location: '/interfaces/1', role: 'downstream', device: 'yx-a', ports: [] }],
    },
  });

  it.each(['192.0.2.1/24', '192.0.2.200/25'])(
    'that are leased an address in the subnet of the LAN %s keep way out, and the LAN gives way meanwhile',
    async (address) => {
      const host = await rig.started();
      await host.change(lanPlan(address), 7, 30);
      expect(rig.model.state.addresses).toContain(`yx-a ${address}`);
      await host.updateWan('eth0', { lease: { ...lease, prefix: 16 } });
      const subnet = address === '192.0.2.1/24' ? '192.0.2.0/24' : '192.0.2.128/25';
      expect(host.collisions).toEqual([{ line: 'up0v0', lan: 'down1v0', subnet }]);
      expect(rig.model.state.addresses).not.toContain(`yx-a ${address}`);
      expect(rig.model.state.routes).not.toHaveProperty('254 10.9.0.0/16 0');
      expect(rig.model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
      await host.updateWan('eth0', { lease: { ...other } });
      expect(host.collisions).toEqual([]);
      expect(rig.model.state.addresses).toContain(`yx-a ${address}`);
      expect(rig.model.state.routes['254 10.9.0.0/16 0']).toBe('192.0.2.210 yx-a 201');
    },
  );

  it('that are leased a /32 whose router is in the subnet of the LAN keep way out, and the LAN gives way', async () => {
    const host = await rig.started();
    await host.change(lanPlan('192.0.2.1/24'), 7, 30);
    await host.updateWan('eth0', { lease: { ...lease, address: '198.51.100.9', prefix: 32 } });
    expect(host.collisions).toEqual([{ line: 'up0v0', lan: 'down1v0', subnet: '192.0.2.0/24' }]);
    expect(rig.model.state.addresses).not.toContain('yx-a 192.0.2.1/24');
    expect(rig.model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
  });

  it('keep their lease over a start of the program', async () => {
    await (await rig.started()).change(two, 7, 30);
    await rig.started({ lease: (device) => (device === 'eth0' ? lease : null) });
    expect(rig.model.state.addresses).toContain('eth0 192.0.2.50/24');
  });
});
