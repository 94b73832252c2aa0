import type { EdgeHopResult } from '@yunxun/contract/device';
import { asList, asRecord, asText } from '@yunxun/contract/device';
import { runTool } from '../apply/executor.ts';
import { readPing } from '../measure/wan-health.ts';
import type { Run } from './reachability.ts';
import { tryConnect } from './tcp-ping.ts';

export interface HopRequest {
  own: string;
  peers: readonly string[];
  host: string | null;
  port: number | null;
}

type Connect = (host: string, port: number) => Promise<number | string>;

/** ARP gives up after three requests, one a second. */
const pingWords = ['-n', '-c', '3', '-i', '0.5', '-W', '1', '-w', '4'];
const timeout = 10_000;
const lasting = /PERMANENT|NOARP/;

/** Pings neighbours through their tunnels now, and examines a host on the own LAN. */
export async function probeHop(
  { own, peers, host, port }: HopRequest,
  run: Run = runTool,
  connect: Connect = (to, at) => tryConnect(to, at, { from: null }),
): Promise<EdgeHopResult> {
  const answers = async (target: string, source: readonly string[]) =>
    readPing((await run(['ping', ...pingWords, ...source, target], { timeout })).stdout) !== null;
  const [tunnels, found] = await Promise.all([
    Promise.all(peers.map(async (address) => ({ address, answers: await answers(address, ['-I', own]) }))),
    host === null ? null : probeHost(host, port, { run, connect, answers: () => answers(host, []) }),
  ]);
  return { tunnels, host: found };
}

async function probeHost(
  host: string,
  port: number | null,
  { run, connect, answers }: { run: Run; connect: Connect; answers: () => Promise<boolean> },
): Promise<NonNullable<EdgeHopResult['host']>> {
  const device = await linkOf(host, run);
  // an entry of a host that has left stays for minutes
  if (device !== null && !lasting.test((await neighbourOf(host, device, run)).state))
    await run(['ip', 'neigh', 'del', host, 'dev', device], { timeout });
  const [pinged, connected] = await Promise.all([answers(), port === null ? null : connect(host, port)]);
  const tcp = connected === null ? null : typeof connected === 'number' ? 'open' : tcpOf(connected);
  const heard = pinged || tcp === 'open' || tcp === 'closed';
  const present = device === null ? null : heard || (await neighbourOf(host, device, run)).mac !== null;
  return { present, ping: pinged, tcp };
}

const tcpOf = (error: string) => (error === 'ECONNREFUSED' ? 'closed' : 'silent');

/** Returns the LAN device; null behind a router, or for an own address. */
async function linkOf(host: string, run: Run): Promise<string | null> {
  const { stdout } = await run(['ip', '-j', 'route', 'get', host], { timeout });
  const [route] = listIn(stdout);
  const { dev, gateway, type } = asRecord<Record<'dev' | 'gateway' | 'type', unknown>>(route);
  return gateway === undefined && type !== 'local' ? asText(dev, 15) : null;
}

async function neighbourOf(host: string, device: string, run: Run): Promise<{ mac: string | null; state: string }> {
  const { stdout } = await run(['ip', '-j', 'neigh', 'show', host, 'dev', device], { timeout });
  const [entry] = listIn(stdout);
  const { lladdr, state } = asRecord<Record<'lladdr' | 'state', unknown>>(entry);
  const states = asList(state).join(' ');
  return { mac: /FAILED|INCOMPLETE/.test(states) ? null : asText(lladdr, 17), state: states };
}

function listIn(text: string): readonly unknown[] {
  try {
    return asList(JSON.parse(text));
  } catch {
    return [];
  }
}
