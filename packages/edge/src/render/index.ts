import { isHost } from '@yunxun/contract/ipv4';
import { uplinkName } from '@yunxun/contract/uplink-names';
import type { EdgeDocument } from '../document/document.ts';
import type { Facts } from '../document/facts.ts';
import type { Layout } from '../measure/layout.ts';
import { blockChain } from './blocking.ts';
import { captiveInput, planCaptive } from './captive.ts';
import { planDnsmasq } from './dnsmasq.ts';
import { address, addressWithPrefix, network } from './encode.ts';
import { forwardChain, inputChain, spoofChain } from './firewall.ts';
import { limitChains, type Numbered, numberLimits, planShapes } from './limits.ts';
import { natChains } from './nat.ts';
import { mainTable, noTable, type Plan, type PlanAddress, type PlanRoute, type PlanSysctl } from './plan.ts';
import { planSdwan, sdwanChains, sdwanForward, sdwanInput } from './sdwan.ts';
import { openServices, planServices } from './services.ts';
import { shieldChains } from './shield.ts';
import { dhcpClients, planWans, wanChains, wanRules } from './wans.ts';
import { compareTexts, type Wiring, wire } from './wiring.ts';

export * from './blocking.ts';
export * from './captive.ts';
export * from './describe.ts';
export * from './plan.ts';
export * from './shape-arguments.ts';
export * from './wan-entries.ts';

/** Renders purely: equal input gives equal bytes. */
export function render(document: EdgeDocument, facts: Facts): Plan {
  const wiring = wire(document);
  const { wans, lans, links } = wiring;
  const limits = numberLimits(document.limits);
  const { reboot, timeZone, sdwan, shield } = document;
  const served = planDnsmasq(wans, lans, facts, shield !== null, document.captive);
  const dnsmasq = served !== null && document.takesPort53 ? { ...served, takes: true as const } : served;
  const captive = planCaptive(document.captive, lans, facts);
  const overlay = planSdwan(sdwan, lans, facts);
  const { shapes, redirects } = planShapes(limits, wans, lans, facts);
  return {
    sysctls: [...sysctls(wiring), ...overlay.sysctls],
    links: [...links, ...overlay.links],
    addresses: [...addresses(wiring), ...overlay.addresses],
    dhcpClients: dhcpClients(wans, document.hostName, facts),
    routes: [...routes(document, wiring), ...overlay.routes],
    rules: wanRules(wans),
    nft: table(document, wiring, limits),
    blocked: lans.length === 0 ? [] : document.blocked,
    dnsmasq,
    shapes: [...shapes, ...overlay.shapes],
    redirects,
    lines: planWans(wans, document.wanRoutes),
    schedule: reboot === null ? null : { ...reboot, timeZone },
    layout: layout(wiring, dnsmasq),
    tunnels: overlay.tunnels,
    networks: overlay.networks,
    services: planServices(document, lans),
    ...(shield === null || dnsmasq === null ? {} : { shield }),
    ...(captive === null ? {} : { captive }),
  };
}

function table(document: EdgeDocument, { wans, lans }: Wiring, limits: readonly Numbered[]): string {
  const chains = [
    ...blockChain(lans),
    ...spoofChain(wans, lans),
    ...wanChains(wans, lans),
    ...limitChains(limits, lans),
    ...sdwanChains(document.sdwan),
    ...inputChain(wans, lans, [
      ...openServices(document, wans, lans),
      ...sdwanInput(document.sdwan, wans),
      ...captiveInput(document.captive, lans),
    ]),
    ...forwardChain(wans, lans, sdwanForward(document.sdwan, lans)),
    ...natChains(wans, lans, document.routes),
    ...shieldChains(document.shield, lans),
  ];
  return `${noTable}table inet yunxun {\n${chains.map((line) => `\t${line}\n`).join('')}}\n`;
}

function sysctls({ wans, lans }: Wiring): PlanSysctl[] {
  return [
    { path: 'net/ipv4/ip_forward', value: '1', device: null, needed: true },
    // hairpin clients must not be redirected past the host
    { path: 'net/ipv4/conf/all/send_redirects', value: '0', device: null, needed: true },
    ...lans.map(({ device }) => ofDevice(device, 'send_redirects', '0')),
    // for flow accounting
    { path: 'net/netfilter/nf_conntrack_acct', value: '1', device: null, needed: false },
    { path: 'net/netfilter/nf_conntrack_events', value: '1', device: null, needed: false },
    // answers may arrive on another WAN than main would choose
    ...wans.map(({ device }) => ofDevice(device, 'rp_filter', '2')),
  ];
}

function ofDevice(device: string, name: string, value: string): PlanSysctl {
  return { path: `net/ipv4/conf/${device}/${name}`, value, device, needed: true };
}

function addresses({ wans, lans }: Wiring): PlanAddress[] {
  const own = [
    ...wans.map(({ device, addressing }) => ({
      device,
      subnet: addressing.kind === 'static' ? addressing.subnet : null,
    })),
    ...lans.map(({ device, subnet }) => ({ device, subnet })),
  ];
  return own
    .flatMap(({ device, subnet }) => (subnet ? [{ device, address: addressWithPrefix(subnet) }] : []))
    .toSorted((a, b) => compareTexts(a.device, b.device));
}

function routes({ routes: wanted }: EdgeDocument, { wans, lans }: Wiring): PlanRoute[] {
  const homes = [
    ...wans.map(({ device, addressing }) => ({
      device,
      subnet: addressing.kind === 'static' ? addressing.subnet : null,
    })),
    ...lans.map(({ device, subnet }) => ({ device, subnet })),
  ];
  return wanted
    .toSorted((a, b) => a.to.prefix - b.to.prefix || a.to.address - b.to.address)
    .map(({ to, via }) => ({
      table: mainTable,
      to: network(to),
      via: address(via),
      device: homes.find(({ subnet }) => subnet !== null && isHost(subnet, via))?.device ?? null,
      metric: 0,
    }));
}

function layout({ wans, lans }: Wiring, dnsmasq: Plan['dnsmasq']): Layout {
  const interfaces = [
    ...wans.map((wan) => ({
      ...wan,
      role: 'upstream' as const,
      ports: [wan.port],
      stateName: uplinkName(wan.port.name, wan.vlan),
    })),
    ...lans.map((lan) => ({ ...lan, role: 'downstream' as const, stateName: `down${lan.index}v${lan.vlan}` })),
  ]
    .toSorted((a, b) => a.index - b.index)
    .map((entry) => ({
      name: entry.stateName,
      location: `/interfaces/${entry.index}`,
      role: entry.role,
      device: entry.device,
      ports: entry.ports.map(({ name, device }) => ({ name, device })),
    }));
  return {
    interfaces,
    leases: dnsmasq?.leases ?? null,
    queries: dnsmasq?.queries ?? null,
    lines: wans.map((wan) => ({
      interface: uplinkName(wan.port.name, wan.vlan),
      device: wan.device,
      ...(wan.addressing.kind === 'static' ? { address: address(wan.addressing.subnet.address) } : {}),
      targets: wan.probe.addresses.map(address),
      ...(wan.dns === null ? {} : { dns: wan.dns.map(address) }),
      everyS: wan.probe.everyS,
      fails: wan.probe.fails,
      recovers: wan.probe.recovers,
    })),
  };
}
