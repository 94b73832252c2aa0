import * as fc from 'fast-check';
import { emptyPlan, type Plan, type PlanLink, type PlanRoute } from '../render/plan.ts';
import type { HostState } from './host-model.ts';

export const foreignHost: HostState = {
  settings: {
    'net/ipv4/ip_forward': '0',
    'net/netfilter/nf_conntrack_acct': '0',
    'net/ipv4/conf/eth1/rp_filter': '1',
  },
  links: {
    eth0: { kind: 'device', master: null, parent: null, id: null, mtu: '1500', mac: '02:00:00:00:00:00' },
    eth1: { kind: 'device', master: null, parent: null, id: null, mtu: '1500', mac: '02:00:00:00:00:01' },
    eth2: { kind: 'device', master: 'docker0', parent: null, id: null, mtu: '9000', mac: '02:00:00:00:00:02' },
    docker0: { kind: 'bridge', master: null, parent: null, id: null, mtu: '1500', mac: '02:00:00:00:00:03' },
  },
  addresses: ['eth0 192.0.2.2/24', 'eth1 10.1.0.1/24', 'docker0 172.17.0.1/16'],
  routes: { '254 default 0': '192.0.2.1 eth0 dhcp', '254 10.99.0.0/16 0': '172.17.0.2 docker0 static' },
  rules: ['priority 5270 lookup 52'],
  nft: '',
  blocked: '',
  files: {},
  daemons: {},
  traffic: {},
};

/** As distributions' DHCP clients leave it: with and without a source address. */
export const foreignHosts: fc.Arbitrary<HostState> = fc.boolean().map((hasSource) => {
  if (!hasSource) return foreignHost;
  return { ...foreignHost, routes: { ...foreignHost.routes, '254 default 0': '192.0.2.1 eth0 dhcp 192.0.2.2' } };
});

const bridges = ['yx-a', 'yx-b'];

export const plans: fc.Arbitrary<Plan> = fc
  .record({
    bridges: fc.subarray(bridges),
    ports: fc.subarray(['eth0', 'eth1', 'eth2']),
    masters: fc.array(fc.constantFrom(null, ...bridges), { minLength: 4, maxLength: 4 }),
    mtu: fc.constantFrom(null, null, 1400, 1600),
    vlanMtu: fc.constantFrom(null, 1300),
    mac: fc.constantFrom(null, null, '02:aa:00:00:00:01', '02:aa:00:00:00:02'),
    vlanMac: fc.constantFrom(null, null, '02:aa:00:00:00:01', '02:bb:00:00:00:01'),
    vlan: fc.option(fc.record({ parent: fc.constantFrom('eth0', 'eth1'), id: fc.constantFrom(5, 6) })),
    ifb: fc.boolean(),
    addresses: fc.array(
      fc.tuple(
        fc.nat(4),
        fc.constantFrom(
          '10.1.0.1/24',
          '10.1.0.7/24',
          '10.1.0.2/24',
          '10.1.0.130/25',
          '10.2.0.1/24',
          // the foreign gateway's own address, and what lies in its subnet
          '192.0.2.1/24',
          '192.0.2.2/24',
          '192.0.2.9/24',
          '192.0.2.140/25',
        ),
      ),
      { maxLength: 5 },
    ),
    routes: fc.array(
      fc.tuple(
        fc.nat(4),
        fc.constantFrom('10.7.0.0/16', '10.8.0.0/16'),
        fc.constantFrom('10.1.0.2', '10.2.0.2'),
        fc.constantFrom(254, 202),
      ),
      { maxLength: 3 },
    ),
    rules: fc.array(
      fc.tuple(fc.constantFrom(20_110, 20_120), fc.constantFrom('10.1.0.1', null), fc.constantFrom(202, 254)),
      { maxLength: 2 },
    ),
    forward: fc.constantFrom(null, '1'),
    acct: fc.constantFrom(null, '1'),
    filter: fc.constantFrom(null, '0', '2'),
    nft: fc.constantFrom('table inet yunxun { one }\n', 'table inet yunxun { two }\n'),
    blocked: fc.subarray(['02:00:00:00:00:01', '02:00:00:00:00:02']),
    dnsmasq: fc.constantFrom(null, 'one', 'two'),
    client: fc.constantFrom(null, 'eth0', 'eth1'),
    line: fc.constantFrom(null, 'eth0', 'eth1', 'yx-v'),
    shaped: fc.constantFrom(null, 'eth0', 'yx-a'),
    kbps: fc.constantFrom(1000, 2000),
  })
  .map((chosen): Plan => {
    const masterOf = (index: number) => {
      const master = chosen.masters[index] ?? null;
      return master !== null && chosen.bridges.includes(master) ? master : null;
    };
    const ports = [...new Set([...chosen.ports, ...(chosen.vlan ? [chosen.vlan.parent] : [])])].toSorted();
    const links: PlanLink[] = [
      ...chosen.bridges.map((device) => ({ kind: 'bridge' as const, device, mtu: null })),
      ...ports.map((device, index) => ({
        kind: 'port' as const,
        device,
        master: masterOf(index),
        mtu: chosen.mtu,
        ...(chosen.mac !== null && chosen.line === device && { mac: chosen.mac }),
      })),
      ...(chosen.vlan
        ? [
            {
              kind: 'vlan' as const,
              device: 'yx-v',
              ...chosen.vlan,
              master: masterOf(3),
              mtu: chosen.mtu !== null ? (chosen.vlanMtu ?? 1400) : null,
              ...(chosen.vlanMac !== null && { mac: chosen.vlanMac }),
            },
          ]
        : []),
      ...(chosen.ifb ? [{ kind: 'ifb' as const, device: 'yx-i' }] : []),
    ];
    const devices = links.filter(({ kind }) => kind !== 'ifb').map(({ device }) => device);
    const addresses = unique<Plan['addresses'][number]>(
      chosen.addresses.flatMap(([at, address]) => {
        const device = devices[at];
        // no plan can undo a host that is its own gateway
        return device === undefined || (device === 'eth0' && address === '192.0.2.1/24') ? [] : [{ device, address }];
      }),
      ({ device, address }) => `${device} ${address}`,
    );
    const onDevices = [...new Set(addresses.map(({ device }) => device))];
    const routes: PlanRoute[] = chosen.routes.flatMap(([at, to, via, table]) => {
      const device = onDevices[at];
      return device === undefined ? [] : [{ table, to, via, device, metric: 0 }];
    });
    const line = chosen.line === 'yx-v' && !chosen.vlan ? null : chosen.line;
    if (line) {
      routes.push({ table: 202, to: 'default', via: '192.0.2.1', device: line, metric: 0 });
      routes.push({ table: 254, to: 'default', via: '192.0.2.1', device: line, metric: 10 });
      addresses.push({ device: line, address: '192.0.2.77/24' });
    }
    const shaped =
      chosen.shaped !== null && (chosen.shaped === 'eth0' || devices.includes(chosen.shaped)) ? chosen.shaped : null;
    const setting = (path: string, value: string | null, device: string | null) =>
      value === null ? [] : [{ path, value, device, needed: true }];
    return {
      ...emptyPlan,
      sysctls: [
        ...setting('net/ipv4/ip_forward', chosen.forward, null),
        ...setting('net/netfilter/nf_conntrack_acct', chosen.acct, null),
        ...setting('net/ipv4/conf/eth1/rp_filter', chosen.filter, 'eth1'),
        ...(chosen.bridges.includes('yx-b') ? setting('net/ipv4/conf/yx-b/rp_filter', chosen.filter, 'yx-b') : []),
        ...(chosen.vlan ? setting('net/ipv4/conf/yx-v/rp_filter', chosen.filter, 'yx-v') : []),
      ],
      links,
      addresses,
      routes: unique(
        routes.filter(({ via }) => !addresses.some(({ address }) => address.startsWith(`${via}/`))),
        ({ table, to, metric }) => `${table} ${to} ${metric}`,
      ),
      rules: unique(
        chosen.rules.map(([priority, from, table]) => ({
          priority,
          from,
          mark: null,
          table,
          suppressDefault: from === null,
        })),
        ({ priority }) => String(priority),
      ),
      nft: chosen.nft,
      blocked: chosen.blocked,
      dnsmasq:
        chosen.dnsmasq === null
          ? null
          : { config: chosen.dnsmasq, leases: '/l', queries: '/q', pid: '/run/d.pid', resolv: null },
      dhcpClients: chosen.client === null ? [] : [{ device: chosen.client, hostName: null, resolv: null }],
      lines: line === null ? [] : [wanOf(line)],
      shapes:
        shaped === null
          ? []
          : [
              {
                device: shaped,
                otherwise: 1,
                classes: [{ minor: 1, parent: 0, rateKbps: chosen.kbps, ceilKbps: chosen.kbps, queue: 100 }],
              },
            ],
      redirects: chosen.ifb && shaped !== null ? [{ device: shaped, to: 'yx-i' }] : [],
    };
  });

function wanOf(device: string): Plan['lines'][number] {
  return {
    name: device,
    interface: 'up0v0',
    device,
    table: 203,
    mark: { value: 0x400, mask: 0x3c00 },
    rulePriority: 20_150,
    metric: 20,
    fixed: null,
  };
}

function unique<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}
