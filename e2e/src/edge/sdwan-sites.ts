import { type ChildProcessWithoutNullStreams, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logged } from './lab.ts';

/** A host (`gw`) and a LAN host (`h`) each, on 198.51.100.0/24. C is behind NAT; LANs of C and D share a prefix. */
export const sites = {
  A: { overlay: '100.64.0.1', wan: '198.51.100.11', lan: '10.1.0', seen: '10.1.0' },
  B: { overlay: '100.64.0.2', wan: '198.51.100.12', lan: '10.2.0', seen: '10.2.0' },
  C: { overlay: '100.64.0.3', wan: '192.168.50.2', lan: '10.9.0', seen: '10.33.0' },
  D: { overlay: '100.64.0.4', wan: '198.51.100.14', lan: '10.9.0', seen: '10.44.0' },
} as const;
export type Site = keyof typeof sites;
export const siteNames = Object.keys(sites) as Site[];

export interface Pings {
  answered(): number;
  /** `performance.now()` of the last answer; 0 before the first. */
  lastAt(): number;
  /** Ends; returns losses before the last answer. */
  lost(): Promise<number>;
}

export interface SdwanSites {
  prefix: string;
  folder: string;
  console: string;
  /** Host (`A`), LAN host (`Ah`), NAT (`N`) or internet (`net`). */
  spaceOf(where: string): string;
  run(where: string, ...argv: readonly string[]): Promise<string>;
  attempt(where: string, argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  start(where: string, argv: readonly string[], env?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams;
  reaches(from: Site, to: Site): Promise<boolean>;
  pings(from: Site, to: Site): Pings;
  stop(): Promise<void>;
}

/** @param consoleInside in `net`, where it sees the hosts; else behind a NAT */
export async function startSdwanSites({ consoleInside = false } = {}): Promise<SdwanSites> {
  const prefix = `yx${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), `${prefix}-sdwan-`));
  const spaceOf = (where: string) => `${prefix}${where in sites ? `${where}gw` : where}`;
  const spaces = ['net', 'N', ...siteNames.flatMap((site) => [site, `${site}h`])].map(spaceOf);
  const ip = (...argv: string[]) => execFileSync('ip', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const quietly = (act: () => void) => {
    try {
      act();
    } catch {
      // already gone
    }
  };
  const destroy = () => {
    for (const space of spaces) {
      quietly(() => {
        for (const pid of ip('netns', 'pids', space).split('\n').filter(Boolean))
          quietly(() => process.kill(Number(pid), 'SIGKILL'));
      });
      quietly(() => ip('netns', 'del', space));
    }
    quietly(() => ip('link', 'del', `${prefix}s`));
    quietly(() => rmSync(folder, { recursive: true, force: true }));
  };
  process.once('exit', destroy);
  const attempt = (where: string, argv: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const words = ['netns', 'exec', spaceOf(where), ...argv];
      execFile('ip', words, { timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, stdout, stderr }),
      );
    });
  const run = async (where: string, ...argv: readonly string[]) => {
    const { code, stdout, stderr } = await attempt(where, argv);
    if (code !== 0) throw new Error(`${where}: ${argv.join(' ')}: ${stderr || stdout}`);
    return stdout;
  };
  const start = (where: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawn('ip', ['netns', 'exec', spaceOf(where), ...argv], { env: { ...process.env, ...env } });
  const up = async (where: string, device: string, address?: string) => {
    if (address !== undefined) await run(where, 'ip', 'addr', 'add', address, 'dev', device);
    await run(where, 'ip', 'link', 'set', device, 'up');
  };
  const wire = (one: string, its: string, other: string, others: string) =>
    ip('link', 'add', its, 'netns', spaceOf(one), 'type', 'veth', 'peer', 'name', others, 'netns', spaceOf(other));
  const port = async (device: string) => {
    await run('net', 'ip', 'link', 'set', device, 'master', 'br0');
    await up('net', device);
  };

  const between = `172.31.${process.pid % 250}`;
  for (const space of spaces) {
    ip('netns', 'add', space);
    ip('-n', space, 'link', 'set', 'lo', 'up');
  }
  await run('net', 'ip', 'link', 'add', 'br0', 'type', 'bridge');
  await run('net', 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
  await up('net', 'br0', '198.51.100.1/24');
  await run('net', 'ip', 'addr', 'add', '192.0.2.53/32', 'dev', 'lo');
  ip('link', 'add', `${prefix}s`, 'type', 'veth', 'peer', 'name', 'host', 'netns', spaceOf('net'));
  ip('addr', 'add', `${between}.1/30`, 'dev', `${prefix}s`);
  ip('link', 'set', `${prefix}s`, 'up');
  await up('net', 'host', `${between}.2/30`);
  const masquerade = (device: string) =>
    `add table ip out; add chain ip out post { type nat hook postrouting priority 100; }; add rule ip out post oifname "${device}" masquerade`;
  if (!consoleInside) await run('net', 'nft', masquerade('host'));
  const names = join(folder, 'dnsmasq.conf');
  const records = ['no-resolv', 'no-hosts', 'bind-dynamic', 'user=root', 'group=root', 'log-facility=/dev/null'];
  writeFileSync(
    names,
    [...records, 'listen-address=192.0.2.53', 'pid-file=', 'host-record=a.example,192.0.2.10', ''].join('\n'),
  );
  start('net', ['dnsmasq', '--no-daemon', '-C', names]);
  wire('net', 'pN', 'N', 'out');
  await port('pN');
  await up('N', 'out', '198.51.100.13/24');
  await run('N', 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
  await run('N', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
  await run('N', 'nft', masquerade('out'));
  const closed = 'type filter hook forward priority 0; policy drop;';
  await run(
    'N',
    'nft',
    `add table ip f; add chain ip f pass { ${closed} }; add rule ip f pass iifname "in" accept; add rule ip f pass ct state established accept`,
  );
  for (const site of siteNames) {
    const { lan } = sites[site];
    wire(site, 'lan1', `${site}h`, 'eth0');
    await up(`${site}h`, 'eth0', `${lan}.10/24`);
    await run(`${site}h`, 'ip', 'route', 'add', 'default', 'via', `${lan}.1`);
    if (site === 'C') wire('N', 'in', site, 'wan1');
    else {
      wire('net', `p${site}`, site, 'wan1');
      await port(`p${site}`);
    }
  }
  await up('N', 'in', '192.168.50.1/24');

  const peer = join(import.meta.dirname, 'peer.mjs');
  await logged(start('Ah', [process.execPath, peer, '0.0.0.0', '-', '-']), 'ready');

  return {
    prefix,
    folder,
    spaceOf,
    run,
    attempt,
    start,
    console: `${between}.${consoleInside ? 2 : 1}`,
    async reaches(from, to) {
      const { stdout } = await attempt(`${from}h`, ['ping', '-n', '-c', '1', '-W', '1', `${sites[to].seen}.10`]);
      return stdout.includes('bytes from');
    },
    pings(from, to) {
      const child = start(`${from}h`, ['ping', '-n', '-i', '0.2', `${sites[to].seen}.10`]);
      let text = '';
      let lastAt = 0;
      child.stdout.on('data', (part: Buffer) => {
        text += part.toString();
        if (part.includes('bytes from')) lastAt = performance.now();
      });
      const answers = () => [...text.matchAll(/bytes from .*icmp_seq=(\d+)/g)].map(([, seq]) => Number(seq));
      return {
        answered: () => answers().length,
        lastAt: () => lastAt,
        async lost() {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGINT');
          await ended;
          return Math.max(0, ...answers()) - new Set(answers()).size;
        },
      };
    },
    async stop() {
      process.removeListener('exit', destroy);
      destroy();
    },
  };
}

export function gatewayOf(site: Site): string {
  return site === 'C' ? '192.168.50.1' : '198.51.100.1';
}
