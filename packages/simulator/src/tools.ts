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
