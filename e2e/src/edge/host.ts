import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TestConsole, type TestSession, testTimeout } from '@yunxun/edge/testing';
import { afterAll } from 'vitest';
import { Versions } from '../../../packages/edge/src/agent/versions.ts';
import type { Lab } from './lab.ts';
import { tail, within } from './lab-fixture.ts';

const root = join(import.meta.dirname, '../../..');
/** As in production: three capabilities, no other right. */
const user = 65_534;
const capabilities = '+net_admin,+net_raw,+net_bind_service';

export interface LabHost {
  console: TestConsole;
  /** `YUNXUN_EDGE_ROOT` of the agent. */
  folder: string;
  log(): string;
  start(): Promise<TestSession>;
  /** Returns the newest; older ones may be half-open. */
  session(): Promise<TestSession>;
  configure(document: { uuid: number }): Promise<Word>;
  /** Null: none runs. */
  pid(): number | null;
  launch(): ChildProcess;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  logText(): string;
  stop(): Promise<void>;
}

export interface Word {
  uuid: number;
  status: { error: number; rejected?: string[] };
}

export interface HostOptions {
  /** PEM, announced at enrolment. */
  signingKey?: string;
  supervised?: boolean;
  /** In the lab's DNS; default: its address. */
  consoleName?: string;
  /** Own /etc (`folder`/etc) with a replaceable resolv.conf. */
  ownEtc?: boolean;
  /** `/dev/net/tun` and an own folder of WireGuard sockets, which are files outside the namespace. */
  tunnels?: boolean;
  /** Configures wan1 instead of a static address, before the enrolment. */
  uplink?(host: HostEtc): Promise<void>;
}

/** What a box needs of its lab: a namespace `<prefix>gw` with `wan1`. */
export type HostLab = Pick<Lab, 'prefix' | 'console' | 'run' | 'try' | 'start'>;

export interface HostEtc {
  folder: string;
  inside: readonly string[];
}

/** Builds per file into its own folder: a build deletes output that another lab may run. */
export function bundle(): string {
  if (built === null) {
    const folder = mkdtempSync(join(tmpdir(), 'yunxun-edge-'));
    built = join(folder, 'dist');
    execFileSync(process.execPath, [join(root, 'scripts/build-edge.mjs'), built]);
    for (const path of [folder, built]) chmodSync(path, 0o755);
  }
  return join(built, 'yunxun-edge.mjs');
}
let built: string | null = null;
// Vitest skips exit handlers of its workers
afterAll(() => {
  if (built !== null) rmSync(dirname(built), { recursive: true, force: true });
  built = null;
});

/** Configures the gateway like a distribution (198.51.100.9 on wan1) and enrols it here. Needs `console: true`. */
export async function startHost(lab: HostLab, options: HostOptions = {}): Promise<LabHost> {
  const { signingKey, supervised = false, consoleName, ownEtc = false, tunnels = false, uplink } = options;
  if (lab.console === null) throw new Error('the lab has no way to a console');
  const program = bundle();
  const folder = mkdtempSync(join(tmpdir(), `${lab.prefix}-box-`));
  if (ownEtc) execFileSync('cp', ['-a', '/etc', folder]);
  const mounts = [
    ...(ownEtc ? ['mount --bind "$0/etc" /etc'] : []),
    ...(tunnels ? ['mount --bind "$0/wireguard" /run/wireguard', 'mount --bind "$0/tun" /dev/net/tun'] : []),
  ];
  const inside = mounts.length > 0 ? ['unshare', '-m', 'sh', '-c', [...mounts, 'exec "$@"'].join(' && '), folder] : [];
  if (tunnels) {
    mkdirSync('/run/wireguard', { recursive: true });
    mkdirSync(join(folder, 'wireguard'));
    chownSync(join(folder, 'wireguard'), user, user);
    execFileSync('mknod', ['-m', '666', join(folder, 'tun'), 'c', '10', '200']);
  }
  await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
  if (uplink === undefined) {
    await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
    await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
  } else await uplink({ folder, inside });
  for (const part of [
    '',
    'etc',
    'etc/yunxun-edge',
    'var',
    'var/lib',
    'var/lib/yunxun-edge',
    'run',
    'run/yunxun-edge',
  ]) {
    mkdirSync(join(folder, part), { recursive: true });
    if (!ownEtc || part !== 'etc') chownSync(join(folder, part), user, user);
    chmodSync(join(folder, part), 0o755);
  }
  // as systems mount it
  const mounted = join(folder, 'run/yunxun-edge');
  execFileSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `noexec,nosuid,nodev,mode=755,uid=${user},gid=${user}`,
    'tmpfs',
    mounted,
  ]);
  const ports = { WAN1: 'wan1', WAN2: 'wan2', LAN1: 'lan1', LAN2: 'lan2' };
  writeFileSync(join(folder, 'etc/yunxun-edge/ports.json'), JSON.stringify(ports));
  const address = lab.console;
  const key = signingKey === undefined ? {} : { signingKey };
  const testConsole = await TestConsole.start({
    address,
    location: consoleName ?? address,
    serverName: consoleName ?? address,
    ...key,
  });
  const privileges = [
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
    `--bounding-set=-all,${capabilities}`,
  ];
  const identity = ['--reuid', `${user}`, '--regid', `${user}`, '--clear-groups', '--no-new-privs'];
  const rights = [...identity, ...privileges];
  const asAgent = [...inside, 'setpriv', ...rights];
  const argv = (...args: string[]) => [process.execPath, program, ...args];
  if (supervised) install(join(folder, 'var/lib/yunxun-edge/program'), program);
  const again = ['sh', '-c', 'while :; do sh "$0" run; done', join(dirname(program), 'launch')];
  const call = (...args: string[]) => lab.try('gw', 'env', `YUNXUN_EDGE_ROOT=${folder}`, ...asAgent, ...argv(...args));
  const enrolled = await call('enroll', testConsole.url, 'CODE');
  if (enrolled.code !== 0) throw new Error(`enroll: ${enrolled.stderr}`);
  let agent: ChildProcess | null = null;
  let text = '';
  const launch = () => {
    const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
    agent = lab.start('gw', 'env', [...asAgent, ...(supervised ? again : argv('run'))], { env });
    for (const stream of [agent.stdout, agent.stderr]) {
      stream?.on('data', (part: Buffer) => {
        text += part.toString('utf8');
      });
    }
    return agent;
  };
  const pids = () =>
    execFileSync('ip', ['netns', 'pids', `${lab.prefix}gw`], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number);
  const host: LabHost = {
    console: testConsole,
    folder,
    call,
    launch,
    log: () => text,
    pid: () => pids().find(isAgent) ?? null,
    async start() {
      await host.end('SIGKILL');
      const connected = testConsole.connected();
      launch();
      return connected;
    },
    session: () => liveSession(testConsole),
    configure: (document) => configure(testConsole, document),
    async end(signal) {
      const ending = agent;
      agent = null;
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      // the supervisor would restart the agent
      ending.kill(supervised ? 'SIGKILL' : signal);
      const started = supervised ? pids().filter((pid) => isAgent(pid) || isLauncher(pid)) : [];
      for (const pid of started) kill(pid, signal);
      await within(90_000, `the end of the agent after ${signal}`, gone);
      const over = performance.now() + 90_000;
      while (started.some((pid) => commandOf(pid) !== '')) {
        if (performance.now() > over) throw new Error(`the agent goes on after ${signal}`);
        await new Promise((turn) => setTimeout(turn, 50));
      }
    },
    logText: () => `the agent:\n${tail(text)}\nthe console:\n${testConsole.logText()}`,
    async stop() {
      agent?.kill('SIGKILL');
      // also the launcher's children, which write into the folder
      for (const pid of pids()) if (belongsTo(pid, folder)) kill(pid);
      await testConsole.stop();
      execFileSync('umount', ['--lazy', mounted]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
  return host;
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

function isAgent(pid: number): boolean {
  const [program = '', ...rest] = commandOf(pid).split(' ');
  return program === process.execPath && rest.at(-1) === 'run' && rest.some((word) => word.endsWith('yunxun-edge.mjs'));
}

const isLauncher = (pid: number) => commandOf(pid).includes('/dist/launch');

function belongsTo(pid: number, folder: string): boolean {
  try {
    return commandOf(pid).includes(folder) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}

function kill(pid: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // already ended
  }
}

async function liveSession(testConsole: TestConsole): Promise<TestSession> {
  const over = performance.now() + testTimeout;
  for (;;) {
    const session = testConsole.sessions.at(-1);
    const asked = session === undefined || session.closed ? null : session.command('ping', {}, 5000);
    if (session !== undefined && asked !== null && (await asked.then(Boolean, () => false))) return session;
    if (performance.now() > over) throw new Error(`no session over which the agent answers\n${testConsole.logText()}`);
    await new Promise((turn) => setTimeout(turn, 100));
  }
}

async function configure(testConsole: TestConsole, document: { uuid: number }): Promise<Word> {
  const session = await liveSession(testConsole);
  const from = testConsole.sessions.indexOf(session);
  const { uuid } = document;
  const id = session.send('configure', { uuid, config: document });
  const over = performance.now() + 2 * testTimeout;
  for (;;) {
    const now = testConsole.sessions.slice(from);
    const answer = now.flatMap(({ replies }) => replies).find((reply) => reply.id === id);
    if (answer !== undefined) return answer.result as unknown as Word;
    // a cut session: the next `connect` tells the running configuration
    const came = now.slice(1).flatMap(({ messages }) => messages.filter(({ method }) => method === 'connect'));
    if (came.some(({ params }) => params.uuid === uuid)) return { uuid, status: { error: 0 } };
    if (performance.now() > over) throw new Error(`no word on configuration ${uuid}\n${testConsole.logText()}`);
    await new Promise((turn) => setTimeout(turn, 50));
  }
}

function install(folder: string, program: string): void {
  const versions = new Versions(folder);
  const version = execFileSync(process.execPath, [program, 'version'], { encoding: 'utf8' }).trim();
  versions.keep(version, readFileSync(program, 'utf8'));
  versions.install(version);
  execFileSync('chown', ['-R', `${user}:${user}`, folder]);
}

export interface LabDocument {
  uuid: number;
  interfaces: Record<string, unknown>[];
  metrics: object;
  'third-party': { yunxun: Record<string, unknown> };
}

export function smallGateway(uuid: number, more: { wan?: object; section?: object } = {}): LabDocument {
  return {
    uuid,
    interfaces: [
      {
        name: 'WAN',
        role: 'upstream',
        ethernet: [{ 'select-ports': ['WAN1'] }],
        ipv4: {
          addressing: 'static',
          subnet: '198.51.100.3/24',
          gateway: '198.51.100.1',
          'use-dns': ['192.0.2.53'],
          ...more.wan,
        },
      },
      {
        name: 'LAN',
        role: 'downstream',
        ethernet: [{ 'select-ports': ['LAN1'] }],
        ipv4: {
          addressing: 'static',
          subnet: '10.1.0.1/24',
          dhcp: { 'lease-first': 100, 'lease-count': 50, 'lease-time': '1h' },
        },
      },
    ],
    metrics: { statistics: { interval: 60, types: [] } },
    'third-party': { yunxun: { confirm_s: 30, ...more.section } },
  };
}
