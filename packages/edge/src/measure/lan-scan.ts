import { createSocket } from 'node:dgram';
import {
  asText,
  type EdgeScanFinding,
  type EdgeScanHost,
  type EdgeScanResult,
  type EdgeToolResult,
  edgeScanLimits,
  edgeScanPorts,
  macOfSerial,
} from '@yunxun/contract/device';
import {
  broadcastOf,
  dotted,
  isHost,
  isPrivate,
  networkOf,
  networkText,
  readAddress,
  type Subnet,
  sizeOf,
} from '@yunxun/contract/ipv4';
import { type Clock, wait } from '../clock.ts';
import { type IdentifyOptions, identify, packetsFor } from '../identify/index.ts';
import type { ActionResult } from '../system.ts';
import type { Lease } from './gateway-host.ts';
import { type OwnAddress, readNeighbours } from './kernel.ts';
import type { Layout } from './layout.ts';
import type { Run } from './tools.ts';
import { connectTo } from './watch.ts';

/** Milliseconds until a connect counts as closed, and the kernel has resolved. */
const [connectMs, resolveMs] = [1500, 3000];
/** Prefix length. */
const leastPrefix = 16;

export interface Lan extends Subnet {
  device: string;
}

export interface LanScanOptions {
  clock: Clock;
  run: Run;
  lans(): readonly Lan[];
  leases(): readonly Lease[];
  /** Returns milliseconds, or null. */
  tcp?: (address: string, port: number) => Promise<number | null>;
  touch?: (address: string) => void;
  identify?: (options: IdentifyOptions) => Promise<ReadonlyMap<string, readonly EdgeScanFinding[]>>;
}

/** Private IPv4 only. */
export function lansOf(layout: Layout, addresses: readonly OwnAddress[]): Lan[] {
  const devices = new Set(layout.interfaces.flatMap(({ role, device }) => (role === 'downstream' ? [device] : [])));
  return addresses.flatMap(({ device, address: text, prefix }) => {
    const address = readAddress(text);
    const isOwn = devices.has(device) && address !== null && isPrivate(address) && prefix >= leastPrefix;
    return isOwn ? [{ device, address, prefix }] : [];
  });
}

/** All probes are paced: any scan is a small load. */
export class LanScan {
  readonly #options: Required<LanScanOptions>;
  #result: EdgeScanResult | null = null;
  #leaving = false;

  constructor(options: LanScanOptions) {
    const tcp = (address: string, port: number) => connectTo(address, port, connectMs);
    this.#options = { tcp, touch: sendDatagram, identify, ...options };
  }

  act(params: Readonly<Record<string, unknown>>): ActionResult & { tool?: EdgeToolResult } {
    const id = asText(params.id, 64);
    if (id === null) return { error: 2, text: 'a scan needs an id' };
    const isRunning = this.#result?.state === 'running';
    if (params.act === 'start' && isRunning && this.#result?.id !== id)
      return { error: 1, text: 'another scan is under way' };
    if (params.act === 'start' && this.#result?.id !== id) void this.#start(id);
    if (params.act === 'stop' && isRunning && this.#result?.id === id) this.stop();
    return { error: 0, text: 'Success', ...(this.#result && { tool: { scan: this.#result } }) };
  }

  stop(): void {
    if (this.#result?.state === 'running') this.#leaving = true;
  }

  async #start(id: string): Promise<void> {
    const { clock, tcp, touch } = this.#options;
    this.#leaving = false;
    const lans = this.#options.lans();
    const own = new Set(lans.map(({ address }) => address));
    const subnets = [...new Set(lans.map(networkText))];
    const targets = sweepOf(lans).filter((address) => !own.has(address));
    let [done, total] = [0, targets.length];
    const show = (hosts: readonly EdgeScanHost[], state: EdgeScanResult['state'] = 'running') => {
      this.#result = { id, state, done, total, subnets, hosts };
    };
    const pace = async (): Promise<boolean> => {
      await wait(clock, 1000 / edgeScanLimits.perSecond);
      done += 1;
      return !this.#leaving;
    };
    show([]);
    for (const address of targets) {
      touch(dotted(address));
      if (!(await pace())) return show([], 'stopped');
      show([]);
    }
    if (targets.length > 0) await wait(clock, resolveMs);
    const hosts = await this.#neighbours(lans, own);
    total = done + hosts.length * edgeScanPorts.length + packetsFor(lans.length, hosts.length);
    const open = new Map(hosts.map(({ address }) => [address, new Set<number>()]));
    let findings: ReadonlyMap<string, readonly EdgeScanFinding[]> = new Map();
    const found = (): EdgeScanHost[] =>
      hosts.map((host) => {
        const own = findings.get(host.address);
        const ports = [...open.get(host.address)!].toSorted((a, b) => a - b);
        return { ...host, ports, ...(own && { findings: own }) };
      });
    const probes: Promise<void>[] = [];
    // port by port: no host gets all connections at once
    for (const port of edgeScanPorts)
      for (const { address } of hosts) {
        const probed = tcp(address, port).then((ms) => void (ms !== null && open.get(address)?.add(port)));
        probes.push(probed);
        if (!(await pace())) return show(found(), 'stopped');
        show(found());
      }
    await Promise.all(probes);
    const paced = async () => {
      const goesOn = await pace();
      show(found());
      return goesOn;
    };
    findings = await this.#options.identify({ clock, lans, hosts: found(), pace: paced });
    const present = await this.#neighbours(lans, own);
    const still = new Set(present.map(({ address }) => address));
    const kept = found().filter(({ address, ports }) => still.has(address) || ports.length > 0);
    done = total;
    show(kept, this.#leaving ? 'stopped' : 'done');
  }

  async #neighbours(lans: readonly Lan[], own: ReadonlySet<number>): Promise<EdgeScanHost[]> {
    const leases = new Map(this.#options.leases().map((lease) => [lease.address, lease]));
    const printed = await this.#options.run('ip', ['-j', '-s', 'neigh', 'show']);
    const found = new Map<number, EdgeScanHost>();
    for (const { device, address, mac } of readNeighbours(printed)) {
      const number = readAddress(address);
      if (number === null || own.has(number)) continue;
      if (!lans.some((lan) => lan.device === device && isHost(lan, number))) continue;
      found.set(number, { address, mac, hostname: leases.get(address)?.hostname ?? null, ports: [] });
    }
    const sorted = [...found].toSorted(([a], [b]) => a - b).map(([, host]) => host);
    return sorted.slice(0, edgeScanLimits.hosts);
  }
}

/** Returns addresses, smallest LAN first, up to the limit. */
function sweepOf(lans: readonly Lan[]): number[] {
  const addresses = new Set<number>();
  for (const lan of lans.toSorted((a, b) => b.prefix - a.prefix)) {
    if (addresses.size + sizeOf(lan.prefix) > edgeScanLimits.addresses) break;
    for (let at = networkOf(lan); at <= broadcastOf(lan); at += 1) if (isHost(lan, at)) addresses.add(at);
  }
  return [...addresses];
}

/** Sends one byte to the discard port (RFC 863). */
function sendDatagram(address: string): void {
  const socket = createSocket('udp4');
  // unreachable hosts are the usual case
  socket.on('error', () => socket.close());
  socket.send(Buffer.alloc(1), 9, address, (error) => {
    if (!error) socket.close();
  });
}

export type SendBroadcast = (packet: Buffer, address: string) => Promise<void>;

/** Broadcasts a Wake-on-LAN packet on each LAN: six times 0xff, then the MAC address sixteen times (AMD 20213). */
export async function wakeOnLan(
  params: Readonly<Record<string, unknown>>,
  lans: readonly Lan[],
  send: SendBroadcast = broadcast,
): Promise<ActionResult> {
  const mac = asText(params.mac, 12);
  if (mac === null || !/^[0-9a-f]{12}$/.test(mac)) return { error: 2, text: 'the MAC address is invalid' };
  if (lans.length === 0) return { error: 1, text: 'this gateway has no LAN' };
  const packet = Buffer.concat([Buffer.alloc(6, 0xff), ...Array<Buffer>(16).fill(Buffer.from(mac, 'hex'))]);
  try {
    for (const lan of lans) await send(packet, dotted(broadcastOf(lan)));
    return { error: 0, text: `woke ${macOfSerial(mac)}` };
  } catch (error) {
    return { error: 1, text: error instanceof Error ? error.message : String(error) };
  }
}

function broadcast(packet: Buffer, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const end = (error: Error | null) => {
      socket.close();
      if (error) reject(error);
      else resolve();
    };
    socket.once('error', end);
    socket.bind(0, () => {
      socket.setBroadcast(true);
      socket.send(packet, 9, address, end);
    });
  });
}
