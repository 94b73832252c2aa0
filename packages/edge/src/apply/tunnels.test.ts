import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyPlan, type PlanTunnel } from '../render/plan.ts';
import { driftOf, lookAround } from './drift.ts';
import type { ToolResult } from './step.ts';
import { syncTunnel } from './tunnels.ts';

const [own, foreign] = ['OWN=', 'FOREIGN='];
const publicKey = Buffer.alloc(32, 1).toString('base64');
let run: string;

beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'yunxun-tunnels-'));
  writeFileSync(join(run, 'wireguard.key'), `${own}\n`);
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

const tunnelOf = (device: string, listenPort = 51_822): PlanTunnel => ({
  device,
  listenPort,
  run,
  key: join(run, 'wireguard.key'),
  peers: [{ publicKey, allowed: ['10.2.0.0/24', '100.64.0.2/32'], endpoint: null, keepalive: null }],
});

/** Interfaces as the kernel has them: a port belongs to one. */
class Interfaces {
  readonly ports = new Map<string, { port: number; key: string; peers?: string }>();
  /** Attempts for which a deleted interface still holds its port. */
  dying = 0;
  readonly asked: string[] = [];
  readonly tool = async ([, verb, device = '', ...rest]: readonly string[]): Promise<ToolResult> => {
    const done = { code: 0, stdout: '', stderr: '' };
    if (verb === 'show') {
      const lines = [...this.ports].map(
        ([name, { port, key, peers = '' }]) => `${name}\t${key}\tPUBLIC\t${port}\toff\n${peers}`,
      );
      return { ...done, stdout: lines.join('') };
    }
    const text = verb === 'set' ? rest.join(' ') : readFileSync(rest[0]!, 'utf8');
    this.asked.push(`${verb} ${device} ${text.trim().replaceAll('\n', ' ')}`);
    if (verb === 'addconf') return done;
    if (verb === 'set') {
      if (rest[0] === 'listen-port') this.ports.get(device)!.port = 40_000 + this.ports.size;
      return done;
    }
    const port = Number(/ListenPort = (\d+)/.exec(text)?.[1]);
    const isTaken = [...this.ports].some(([name, one]) => name !== device && one.port === port);
    if (isTaken || this.dying-- > 0)
      return { ...done, code: 1, stderr: 'Unable to modify interface: Address already in use\n' };
    this.ports.set(device, { port, key: own });
    return done;
  };
}

const sync = (device: string, { tool }: Interfaces) => syncTunnel(tunnelOf(device), tool, async () => {});
const dumped = (key: string, allowed = '10.2.0.0/24,100.64.0.2/32') =>
  `sd0d\t${key}\t(none)\t(none)\t${allowed}\t0\t0\t0\toff\n`;

describe('the port of a tunnel', () => {
  it('is taken from an interface that an unfinished configuration left, and its key is in no file then', async () => {
    const kernel = new Interfaces();
    kernel.ports.set('sd0m', { port: 51_822, key: own });
    await sync('sd0d', kernel);
    expect(kernel.ports.get('sd0d')?.port).toBe(51_822);
    expect(kernel.ports.get('sd0m')?.port).not.toBe(51_822);
    expect(readdirSync(run)).toEqual(['wireguard.key']);
  });

  it('is waited for while the process of a deleted interface ends', async () => {
    const kernel = new Interfaces();
    kernel.dying = 3;
    await sync('sd0d', kernel);
    expect(kernel.ports.get('sd0d')?.port).toBe(51_822);
  });

  it('stays with an interface of others, which the error names', async () => {
    const kernel = new Interfaces();
    kernel.ports.set('wg0', { port: 51_822, key: foreign });
    await expect(sync('sd0d', kernel)).rejects.toThrow(
      'Address already in use (UDP port 51822 is of the interface wg0)',
    );
    expect(kernel.ports.get('wg0')?.port).toBe(51_822);
  });

  it('is not set again, nor are peers that stay as they are', async () => {
    const kernel = new Interfaces();
    kernel.ports.set('sd0d', { port: 51_822, key: own, peers: dumped(publicKey) + dumped('OLD=') });
    await sync('sd0d', kernel);
    expect(kernel.asked).toEqual(['set sd0d peer OLD= remove']);
    kernel.ports.set('sd0d', { port: 51_822, key: own, peers: dumped(publicKey, '10.3.0.0/24') });
    await sync('sd0d', kernel);
    expect(kernel.asked.slice(1)).toEqual([
      `addconf sd0d [Peer] PublicKey = ${publicKey} AllowedIPs = 10.2.0.0/24, 100.64.0.2/32 PersistentKeepalive = off`,
    ]);
  });
});

it.each([
  ['another port', `40001\toff`, '10.2.0.0/24,100.64.0.2/32', ['tunnel sd0d']],
  ['other prefixes', `51822\toff`, '100.64.0.2/32', ['tunnel sd0d']],
  ['the same in another order', `51822\toff`, '100.64.0.2/32,10.2.0.0/24', []],
])('finds a tunnel that has %s', async (_what, port, allowed, missing) => {
  const seen = await lookAround(async (argv) => {
    const dump = `sd0d\t${own}\tPUBLIC\t${port}\n${dumped(publicKey, allowed)}`;
    const link = [{ ifname: 'sd0d', flags: ['UP'], mtu: 1420 }];
    const stdout = argv[0] === 'wg' ? dump : argv.includes('link') ? JSON.stringify(link) : '[]';
    return { code: 0, stdout, stderr: '' };
  });
  const plan = { ...emptyPlan, tunnels: [tunnelOf('sd0d')] };
  expect(driftOf(plan, seen!, run, null, () => false).missing).toEqual(missing);
});
