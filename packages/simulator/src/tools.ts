import type { EdgeToolResult } from '@yunxun/contract/device';
import type { ActionResult, ToolRequest } from '@yunxun/edge';
import type { Box } from './box/box.ts';
import { isNobody, millis, ping, traceroute } from './scripts.ts';

/** Simulated WAN rate down and up, in Mbit/s. */
const lineMbps = [300, 40] as const;
const testMs = 10_000;

type SimulatedRequest = Exclude<ToolRequest, { tool: 'path' | 'hop' }>;

export function useSimulatedTool(
  request: SimulatedRequest | { wrong: string },
  box: Box,
): ActionResult & { tool?: EdgeToolResult } {
  if ('wrong' in request) return { error: 2, text: request.wrong };
  return { error: 0, text: 'Success', tool: answerOf(request, box) };
}

function answerOf(request: SimulatedRequest, box: Box): EdgeToolResult {
  if (request.tool === 'throughput') {
    if (request.act === 'serve') return {};
    const line = lineMbps[1] * box.random.between(0.85, 1);
    const mbps = Math.round(Math.min(line, request.mbps ?? line) * 100) / 100;
    return request.udp
      ? { throughput: { mbps, retransmits: null, loss_pct: 0.1, jitter_ms: 0.4 } }
      : { throughput: { mbps, retransmits: 12, loss_pct: null, jitter_ms: null } };
  }
  if (request.tool === 'speed') {
    const [down, up] = lineMbps.map((mbps) => ({
      bytes: Math.round(mbps * box.random.between(0.85, 1) * 125 * testMs),
      ms: testMs,
    }));
    return { speed: { down: down!, up: up!, error: null } };
  }
  if (request.tool === 'ping') return { output: ping(request, box).result };
  if (request.tool === 'traceroute') return { output: traceroute(request, box).result };
  if (request.tool === 'connect')
    return { connect: { error: request.target.endsWith('.invalid') ? 'ENOTFOUND' : null } };
  if (request.tool === 'tcp_check' || request.tool === 'http_check') return check(request, box);
  const server = request.server ?? '198.18.0.53';
  const known = !request.target.endsWith('.invalid') && !isNobody(server);
  return {
    dns: [
      {
        server,
        ms: Math.round(millis(box, request.target, 0)),
        answers: known ? [{ type: 'A', value: '203.0.113.80', ttl: 300 }] : [],
        error: isNobody(server) ? 'ETIMEOUT' : known ? null : 'ENOTFOUND',
      },
    ],
  };
}

const checkedAddress = '203.0.113.80';

/** Names below `.invalid` do not exist, port 81 is closed, documentation addresses are silent. */
function check(request: SimulatedRequest & { tool: 'tcp_check' | 'http_check' }, box: Box): EdgeToolResult {
  const url = request.tool === 'http_check' ? new URL(request.url) : null;
  const host = url?.hostname ?? (request.tool === 'tcp_check' ? request.target : '');
  const port = request.tool === 'tcp_check' ? request.port : Number(url?.port);
  const error = host.endsWith('.invalid') ? 'not_found' : isNobody(host) ? 'timeout' : port === 81 ? 'refused' : null;
  const address = error === 'not_found' ? null : /^[\d.]+$/.test(host) ? host : checkedAddress;
  const ms = Math.round(millis(box, host, 0) * 10) / 10;
  if (url === null) return { tcp: { address, ms: error === null ? ms : null, error } };
  const reached = error === null;
  const secure = url.protocol === 'https:' && reached;
  const step = {
    url: `${url}`,
    address,
    status: reached ? 200 : null,
    dns_ms: address === host ? null : 4,
    connect_ms: reached ? ms : null,
    tls_ms: secure ? ms * 2 : null,
    first_byte_ms: reached ? ms + 20 : null,
    error,
  };
  const certificate = { subject: host, issuer: 'Example Root', until: '2027-06-30T00:00:00.000Z', error: null };
  return { http: { steps: [step], certificate: secure ? certificate : null, bytes: reached ? 1256 : 0, more: false } };
}
