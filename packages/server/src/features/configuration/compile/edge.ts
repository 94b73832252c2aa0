import type { Capabilities } from '@yunxun/contract/device';
import { edgeLimits } from '@yunxun/contract/device';
import type { DocumentInterface, UcentralDocument } from './document.ts';
import type { Findings } from './findings.ts';
import { compileGateway } from './gateway.ts';
import type { CompileInput, DeviceFacts } from './intent.ts';
import { defaultLan, readLan, routedIpv4 } from './lan.ts';
import { edgeMetrics } from './metrics.ts';

/** Whether a device runs our own agent, which takes no word that it has nothing for. */
export function isEdge({ device }: { device: Pick<DeviceFacts, 'capabilities'> }): boolean {
  const { platform, yunxun } = (device.capabilities ?? {}) as Capabilities;
  return platform === 'olg' && typeof yunxun === 'object' && yunxun !== null;
}

/**
 * A gateway on our own agent: a line for each WAN socket, one LAN for the others. It has no lights, no neighbour protocol
 * and no fingerprinting; whatever it is told of them it would report as left out.
 */
export function compileEdge(input: CompileInput, findings: Findings): UcentralDocument {
  const { device, network, override } = input;
  for (const [index, { enabled, id, name }] of network.ssids.entries())
    if (enabled && !override.ssids_off.includes(id)) findings.leftOut('ssid_left_out', `ssids.${index}`, { name });
  if (input.gateway && device.routes) {
    if (override.lan_address !== null) findings.adjusted('lan_by_network', 'lan_address');
    const { timeZone, interfaces, section } = compileGateway(input.gateway, device.capabilities, findings);
    return {
      unit: { name: device.name, ...(timeZone !== null && { timezone: timeZone }) },
      interfaces,
      metrics: edgeMetrics,
      'third-party': { yunxun: section },
    };
  }
  const sockets = Object.keys(device.capabilities?.network ?? {});
  return {
    unit: { name: device.name },
    interfaces: [...lines(sockets, findings), ...lan(sockets, override.lan_address)],
    metrics: edgeMetrics,
    'third-party': { yunxun: { confirm_s: edgeLimits.confirm.otherwise } },
  };
}

/** Upstream interfaces, one a socket: each is a line of its own. */
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

/** The sockets of a kind, in their order. */
export function socketsOf(sockets: readonly string[], kind: 'WAN' | 'LAN'): string[] {
  const own = sockets.filter((name) => /^(WAN|LAN)[1-9]\d?$/.test(name) && name.startsWith(kind));
  return own.toSorted((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
}

/** A box with one socket has nobody behind it. */
function lan(sockets: readonly string[], address: string | null): DocumentInterface[] {
  if (!sockets.some((name) => /^LAN\d*$/.test(name))) return [];
  const own = readLan(address ?? defaultLan) ?? readLan(defaultLan)!;
  return [
    {
      name: 'LAN',
      role: 'downstream',
      ethernet: [{ 'select-ports': ['LAN*'] }],
      ipv4: routedIpv4(own, 'olg'),
    },
  ];
}
