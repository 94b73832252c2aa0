import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyPlan, type PlanTunnel } from '../render/plan.ts';
import { driftOf, lookAround } from './drift.ts';
import type { ToolResult } from './step.ts';
import { makeTunnel, syncTunnel } from './tunnels.ts';

const [own, foreign] = ['OWN=', 'FOREIGN='];
const publicKey = Buffer.alloc(32, 1).toString('base64');
let run: string;

beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'yunxun-tunnels-'));
  writeFileSync(join(run, 'wireguard.key'), `${own}\n`);
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

const tunnelOf = (device: string, listenPort = 51_822): PlanTunnel => ({
  ...{ device, listenPort, run, key: join(run, 'wireguard.key') },
  peers: [{ publicKey, allowed: ['10.2.0.0/24', '100.64.0.2/32'], endpoint: null, keepalive: null }],
});

/** Interfaces as the kernel has them: a port belongs to one. */
class Interfaces {
  readonly ports = new Map<string, { port: number; key: string }>();
  /** Attempts for which a deleted interface still holds its port. */
  dying = 0;
  readonly tool = async ([, verb, device = '', ...rest]: readonly string[]): Promise<ToolResult> => {
    const done = { code: 0, stdout: '', stderr: '' };
    if (verb === 'show') {
      const lines = [...this.ports].map(([name, { port, key }]) => `${name}\t${key}\tPUBLIC\t${port}\toff`);
      return { ...done, stdout: `${lines.join('\n')}\n` };
    }
    if (verb === 'set') {
      this.ports.get(device)!.port = 40_000 + this.ports.size;
      return done;
    }
    const port = Number(/ListenPort = (\d+)/.exec(readFileSync(rest[0]!, 'utf8'))?.[1]);
    const isTaken = [...this.ports].some(([name, one]) => name !== device && one.port === port);
    if (isTaken || this.dying-- > 0)
      return { ...done, code: 1, stderr: 'Unable to modify interface: Address already in use\n' };
    this.ports.set(device, { port, key: own });
    return done;
  };
}

const sync = (device: string, { tool }: Interfaces) => {
  const step = makeTunnel(tunnelOf(device));
  if (step.do !== 'tunnel') throw new Error(step.do);
  return syncTunnel(step, tool, async () => {});
};

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
});

it.each([
  ['another port', `40001\toff`, '10.2.0.0/24,100.64.0.2/32', ['tunnel sd0d']],
  ['other prefixes', `51822\toff`, '100.64.0.2/32', ['tunnel sd0d']],
  ['the same in another order', `51822\toff`, '100.64.0.2/32,10.2.0.0/24', []],
])('finds a tunnel that has %s', async (_what, port, allowed, missing) => {
  const seen = await lookAround(async (argv) => {
    const dump = `sd0d\t${own}\tPUBLIC\t${port}\nsd0d\t${publicKey}\t(none)\t(none)\t${allowed}\t0\t0\t0\toff\n`;
    const link = [{ ifname: 'sd0d', flags: ['UP'], mtu: 1420 }];
    const stdout = argv[0] === 'wg' ? dump : argv.includes('link') ? JSON.stringify(link) : '[]';
    return { code: 0, stdout, stderr: '' };
  });
  const plan = { ...emptyPlan, tunnels: [tunnelOf('sd0d')] };
  expect(driftOf(plan, seen!, run, null, () => false).missing).toEqual(missing);
});
