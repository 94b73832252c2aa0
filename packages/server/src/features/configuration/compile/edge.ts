import type { Capabilities, EdgeSection } from '@yunxun/contract/device';
import { edgeLimits, macOfSerial } from '@yunxun/contract/device';
import type { DocumentInterface, UcentralDocument } from './document.ts';
import type { Findings } from './findings.ts';
import { compileGateway } from './gateway.ts';
import type { CompileInput, DeviceFacts } from './intent.ts';
import { defaultLan, proposeLan, readLan, routedIpv4 } from './lan.ts';
import { checkHostLan, checkNetworkLans } from './lan-check.ts';
import { edgeMetrics } from './metrics.ts';
import { checkPort53 } from './port53.ts';

export function isEdge({ device }: { device: Pick<DeviceFacts, 'capabilities'> }): boolean {
  const { platform, yunxun } = (device.capabilities ?? {}) as Capabilities;
  return platform === 'olg' && typeof yunxun === 'object' && yunxun !== null;
}

/**
 * Compiles the Yunxun agent's default: a WAN per WAN socket, one LAN over the rest. Omits LEDs, LLDP and
 * fingerprinting, which the agent lacks.
 */
export function compileEdge(input: CompileInput, findings: Findings): UcentralDocument {
  const { device, network, override } = input;
  for (const [index, { enabled, id, name }] of network.ssids.entries())
    if (enabled && !override.ssids_off.includes(id)) findings.leftOut('ssid_left_out', `ssids.${index}`, { name });
  if (input.gateway && device.routes) {
    if (override.lan_address !== null) findings.adjusted('lan_by_network', 'lan_address');
    const { timeZone, interfaces, section } = compileGateway(input.gateway, device.capabilities, findings);
    checkNetworkLans(input.gateway, device.report, findings);
    checkPort53(input.gateway, device, findings);
    return {
      unit: { name: device.name, ...(timeZone !== null && { timezone: timeZone }) },
      interfaces,
      metrics: edgeMetrics,
      'third-party': { yunxun: { ...section, ...blocking(input, findings) } },
    };
  }
  const sockets = Object.keys(device.capabilities?.network ?? {});
  checkPort53(null, device, findings);
  return {
    unit: { name: device.name },
    interfaces: [...lines(sockets, findings), ...lan(input, sockets, findings)],
    metrics: edgeMetrics,
    'third-party': { yunxun: { confirm_s: edgeLimits.confirm.otherwise, ...blocking(input, findings) } },
  };
}

/** Omits the list for older agents, which reject unknown keys. */
function blocking({ blocked = [], device }: CompileInput, findings: Findings): Pick<EdgeSection, 'blocked'> {
  const macs = blocked.filter((mac) => Number.parseInt(mac.slice(0, 2), 16) % 2 === 0 && Number.parseInt(mac, 16) > 0);
  if (macs.length === 0) return {};
  if (device.capabilities?.yunxun?.abilities?.blocking === true) return { blocked: macs.map(macOfSerial) };
  findings.leftOut('no_blocking', 'blocked');
  return {};
}

function lines(sockets: readonly string[], findings: Findings): DocumentInterface[] {
  const own = socketsOf(sockets, 'WAN');
  if (own.length > edgeLimits.lines)
    findings.wrong('too_many_lines', 'lines', { count: own.length, most: edgeLimits.lines });
  const names = own.length === 0 ? ['WAN*'] : own.slice(0, edgeLimits.lines);
  return names.map((socket) => ({
    name: names.length === 1 ? 'WAN' : socket,
    role: 'upstream',
    ethernet: [{ 'select-ports': [socket] }],
    ipv4: { addressing: 'dynamic' },
  }));
}

export function socketsOf(sockets: readonly string[], kind: 'WAN' | 'LAN'): string[] {
  const own = sockets.filter((name) => /^(WAN|LAN)[1-9]\d?$/.test(name) && name.startsWith(kind));
  return own.toSorted((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
}

function lan({ device, override }: CompileInput, sockets: readonly string[], findings: Findings): DocumentInterface[] {
  if (!sockets.some((name) => /^LAN\d*$/.test(name))) return [];
  const address = override.lan_address ?? (device.report && proposeLan(device.report)) ?? defaultLan;
  const own = readLan(address) ?? readLan(defaultLan)!;
  checkHostLan(own, device.report, findings);
  return [
    {
      name: 'LAN',
      role: 'downstream',
      ethernet: [{ 'select-ports': ['LAN*'] }],
      ipv4: routedIpv4(own, 'olg'),
    },
  ];
}
