import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { EdgeToolResult } from '@yunxun/contract/device';
import type { Layout } from '../measure/layout.ts';
import type { ActionResult } from '../system.ts';
import { checkedResolve, type Resolve } from './check-target.ts';
import { lookUp } from './dns.ts';
import { probeHop } from './hop.ts';
import { httpCheck } from './http-check.ts';
import { ping, traceroute } from './reachability.ts';
import { readTool, type ToolRequest } from './request.ts';
import { ownAddressIn } from './source.ts';
import { speedTest } from './speed.ts';
import { tcpCheck } from './tcp-check.ts';
import { tcpPing, tryConnect } from './tcp-ping.ts';
import { type Overlay, serveThroughput, testThroughput } from './throughput.ts';

export interface ToolOptions {
  layout: Layout;
  ports: Readonly<Record<string, string>>;
  origins: readonly string[];
  ca: readonly string[];
  /** Of names to connect to, as the relay resolves them. */
  lookup?: LookupFunction;
  /** Of SD-WAN. */
  networks?: Overlay;
  /** Default: the Internet and own LANs. */
  resolve?: Resolve;
}

/** Each is a process or connection. */
const atOnce = 4;
const maxOutput = 16_000;
let running = 0;
let testing = false;

export async function useTool(
  params: Readonly<Record<string, unknown>>,
  options: ToolOptions,
): Promise<ActionResult & { tool?: EdgeToolResult }> {
  const request = readTool(params, options);
  if ('wrong' in request) return { error: 2, text: request.wrong };
  const from = request.device === null ? null : addressOf(request.device);
  const source = request.tool === 'path' ? ownAddressIn(request.sources, ownAddresses()) : null;
  if (request.tool === 'path' && source === null)
    return { error: 1, text: `this host has no address in ${request.sources.join(', ')}` };
  if (request.device !== null && from === null) return { error: 1, text: 'the interface has no address' };
  const isTest = request.tool === 'speed' || (request.tool === 'throughput' && request.act === 'run');
  if (running >= atOnce || (isTest && testing)) return { error: 1, text: 'other tools are under way' };
  running += 1;
  if (isTest) testing = true;
  try {
    return { error: 0, text: 'Success', tool: await use(request, source ?? from, options) };
  } catch (error) {
    return { error: 1, text: error instanceof Error ? error.message : String(error) };
  } finally {
    running -= 1;
    if (isTest) testing = false;
  }
}

async function use(request: ToolRequest, from: string | null, options: ToolOptions): Promise<EdgeToolResult> {
  const { ca, lookup, networks = [], resolve = checkedResolve({ ...options, ipv4Only: from !== null }) } = options;
  switch (request.tool) {
    case 'ping':
      return cut(await ping({ ...request, from }));
    case 'path': {
      const { port } = request;
      return cut(await (port === undefined ? ping({ ...request, from }) : tcpPing({ ...request, port, from })));
    }
    case 'hop':
      return { hop: await probeHop(request) };
    case 'traceroute':
      return cut(await traceroute({ ...request, from }));
    case 'dns':
      return { dns: await lookUp({ target: request.target, server: request.server ?? null, from }) };
    case 'connect': {
      const result = await tryConnect(request.target, request.port, { from, lookup });
      return { connect: { error: typeof result === 'number' ? null : result } };
    }
    case 'tcp_check':
      return { tcp: await tcpCheck({ ...request, from }, resolve) };
    case 'http_check':
      return { http: await httpCheck({ ...request, from }, resolve) };
    case 'throughput':
      if (request.act === 'run') return { throughput: await testThroughput(request, { networks }) };
      await serveThroughput(request, { networks });
      return {};
    case 'speed':
      return { speed: await speedTest({ uri: request.uri, from, ca }) };
  }
}

const cut = ({ output }: { output: string }) => ({ output: output.slice(0, maxOutput) });

function addressOf(device: string): string | null {
  return networkInterfaces()[device]?.find(({ family }) => family === 'IPv4')?.address ?? null;
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((own) => own ?? []);
  return all.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : []));
}
