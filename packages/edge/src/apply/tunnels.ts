import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { mainTable, type Plan, type PlanLink, type PlanPeer, type PlanTunnel } from '../render/plan.ts';
import type { Step, ToolResult } from './step.ts';
import { prefixText, readTunnels } from './tunnel-dump.ts';

/** Metric of routes that failover moves; above the pinned peer addresses. */
export const pathMetric = 50;

/** Device by prefix that failover chose. */
export type Paths = Readonly<Record<string, string>>;

/**
 * Routes each SD-WAN prefix over the chosen, else preferred device. Without a route, packets would leave over a WAN in
 * plain text.
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
  return { do: 'tunnel', ...tunnel };
}

/** Omits names of endpoints, for which `wg` would wait (`sdwan/index.ts` resolves them). */
function endpointOf({ endpoint }: PlanPeer): string | null {
  return endpoint !== null && isIP(endpoint.host) !== 0 ? endpointText(endpoint) : null;
}

function peerSection(peer: PlanPeer): string[] {
  const endpoint = endpointOf(peer);
  return [
    '[Peer]',
    `PublicKey = ${peer.publicKey}`,
    `AllowedIPs = ${peer.allowed.join(', ')}`,
    ...(endpoint === null ? [] : [`Endpoint = ${endpoint}`]),
    `PersistentKeepalive = ${peer.keepalive ?? 'off'}`,
  ];
}

export function endpointText({ host, port }: { host: string; port: number }): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Milliseconds: wireguard-go frees a port when its process ends. */
const portTries = 25;
const portPause = 200;
const removedAtOnce = 500;

type Tool = (argv: readonly [string, ...string[]]) => Promise<ToolResult>;

/**
 * Names only peers that differ unless port or key do: given a port, wireguard-go opens its socket again and loses what
 * arrives meanwhile.
 * @throws Error with the words of `wg`
 */
export async function syncTunnel(
  tunnel: PlanTunnel,
  tool: Tool,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): Promise<void> {
  const { device, listenPort, peers } = tunnel;
  const privateKey = readFileSync(tunnel.key, 'utf8').trim();
  const present = readTunnels((await tool(['wg', 'show', 'all', 'dump'])).stdout).get(device);
  if (present?.listenPort !== listenPort || present.privateKey !== privateKey) {
    const head = ['[Interface]', `PrivateKey = ${privateKey}`, `ListenPort = ${listenPort}`];
    const text = [...head, ...peers.flatMap(peerSection)].join('\n');
    return withFile(tunnel, text, (file) => takePort(tunnel, { file, privateKey, tool, pause }));
  }
  const wanted = new Set(peers.map(({ publicKey }) => publicKey));
  const gone = [...present.peers.keys()].filter((one) => !wanted.has(one));
  for (let at = 0; at < gone.length; at += removedAtOnce) {
    const words = gone.slice(at, at + removedAtOnce).flatMap((one) => ['peer', one, 'remove']);
    await need(tool(['wg', 'set', device, ...words]));
  }
  const fresh = peers.filter((peer) => {
    const [seen, endpoint] = [present.peers.get(peer.publicKey), endpointOf(peer)];
    const isSame = seen?.allowed === prefixText(peer.allowed) && seen.keepalive === peer.keepalive;
    return !isSame || (endpoint !== null && seen.endpoint !== endpoint);
  });
  if (fresh.length === 0) return;
  await withFile(tunnel, fresh.flatMap(peerSection).join('\n'), (file) => need(tool(['wg', 'addconf', device, file])));
}

/** `wg` cannot open Node's standard input, so it reads a file that exists only meanwhile. */
async function withFile(
  { device, run }: PlanTunnel,
  text: string,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const file = join(run, `${device}.conf`);
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}

async function need(answer: Promise<ToolResult>): Promise<void> {
  const { code, stderr } = await answer;
  if (code !== 0) throw new Error(stderr.trim().slice(0, 400));
}

/**
 * Takes the port from leftovers: interfaces with our key.
 * @throws Error with the interface of others that has the port
 */
async function takePort(
  { device, listenPort }: PlanTunnel,
  { file, privateKey, tool, pause }: { file: string; privateKey: string; tool: Tool; pause: (ms: number) => unknown },
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const { code, stderr } = await tool(['wg', 'syncconf', device, file]);
    if (code === 0) return;
    const words = stderr.trim().slice(0, 400);
    if (!/Address already in use/i.test(words)) throw new Error(words);
    const all = [...readTunnels((await tool(['wg', 'show', 'all', 'dump'])).stdout)];
    const holders = all.filter(([name, one]) => name !== device && one.listenPort === listenPort);
    const foreign = holders.find(([, one]) => one.privateKey !== privateKey)?.[0];
    if (foreign !== undefined) throw new Error(`${words} (UDP port ${listenPort} is of the interface ${foreign})`);
    if (tried >= portTries) throw new Error(words);
    for (const [name] of holders) await tool(['wg', 'set', name, 'listen-port', '0']);
    if (holders.length === 0) await pause(portPause);
  }
}
