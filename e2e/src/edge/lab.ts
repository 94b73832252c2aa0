import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { within } from './lab-fixture.ts';
import { buildModems, startModems } from './modems.ts';

/**
 * Lab of network namespaces (root): two LAN clients, a gateway, an internet with web server, resolver and two WAN
 * uplinks. The gateway's `wan1`, `wan2`, `lan1` and `lan2` are down, without addresses. Names begin with `yx<pid>`; the
 * next start removes those of dead processes.
 *
 * a (eth0) ── lan1 ┐            ┌ wan1 ── line 1: 198.51.100.1/24 ┐
 *                  ├ gw ────────┤                                 ├ net: 192.0.2.10…29 web, 192.0.2.53 resolver
 * b (eth0) ── lan2 ┘            └ wan2 ── line 2: 203.0.113.1/24  ┘  └─ (host side, optional: `console`)
 */
export interface Lab {
  prefix: string;
  folder: string;
  /** This machine from the gateway, through either WAN with NAT; null if not requested. */
  console: string | null;
  /** Rejects with the output on failure. */
  run(where: Place, file: string, ...args: string[]): Promise<string>;
  try(where: Place, file: string, ...args: string[]): Promise<Outcome>;
  start(where: Place, file: string, args: readonly string[], options?: StartOptions): ChildProcess;
  call(where: Place, call: Call): Promise<Answer>;
  /** Runs udhcpc; the lease names the resolver. Rejects without an answer. */
  lease(where: 'a' | 'b', seconds?: number): Promise<Lease>;
  /** Counts IP bytes of an address in the kernel; returns their reader. */
  count(where: Place, address: string): Promise<() => Promise<{ rx: number; tx: number }>>;
  device(where: Place, device: string): { rxBytes: number; txBytes: number; rxPackets: number; txPackets: number };
  /** Cuts (`carrier`: unplugged; `silent`: no traffic) or restores a WAN. */
  wan(which: 1 | 2, how: 'carrier' | 'silent' | 'mended'): Promise<void>;
  mac(where: Place, device?: string): string;
  /** Returns the HTTP status; 0 without an answer. */
  page(where?: 'a' | 'b'): Promise<number>;
  logText(): Promise<string>;
  stop(): Promise<void>;
}

/** m1 and m2: modems of `twinModems`. */
export type Place = 'a' | 'b' | 'gw' | 'net' | 'm1' | 'm2';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export interface StartOptions {
  env?: Record<string, string>;
  stdio?: 'inherit' | 'pipe';
}

export interface Call {
  url: string;
  resolver?: string;
  post?: number;
  from?: string;
  timeoutS?: number;
}

export interface Answer {
  status: number;
  bytes: number;
  text: string;
  ms: number;
  address: string;
}

export interface Lease {
  address: string;
  prefix: string;
  router: string;
  dns: string;
}

export interface LabOptions {
  /** Addresses in 192.0.2.10…29; default: `namesOfLab`. */
  names?: Readonly<Record<string, string>>;
  ports?: readonly number[];
  console?: boolean;
  consoleName?: string;
  /** Two modems with one subnet, which lease the same address. */
  twinModems?: true;
  /**
   * From 198.51.100.100 and 203.0.113.100. `router`: last part of the named router's address, or
   * none. `classless`: option 121.
   */
  dhcpOnWans?: boolean | { router: number | null; delayS: number; classless?: string; mtu?: number };
}

export const namesOfLab: Readonly<Record<string, string>> = {
  'www.example.com': '192.0.2.10',
  'cdn.googlevideo.com': '192.0.2.11',
  'v.douyin.com': '192.0.2.12',
  'cdn.steamcontent.com': '192.0.2.13',
  'short.weixin.qq.com': '192.0.2.14',
};

const places: readonly Place[] = ['a', 'b', 'gw', 'net', 'm1', 'm2'];
/** Timeout of programs, in milliseconds. */
const longest = 180_000;
const here = import.meta.dirname;

/** Takes about a second. @throws if not root */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  if (process.getuid?.() !== 0) throw new Error('the lab of network namespaces needs root');
  sweep();
  const prefix = `yx${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), `${prefix}-`));
  const space = (where: Place) => `${prefix}${where}`;
  // left by an unfinished lab of this process
  tearDown(prefix);
  const children = new Set<ChildProcess>();
  let counts = 0;
  // a subnet per process: parallel labs must not collide
  const consoleNet = `100.${64 + (process.pid % 64)}.${(process.pid >> 6) % 256}`;
  const destroy = () => {
    for (const child of children) child.kill('SIGKILL');
    tearDown(prefix);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', destroy);

  const attempt = (where: Place, file: string, ...args: string[]) =>
    new Promise<Outcome>((resolve) => {
      const argv = ['netns', 'exec', space(where), file, ...args];
      const limits = { maxBuffer: 64 << 20, timeout: longest, killSignal: 'SIGKILL' } as const;
      execFile('ip', argv, limits, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, stdout, stderr }),
      );
    });
  const run = async (where: Place, file: string, ...args: string[]) => {
    const { code, stdout, stderr } = await attempt(where, file, ...args);
    if (code !== 0) throw new Error(`${where}: ${file} ${args.join(' ')}: ${stderr || stdout || `code ${code}`}`);
    return stdout;
  };
  const start: Lab['start'] = (where, file, args, { env, stdio = 'pipe' } = {}) => {
    const child = spawn('ip', ['netns', 'exec', space(where), file, ...args], {
      stdio,
      env: { ...process.env, ...env },
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const read = (where: Place, ...paths: string[]) =>
    execFileSync('ip', ['netns', 'exec', space(where), 'cat', ...paths], { encoding: 'utf8' }).trim();

  try {
    for (const where of places) host('netns', 'add', space(where));
    for (const where of places) host('-n', space(where), 'link', 'set', 'lo', 'up');
    wire(space('a'), 'eth0', space('gw'), 'lan1');
    wire(space('b'), 'eth0', space('gw'), 'lan2');
    if (options.twinModems) buildModems(space);
    else for (const which of [1, 2]) wire(space('net'), `line${which}`, space('gw'), `wan${which}`);
    for (const where of ['a', 'b'] as const) host('-n', space(where), 'link', 'set', 'eth0', 'up');
    await buildInternet();
    if (options.twinModems) await startModems({ run, start, folder });
    const console = options.console ? await wayToHere() : null;
    const call: Lab['call'] = async (where, asked) =>
      JSON.parse(await run(where, process.execPath, join(here, 'caller.mjs'), JSON.stringify(asked))) as Answer;
    return {
      prefix,
      folder,
      console,
      run,
      try: attempt,
      start,
      call,
      page: (where = 'a') =>
        call(where, { url: 'http://192.0.2.10/whoami', timeoutS: 5 }).then(
          ({ status }) => status,
          () => 0,
        ),
      async logText() {
        const looks = 'ip -br addr; ip route show table all | grep -v "table local"; ip rule; nft list tables; uptime';
        const { stdout, stderr } = await attempt('gw', 'sh', '-c', looks);
        return `the gateway's network:\n${stdout}${stderr}`;
      },
      lease,
      count,
      device(where, device) {
        const files = ['rx_bytes', 'tx_bytes', 'rx_packets', 'tx_packets'];
        const paths = files.map((name) => `/sys/class/net/${device}/statistics/${name}`);
        // read together for consistency
        const [rxBytes = 0, txBytes = 0, rxPackets = 0, txPackets = 0] = read(where, ...paths)
          .split('\n')
          .map(Number);
        return { rxBytes, txBytes, rxPackets, txPackets };
      },
      async wan(which, how) {
        const table = `silent${which}`;
        await attempt('net', 'nft', 'delete', 'table', 'netdev', table);
        await run('net', 'ip', 'link', 'set', `line${which}`, how === 'carrier' ? 'down' : 'up');
        if (how === 'mended') await run('net', 'ip', 'route', 'replace', ...wanRoute(which));
        if (how !== 'silent') return;
        const drop = `hook ingress device line${which} priority 0; policy drop;`;
        await run('net', 'nft', `add table netdev ${table}; add chain netdev ${table} in { type filter ${drop} }`);
        // the way back too: no half-open session
        await run('net', 'ip', 'route', 'replace', 'blackhole', wanRoute(which)[0]!);
      },
      mac: (where, device = 'eth0') => read(where, `/sys/class/net/${device}/address`),
      async stop() {
        process.removeListener('exit', destroy);
        destroy();
      },
    };
  } catch (error) {
    process.removeListener('exit', destroy);
    destroy();
    throw error;
  }

  function wanRoute(which: 1 | 2): string[] {
    return which === 1 ? ['198.51.100.0/24', 'dev', 'line1'] : ['203.0.113.0/24', 'dev', 'line2'];
  }

  async function buildInternet(): Promise<void> {
    await run('net', 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.all.rp_filter=0');
    for (const last of [...Array(20).keys()].map((n) => n + 10).concat(53))
      await run('net', 'ip', 'addr', 'add', `192.0.2.${last}/32`, 'dev', 'lo');
    await run('net', 'ip', 'addr', 'add', '198.51.100.1/24', 'dev', 'line1');
    await run('net', 'ip', 'addr', 'add', '203.0.113.1/24', 'dev', 'line2');
    for (const line of ['line1', 'line2']) await run('net', 'ip', 'link', 'set', line, 'up');
    const names = Object.entries(options.names ?? namesOfLab);
    const dhcp = options.dhcpOnWans;
    const { router, delayS, classless, mtu } =
      typeof dhcp === 'object' ? dhcp : { router: 1, delayS: 0, classless: undefined, mtu: undefined };
    const ranges = dhcp
      ? ['198.51.100', '203.0.113'].flatMap((net, index) => [
          `dhcp-range=set:l${index},${net}.100,${net}.120,255.255.255.0,2m`,
          `dhcp-option=tag:l${index},option:router${router === null ? '' : `,${net}.${router}`}`,
          ...(classless === undefined ? [] : [`dhcp-option=tag:l${index},121,${classless.replaceAll('NET', net)}`]),
          ...(mtu === undefined ? [] : [`dhcp-option=tag:l${index},option:mtu,${mtu}`]),
          `dhcp-option=tag:l${index},option:dns-server,192.0.2.53`,
        ])
      : [];
    // else dnsmasq pings an address for three seconds first
    const delay = delayS > 0 ? ['no-ping', `dhcp-reply-delay=${delayS}`] : [];
    const lines = [
      'no-resolv',
      'no-hosts',
      'no-daemon',
      'bind-dynamic',
      'user=root',
      'group=root',
      'log-facility=/dev/null',
      'listen-address=192.0.2.53',
      'interface=line1',
      'interface=line2',
      'pid-file=',
      'dhcp-authoritative',
      `dhcp-leasefile=${join(folder, 'internet-leases')}`,
      ...names.map(([name, address]) => `host-record=${name},${address}`),
      ...(options.consoleName === undefined ? [] : [`host-record=${options.consoleName},${consoleNet}.1`]),
      ...ranges,
      ...delay,
    ];
    const file = join(folder, 'internet-dnsmasq.conf');
    writeFileSync(file, `${lines.join('\n')}\n`);
    start('net', 'dnsmasq', ['-C', file]);
    const [key, certificate] = [join(folder, 'web.key'), join(folder, 'web.crt')];
    const subject = ['-subj', '/CN=lab', '-days', '2', '-keyout', key, '-out', certificate];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject],
      { stdio: 'ignore' },
    );
    const ports = (options.ports ?? []).map(String);
    const web = start('net', process.execPath, [join(here, 'peer.mjs'), '0.0.0.0', key, certificate, ...ports]);
    await logged(web, 'ready');
  }

  async function wayToHere(): Promise<string> {
    const net = consoleNet;
    host('link', 'add', `${prefix}c`, 'type', 'veth', 'peer', 'name', 'host', 'netns', space('net'));
    host('addr', 'add', `${net}.1/30`, 'dev', `${prefix}c`);
    host('link', 'set', `${prefix}c`, 'up');
    await run('net', 'ip', 'addr', 'add', `${net}.2/30`, 'dev', 'host');
    await run('net', 'ip', 'link', 'set', 'host', 'up');
    await run(
      'net',
      'nft',
      'add table ip out; add chain ip out post { type nat hook postrouting priority 100; }; add rule ip out post oifname "host" masquerade',
    );
    return `${net}.1`;
  }

  async function lease(where: 'a' | 'b', seconds = 60): Promise<Lease> {
    const file = join(folder, `lease-${where}`);
    const script = join(folder, `udhcpc-${where}.sh`);
    rmSync(file, { force: true });
    writeFileSync(
      script,
      `#!/bin/sh\n[ "$1" = bound ] || [ "$1" = renew ] || exit 0\nip addr flush dev $interface\n` +
        `ip addr add $ip/$mask dev $interface\n[ -z "$router" ] || ip route replace default via $router\n` +
        `echo "$ip $mask $router $dns" > ${file}\n`,
      { mode: 0o755 },
    );
    const tries = ['-n', '-q', '-f', '-T', '1', '-t', `${seconds}`];
    await run(where, 'busybox', 'udhcpc', '-i', 'eth0', '-x', `hostname:lab-${where}`, '-s', script, ...tries);
    const [address, prefix, router, dns] = readFileSync(file, 'utf8').trim().split(/\s+/);
    return { address: address!, prefix: prefix!, router: router ?? '', dns: dns ?? '' };
  }

  async function count(where: Place, address: string): Promise<() => Promise<{ rx: number; tx: number }>> {
    counts += 1;
    const table = `count${counts}`;
    const chain = (hook: string, side: string) =>
      `add counter inet ${table} ${hook}; add chain inet ${table} ${hook}c { type filter hook ${hook} priority -500; }; ` +
      `add rule inet ${table} ${hook}c ip ${side} ${address} counter name ${hook};`;
    await run(where, 'nft', `add table inet ${table}; ${chain('input', 'saddr')} ${chain('output', 'daddr')}`);
    return async () => {
      const listed = await run(where, 'nft', 'list', 'counters', 'table', 'inet', table);
      const bytes = (name: string) =>
        Number(new RegExp(`counter ${name} \\{\\s+packets \\d+ bytes (\\d+)`).exec(listed)?.[1]);
      return { rx: bytes('input'), tx: bytes('output') };
    };
  }
}

/** Rejects if the program ends first, or after 90 seconds. */
export function logged(child: ChildProcess, line: string): Promise<void> {
  const saying = new Promise<void>((resolve, reject) => {
    let text = '';
    let wrong = '';
    child.stderr?.on('data', (part: Buffer) => {
      wrong += part;
    });
    child.stdout?.on('data', (part: Buffer) => {
      text += part;
      if (text.split('\n').includes(line)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`it ended (${code}) before it said "${line}": ${wrong}`)));
  });
  return within(90_000, `"${line}" of ${child.spawnargs.join(' ')}`, saying);
}

export function host(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function wire(one: string, its: string, other: string, others: string): void {
  host('link', 'add', its, 'netns', one, 'type', 'veth', 'peer', 'name', others, 'netns', other);
}

/** Never throws: runs in cleanup. */
function tearDown(prefix: string): void {
  const quietly = (act: () => void) => {
    try {
      act();
    } catch {
      // already gone
    }
  };
  for (const where of places) {
    quietly(() => {
      for (const pid of host('netns', 'pids', `${prefix}${where}`).split('\n').filter(Boolean))
        quietly(() => process.kill(Number(pid), 'SIGKILL'));
    });
    quietly(() => host('netns', 'del', `${prefix}${where}`));
  }
  quietly(() => host('link', 'del', `${prefix}c`));
}

function sweep(): void {
  let names: string[] = [];
  try {
    names = readdirSync('/run/netns');
  } catch {
    return;
  }
  const pids = new Set(names.map((name) => /^yx(\d+)(?:a|b|gw|net|m1|m2)$/.exec(name)?.[1]));
  for (const pid of pids) if (pid !== undefined && !lives(Number(pid))) tearDown(`yx${pid}`);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
