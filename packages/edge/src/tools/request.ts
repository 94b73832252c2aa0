import { isIP } from 'node:net';
import { asCount, asList, asText, type EdgeToolParams, throughputLimits } from '@yunxun/contract/device';
import { readSubnet } from '@yunxun/contract/ipv4';
import { deviceOf, originOf } from '../trace/request.ts';
import type { HopRequest } from './hop.ts';

type Known = Parameters<typeof deviceOf>[1] & { origins: readonly string[] };

export type ToolRequest = (Exclude<EdgeToolParams, { tool: 'hop' }> | ({ tool: 'hop' } & HopRequest)) & {
  device: string | null;
};

const maxSources = 32;

/** The first character cannot start an option. */
const target = /^[A-Za-z0-9:]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9:])?$/;

export function readTool(params: Readonly<Record<string, unknown>>, known: Known): ToolRequest | { wrong: string } {
  const place = asText(params.place, 32);
  const device = place === null ? null : uplinkOf(place, known);
  if (place !== null && device === null) return { wrong: 'there is no such interface' };
  if (params.tool === 'speed') {
    const uri = asText(params.uri, 2048);
    const origin = uri === null ? null : originOf(uri);
    if (uri === null || origin === null || !known.origins.includes(origin))
      return { wrong: 'uri is not of this console' };
    return { tool: 'speed', uri, device };
  }
  if (params.tool === 'hop') return readHop(params);
  if (params.tool === 'throughput') return readThroughputRequest(params);
  if (params.tool === 'http_check') {
    const url = asText(params.url, 1024);
    if (url === null || !isWebAddress(url)) return { wrong: 'url is not a web address' };
    return { tool: 'http_check', url, device };
  }
  const to = asText(params.target, 254);
  if (to === null || !target.test(to)) return { wrong: 'target is neither a name nor an address' };
  const count = Math.min(Math.max(asCount(params.count) ?? 5, 1), 20);
  if (params.tool === 'ping') return { tool: 'ping', target: to, count, device };
  if (params.tool === 'path') return readPath({ to, count }, params);
  if (params.tool === 'connect' || params.tool === 'tcp_check') {
    const port = portOf(params.port);
    if (port === null) return { wrong: 'port is not a port' };
    if (params.tool === 'tcp_check') return { tool: 'tcp_check', target: to, port, device };
    return { tool: 'connect', target: to, port, device: null };
  }
  if (params.tool === 'traceroute') return { tool: 'traceroute', target: to, device };
  if (params.tool !== 'dns') return { wrong: 'this gateway has no such tool' };
  const server = asText(params.server, 64);
  if (server !== null && isIP(server) === 0) return { wrong: 'server is not an address' };
  return { tool: 'dns', target: to, device, ...(server === null ? {} : { server }) };
}

function uplinkOf(place: string, known: Known): string | null {
  const line = known.layout.interfaces.find(
    ({ role, ports }) => role === 'upstream' && ports.some(({ name }) => name === place),
  );
  return line?.device ?? deviceOf(place, known);
}

const maxPeers = 8;

function readHop({ own, peers, host, port }: Readonly<Record<string, unknown>>): ToolRequest | { wrong: string } {
  const isAddress = (value: unknown): value is string => typeof value === 'string' && isIP(value) === 4;
  const list = asList(peers);
  if (!isAddress(own) || list.length > maxPeers || !list.every(isAddress)) return { wrong: 'a peer is not an address' };
  if (host !== undefined && !isAddress(host)) return { wrong: 'host is not an IPv4 address' };
  if (port !== undefined && portOf(port) === null) return { wrong: 'port is not a port' };
  return { tool: 'hop', own, peers: list, host: host ?? null, port: portOf(port), device: null };
}

function readPath(
  { to, count }: { to: string; count: number },
  params: Readonly<Record<string, unknown>>,
): ToolRequest | { wrong: string } {
  if (isIP(to) !== 4) return { wrong: 'target is not an IPv4 address' };
  const sources = asList(params.sources).slice(0, maxSources);
  if (!sources.every((one): one is string => typeof one === 'string' && readSubnet(one) !== null))
    return { wrong: 'sources are not prefixes' };
  const port = portOf(params.port);
  if (params.port !== undefined && port === null) return { wrong: 'port is not a port' };
  return { tool: 'path', target: to, count, sources, device: null, ...(port === null ? {} : { port }) };
}

function readThroughputRequest(params: Readonly<Record<string, unknown>>): ToolRequest | { wrong: string } {
  const { own, peer, act, udp, reverse } = params;
  if (typeof own !== 'string' || typeof peer !== 'string' || isIP(own) !== 4 || isIP(peer) !== 4)
    return { wrong: 'an end is not an IPv4 address' };
  const port = portOf(params.port);
  const { seconds: limits, mbps: caps, ports } = throughputLimits;
  if (port === null || port < ports.min) return { wrong: 'port is not a port for tests' };
  const seconds = Math.min(Math.max(asCount(params.seconds) ?? limits.min, limits.min), limits.max);
  const ends = { tool: 'throughput', own, peer, port, seconds, device: null } as const;
  if (act === 'serve') return { ...ends, act };
  if (act !== 'run') return { wrong: 'a test serves or runs' };
  const cap = asCount(params.mbps);
  if (udp === true && cap === null) return { wrong: 'a test over UDP needs a cap' };
  const mbps = cap === null ? {} : { mbps: Math.min(Math.max(cap, caps.min), caps.max) };
  return { ...ends, act, udp: udp === true, reverse: reverse === true, ...mbps };
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function portOf(value: unknown): number | null {
  const port = asCount(value);
  return port === null || port < 1 || port > 65_535 ? null : port;
}
