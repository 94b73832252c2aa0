import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { mainTable, type Plan, type PlanLink, type PlanTunnel } from '../render/plan.ts';
import type { Step, ToolResult } from './step.ts';

/** Metric of routes that failover moves; above the pinned peer addresses. */
export const pathMetric = 50;

/** Device by prefix that failover chose. */
export type Paths = Readonly<Record<string, string>>;

/**
 * Adds the route of each SD-WAN prefix over the chosen, else preferred device. Without a route, packets would leave
 * over a WAN in plain text.
 */
export function withPaths(plan: Plan, paths: Paths): Plan {
  const routes = plan.networks.flatMap((network) =>
    network.routes.flatMap(({ to, candidates }) => {
      const { device } = candidates.find((one) => one.device === paths[to]) ?? candidates[0]!;
      return [{ table: mainTable, to, via: null, device, metric: pathMetric }];
    }),
  );
  return { ...plan, routes: [...plan.routes, ...routes] };
}

export function makeTunnelLink({ device, userspace }: PlanLink & { kind: 'wireguard' }): Step {
  const argv = userspace
    ? (['wireguard-go', device] as const)
    : (['ip', 'link', 'add', 'name', device, 'type', 'wireguard'] as const);
  return { do: 'run', argv, fine: 'exists' };
}

export function makeTunnel(tunnel: PlanTunnel): Step {
  const { device, key, run } = tunnel;
  return { do: 'tunnel', device, key, run, config: tunnelConfig(tunnel) };
}

/** Omits names of endpoints, for which `wg` would wait (`sdwan/index.ts` resolves them). */
function tunnelConfig({ listenPort, peers }: PlanTunnel): string {
  const sections = peers.map(({ publicKey, allowed, endpoint, keepalive }) => {
    const dialled = endpoint !== null && isIP(endpoint.host) !== 0;
    return [
      ...['[Peer]', `PublicKey = ${publicKey}`, `AllowedIPs = ${allowed.join(', ')}`],
      ...(dialled ? [`Endpoint = ${endpointText(endpoint)}`] : []),
      ...(keepalive === null ? [] : [`PersistentKeepalive = ${keepalive}`]),
    ];
  });
  return [`ListenPort = ${listenPort}`, ...sections.flat(), ''].join('\n');
}

export function endpointText({ host, port }: { host: string; port: number }): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Sets key and peers; unchanged peers lose no packet (`wg syncconf`). `wg` cannot open Node's standard input, so it
 * reads a file that exists only meanwhile.
 */
export async function syncTunnel(
  { device, key, run, config }: Extract<Step, { do: 'tunnel' }>,
  tool: (argv: readonly [string, ...string[]]) => Promise<ToolResult>,
): Promise<void> {
  const file = join(run, `${device}.conf`);
  try {
    const privateKey = readFileSync(key, 'utf8').trim();
    writeFileSync(file, `[Interface]\nPrivateKey = ${privateKey}\n${config}`, { mode: 0o600 });
    const { code, stderr } = await tool(['wg', 'syncconf', device, file]);
    if (code !== 0) throw new Error(stderr.trim().slice(0, 400));
  } finally {
    rmSync(file, { force: true });
  }
}
