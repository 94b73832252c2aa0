import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** Attempts and milliseconds between them: wireguard-go frees the port of a deleted interface when its process ends. */
const portTries = 25;
const portPause = 200;

type Tool = (argv: readonly [string, ...string[]]) => Promise<ToolResult>;

/**
 * Sets key and peers; unchanged peers lose no packet (`wg syncconf`). If the port is taken, interfaces with our key give
 * it up: they are of an earlier or unfinished configuration. `wg` cannot open Node's standard input, so it reads a file
 * that exists only meanwhile.
 * @throws Error with the words of `wg`, and the interface that has the port
 */
export async function syncTunnel(
  { device, key, run, config }: Extract<Step, { do: 'tunnel' }>,
  tool: Tool,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): Promise<void> {
  const file = join(run, `${device}.conf`);
  try {
    const privateKey = readFileSync(key, 'utf8').trim();
    writeFileSync(file, `[Interface]\nPrivateKey = ${privateKey}\n${config}`, { mode: 0o600 });
    const port = Number(/^ListenPort = (\d+)$/m.exec(config)?.[1]);
    for (let tried = 1; ; tried += 1) {
      const { code, stderr } = await tool(['wg', 'syncconf', device, file]);
      if (code === 0) return;
      const isTaken = /Address already in use/i.test(stderr);
      const holders = isTaken ? (await interfacesOn(port, tool)).filter((one) => one.device !== device) : [];
      const foreign = holders.find((one) => one.privateKey !== privateKey);
      if (!isTaken || foreign || tried >= portTries) {
        const by = foreign ? ` (UDP port ${port} is of the interface ${foreign.device})` : '';
        throw new Error(`${stderr.trim().slice(0, 400)}${by}`);
      }
      for (const one of holders) await tool(['wg', 'set', one.device, 'listen-port', '0']);
      if (holders.length === 0) await pause(portPause);
    }
  } finally {
    rmSync(file, { force: true });
  }
}

async function interfacesOn(port: number, tool: Tool): Promise<{ device: string; privateKey: string }[]> {
  const { stdout } = await tool(['wg', 'show', 'all', 'dump']);
  return stdout.split('\n').flatMap((line) => {
    const [device = '', privateKey = '', , listens, ...rest] = line.split('\t');
    return rest.length === 1 && Number(listens) === port ? [{ device, privateKey }] : [];
  });
}
