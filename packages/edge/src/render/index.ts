import { isHost } from '@yunxun/contract/ipv4';
import { uplinkName } from '@yunxun/contract/uplink-names';
import type { EdgeDocument } from '../document/document.ts';
import type { Facts } from '../document/facts.ts';
import type { Layout } from '../measure/layout.ts';
import { planDnsmasq } from './dnsmasq.ts';
import { address, addressWithPrefix, network } from './encode.ts';
import { forwardChain, inputChain, spoofChain } from './firewall.ts';
import { limitChains, type Numbered, numberLimits, planShapes } from './limits.ts';
import { dhcpClients, lineChains, lineRules, planLines } from './lines.ts';
import { natChains } from './nat.ts';
import { mainTable, noTable, type Plan, type PlanAddress, type PlanRoute, type PlanSysctl } from './plan.ts';
import { compareTexts, type Wiring, wire } from './wiring.ts';

export * from './describe.ts';
export * from './line-entries.ts';
export * from './plan.ts';
export * from './shape-arguments.ts';

/** What a document means on this box. Pure: the same document and facts give the same bytes. */
export function render(document: EdgeDocument, facts: Facts): Plan {
  const wiring = wire(document);
  const { lines, lans, links } = wiring;
  const limits = numberLimits(document.limits);
  const dnsmasq = planDnsmasq(lines, lans, facts);
  const { reboot, timeZone } = document;
  return {
    sysctls: sysctls(wiring),
    links,
    addresses: addresses(wiring),
    dhcpClients: dhcpClients(lines, document.hostName, facts),
    routes: routes(document, wiring),
    rules: lineRules(lines),
    nft: table(document, wiring, limits),
    dnsmasq,
    ...planShapes(limits, lines, lans, facts),
    lines: planLines(lines),
    schedule: reboot === null ? null : { ...reboot, timeZone },
    layout: layout(wiring, dnsmasq),
  };
}

/** Everything of ours in nftables: one table, replaced in one transaction. */
function table(document: EdgeDocument, { lines, lans }: Wiring, limits: readonly Numbered[]): string {
  const chains = [
    ...spoofChain(lines, lans),
    ...lineChains(lines, lans),
    ...limitChains(limits, lans),
    ...inputChain(lines, lans, document.sshPort),
    ...forwardChain(lines, lans),
    ...natChains(lines, lans, document.routes),
  ];
  return `${noTable}table inet yunxun {\n${chains.map((line) => `\t${line}\n`).join('')}}\n`;
}

function sysctls({ lines, lans }: Wiring): PlanSysctl[] {
  return [
    { path: 'net/ipv4/ip_forward', value: '1', device: null, needed: true },
    // a terminal that asks a forwarded port of its own network must not be told to go there past this box
    { path: 'net/ipv4/conf/all/send_redirects', value: '0', device: null, needed: true },
    ...lans.map(({ device }) => ofDevice(device, 'send_redirects', '0')),
    // bytes of connections, and word of their ends: what flow by application is counted from
    { path: 'net/netfilter/nf_conntrack_acct', value: '1', device: null, needed: false },
    { path: 'net/netfilter/nf_conntrack_events', value: '1', device: null, needed: false },
    // answers may come in over another line than the one that the main table would choose
    ...lines.map(({ device }) => ofDevice(device, 'rp_filter', '2')),
  ];
}

function ofDevice(device: string, name: string, value: string): PlanSysctl {
  return { path: `net/ipv4/conf/${device}/${name}`, value, device, needed: true };
}

function addresses({ lines, lans }: Wiring): PlanAddress[] {
  const own = [
    ...lines.map(({ device, addressing }) => ({
      device,
      subnet: addressing.kind === 'static' ? addressing.subnet : null,
    })),
    ...lans.map(({ device, subnet }) => ({ device, subnet })),
  ];
  return own
    .flatMap(({ device, subnet }) => (subnet ? [{ device, address: addressWithPrefix(subnet) }] : []))
    .toSorted((a, b) => compareTexts(a.device, b.device));
}

function routes({ routes: wanted }: EdgeDocument, { lines, lans }: Wiring): PlanRoute[] {
  const homes = [
    ...lines.map(({ device, addressing }) => ({
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

/** In the order of the document, as state reports have it. */
function layout({ lines, lans }: Wiring, dnsmasq: Plan['dnsmasq']): Layout {
  const interfaces = [
    ...lines.map((line) => ({
      ...{ ...line, role: 'upstream' as const, ports: [line.port] },
      stateName: uplinkName(line.port.name, line.vlan),
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
    lines: lines.map((line) => ({
      interface: uplinkName(line.port.name, line.vlan),
      device: line.device,
      ...(line.addressing.kind === 'static' ? { address: address(line.addressing.subnet.address) } : {}),
      targets: line.probe.addresses.map(address),
      everyS: line.probe.everyS,
      fails: line.probe.fails,
      recovers: line.probe.recovers,
    })),
  };
}
