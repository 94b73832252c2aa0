import { gateway } from '@yunxun/contract';
import {
  type Capabilities,
  type EdgeCapabilities,
  type EdgeLimit,
  type EdgeSection,
  type EdgeWan,
  edgeDays,
  edgeServices,
} from '@yunxun/contract/device';
import { isHost, networkOf, readAddress, readPorts, readSubnet } from '@yunxun/contract/ipv4';
import type { DocumentInterface } from './document.ts';
import type { Findings } from './findings.ts';

type Settings = gateway.GatewaySettings;

export interface CompiledGateway {
  timeZone: string | null;
  interfaces: DocumentInterface[];
  section: EdgeSection;
}

/**
 * Sorts unordered lists: equal settings give equal documents. Missing abilities are errors, because partial settings
 * are worse than none.
 */
export function compileGateway(
  settings: Settings,
  capabilities: Capabilities | null,
  findings: Findings,
): CompiledGateway {
  checkGatewayHost(settings, capabilities, findings);
  const networks = settings.networks.toSorted((a, b) => byText(a.name, b.name));
  return {
    timeZone: settings.reboot?.time_zone ?? null,
    interfaces: [
      ...settings.lines.map((wan, index) => upstream(wan, settings.lines.length > 1 ? index + 1 : null)),
      ...networks.map((network) => downstream(network, settings.forwards)),
    ],
    section: {
      ...sectionOf(settings),
      ...(settings.take_port53 && capabilities?.yunxun?.abilities?.port53 === true && { take_port53: true }),
    },
  };
}

function sectionOf({ confirm_s, routes, lines: wans, limits, reboot }: Settings): EdgeSection {
  const watched = wans.map(wanOf).filter((wan) => Object.keys(wan).length > 1);
  return {
    confirm_s,
    ...(routes.length > 0 && {
      routes: routes
        .map(({ to, via }) => (readAddress(via) === null ? { to, interface: via } : { to, via }))
        .toSorted((a, b) => byText(a.to, b.to)),
    }),
    ...(watched.length > 0 && { lines: watched }),
    ...(limits.length > 0 && { limits: limits.map(limitOf).toSorted((a, b) => byText(a.name, b.name)) }),
    ...(reboot && { reboot: { days: edgeDays.filter((day) => reboot.days.includes(day)), at: reboot.at } }),
  };
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byPort(a: string, b: string): number {
  return byText(a.slice(0, 3), b.slice(0, 3)) || Number(a.slice(3)) - Number(b.slice(3));
}

const kbps = (mbps: number) => mbps * 1000;

function rates({ down_mbps: down, up_mbps: up }: { down_mbps: number | null; up_mbps: number | null }) {
  return { ...(down !== null && { down_kbps: kbps(down) }), ...(up !== null && { up_kbps: kbps(up) }) };
}

function upstream(wan: gateway.GatewayWan, metric: number | null): DocumentInterface {
  const { name, port, vlan, mtu, mac, addressing, address, gateway: via, dns, ssh } = wan;
  const tagged = typeof vlan === 'number';
  return {
    name,
    role: 'upstream',
    ...(ssh && { services: ['ssh'] }),
    ...(metric !== null && { metric }),
    ...(typeof mtu === 'number' && { mtu }),
    ...(tagged && { vlan: { id: vlan } }),
    ethernet: [
      { 'select-ports': [port], ...(tagged && { 'vlan-tag': 'tagged' as const }), ...(mac && { macaddr: mac }) },
    ],
    ipv4: {
      addressing,
      ...(addressing === 'static' && { subnet: address, gateway: via }),
      ...(dns.length > 0 && { 'use-dns': [...dns] }),
    },
  };
}

function wanOf(wan: gateway.GatewayWan): EdgeWan {
  const { name, probe, metered } = wan;
  return {
    interface: name,
    ...rates(wan),
    ...(probe.length > 0 && { probe: { addresses: [...probe] } }),
    ...(metered && { metered }),
  };
}

function downstream(network: gateway.GatewayNetwork, forwards: readonly gateway.GatewayForward[]): DocumentInterface {
  const { name, address, vlan, ports, tagged, pool, leases } = network;
  const host = readSubnet(address) ?? { address: 0, prefix: 0 };
  const offset = (text: string) => (readAddress(text) ?? 0) - networkOf(host);
  // an untagged network admits SSH anyway
  const services = edgeServices.filter((service) => network[service] && (service !== 'ssh' || vlan !== null));
  const own = forwards.filter((forward) => isHost(host, readAddress(forward.address) ?? -1));
  return {
    name,
    role: 'downstream',
    ...(services.length > 0 && { services }),
    ...(vlan !== null && { vlan: { id: vlan } }),
    ethernet: [
      ...(ports.length > 0 ? [{ 'select-ports': ports.toSorted(byPort), 'vlan-tag': 'un-tagged' as const }] : []),
      ...(tagged.length > 0 ? [{ 'select-ports': tagged.toSorted(byPort), 'vlan-tag': 'tagged' as const }] : []),
    ],
    ipv4: {
      addressing: 'static',
      subnet: address,
      ...(pool && {
        dhcp: {
          'lease-first': offset(pool.first),
          'lease-count': pool.count,
          'lease-time': `${pool.lease_minutes}m`,
        },
      }),
      ...(leases.length > 0 && {
        'dhcp-leases': leases
          .toSorted((a, b) => byText(a.mac, b.mac))
          .map((lease) => ({ macaddr: lease.mac, 'static-lease-offset': offset(lease.address) })),
      }),
      ...(own.length > 0 && { 'port-forward': own.toSorted(byForward).map(forwardOf) }),
    },
  };
}

function byForward(a: gateway.GatewayForward, b: gateway.GatewayForward): number {
  return (readPorts(a.port)?.first ?? 0) - (readPorts(b.port)?.first ?? 0) || byText(a.protocol, b.protocol);
}

function forwardOf({ protocol, port, address, to_port: inside }: gateway.GatewayForward): Record<string, unknown> {
  return {
    protocol,
    'external-port': port,
    'internal-address': address,
    ...(inside !== null && { 'internal-port': inside }),
  };
}

function limitOf(limit: gateway.GatewayRateLimit): EdgeLimit {
  const { name, kind, target } = limit;
  const of = kind === 'mac' ? { mac: target } : kind === 'address' ? { address: target } : { interface: target };
  return { name, of, ...rates(limit) };
}

/** Agents that report no MTU ranges support neither MTU nor MAC. */
function checkEthernet({ lines: wans }: Settings, mtus: EdgeCapabilities['mtus'], findings: Findings): void {
  for (const [index, { name, port, mtu, mac }] of wans.entries()) {
    const at = `lines.${index}`;
    if (!mtus && (mac || typeof mtu === 'number'))
      findings.wrong('agent_outdated', mac ? `${at}.mac` : `${at}.mtu`, { name });
    const range = mtus?.[port];
    if (range && typeof mtu === 'number' && (mtu < range.min || mtu > range.max))
      findings.wrong('mtu_unfit', `${at}.mtu`, { name, port, min: range.min, max: range.max });
  }
}

/** Agents without `wanRoutes` take gateways in the subnet only, no routes by WAN, and no metered WAN. */
function checkWanRoutes({ lines: wans, routes }: Settings, findings: Findings): void {
  const outdated = (at: string, name: string) => findings.wrong('agent_outdated', at, { name });
  for (const [index, { name, addressing, address, gateway: via, metered }] of wans.entries()) {
    if (metered) outdated(`lines.${index}.metered`, name);
    const [host, hop] = [readSubnet(address), readAddress(via)];
    if (addressing === 'static' && host && hop !== null && !isHost(host, hop)) outdated(`lines.${index}.gateway`, name);
  }
  for (const [index, { to, via }] of routes.entries())
    if (readAddress(via) === null) outdated(`routes.${index}.via`, to);
}

/** Skips hosts that reported no capabilities. */
function checkGatewayHost(settings: Settings, capabilities: Capabilities | null, findings: Findings): void {
  const sockets = capabilities?.network;
  const abilities = capabilities?.yunxun?.abilities;
  if (sockets) {
    const missing = (port: string) => !Object.hasOwn(sockets, port);
    for (const [index, { port }] of settings.lines.entries())
      if (missing(port)) findings.wrong('port_missing', `lines.${index}.port`, { port });
    for (const [index, { ports, tagged }] of settings.networks.entries())
      for (const [field, list] of Object.entries({ ports, tagged }))
        for (const port of list.filter(missing)) findings.wrong('port_missing', `networks.${index}.${field}`, { port });
  }
  if (settings.reboot && capabilities?.yunxun?.allowed?.reboot === false) findings.adjusted('no_reboot', 'reboot');
  if (capabilities?.yunxun) checkEthernet(settings, capabilities.yunxun.mtus, findings);
  if (!abilities) return;
  const lacks = (name: string) => abilities[name] !== true;
  if (lacks('wanRoutes')) checkWanRoutes(settings, findings);
  for (const [index, { name, vlan, addressing, down_mbps: down, up_mbps: up }] of settings.lines.entries()) {
    const at = `lines.${index}`;
    if (typeof vlan === 'number' && lacks('vlan')) findings.wrong('no_vlan_tags', `${at}.vlan`, { name });
    if (addressing === 'dynamic' && lacks('dhcpClient')) findings.wrong('no_dhcp_client', `${at}.addressing`, { name });
    if ((down !== null || up !== null) && lacks('shaping')) findings.wrong('no_shaping', `${at}.down_mbps`, { name });
    else if (down !== null && lacks('ifb')) findings.wrong('no_ifb', `${at}.down_mbps`, { name });
  }
  for (const [index, network] of settings.networks.entries()) {
    const { name, tagged, pool } = network;
    for (const service of gateway.servedServices)
      if (network[service] && lacks(service))
        findings.wrong(gateway.serviceGate(service), `networks.${index}.${service}`, { name });
    if (tagged.length > 0 && lacks('vlan')) findings.wrong('no_vlan_tags', `networks.${index}.tagged`, { name });
    if (pool && lacks('dnsmasq')) findings.wrong('no_dnsmasq', `networks.${index}.pool`, { name });
  }
  for (const [index, { name }] of settings.limits.entries())
    if (lacks('shaping')) findings.wrong('no_shaping', `limits.${index}.down_mbps`, { name });
}
