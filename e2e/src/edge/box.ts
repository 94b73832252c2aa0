import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TestConsole, type TestSession, testPatience } from '@yunxun/edge/testing';
import { Versions } from '../../../packages/edge/src/agent/versions.ts';
import type { Lab } from './lab.ts';
import { tail, within } from './world.ts';

const root = join(import.meta.dirname, '../../..');
/** Nobody: the agent runs as in production, with three capabilities and no other right. */
const user = 65_534;
const capabilities = '+net_admin,+net_raw,+net_bind_service';

/** A box with the agent on it, in the lab's gateway, and a console opposite it. */
export interface LabBox {
  console: TestConsole;
  /** `YUNXUN_EDGE_ROOT` of the agent. */
  folder: string;
  /** All that the agent said. */
  log(): string;
  /** Starts the agent, ends the one that ran, and gives its session once it has said `connect`. */
  start(): Promise<TestSession>;
  /** The session of now: the newest one, over which the agent answers. One whose line is gone may not have heard of it. */
  session(): Promise<TestSession>;
  /** Sends a configuration and gives the box's word on it, by whatever session it comes. */
  configure(document: { uuid: number }): Promise<Word>;
  /** The agent's own process, whoever started it; null between two. */
  pid(): number | null;
  /** Starts it without waiting for anything. */
  launch(): ChildProcess;
  /** Ends the agent's process. Resolves when it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Any other command of the agent's program. */
  call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** The agent's last words, and what the console heard last. */
  told(): string;
  stop(): Promise<void>;
}

/** What a box says of a configuration: the one that runs, and the `status` of its answer. */
export interface Word {
  uuid: number;
  status: { error: number; rejected?: string[] };
}

/** What a box is asked to be. */
export interface BoxOptions {
  /** Key (PEM) that the console tells it at enrolment. */
  signingKey?: string;
  /** Started by the launcher from its versions, again and again, as a service manager does. */
  supervised?: boolean;
}

/**
 * Builds the agent once for all tests of a process, into a folder of its own: a build takes away what the one before made,
 * and another lab may run just that.
 */
export function bundle(): string {
  if (built === null) {
    const folder = mkdtempSync(join(tmpdir(), 'yunxun-edge-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    built = join(folder, 'dist');
    execFileSync(process.execPath, [join(root, 'scripts/build-edge.mjs'), built]);
    // the agent runs as nobody
    for (const path of [folder, built]) chmodSync(path, 0o755);
  }
  return join(built, 'yunxun-edge.mjs');
}
let built: string | null = null;

/**
 * Gives the lab's gateway a line as a distribution would (198.51.100.9 on wan1), and enrols it at a console of this
 * process. The lab has to have been started with `console: true`.
 */
export async function startBox(lab: Lab, { signingKey, supervised = false }: BoxOptions = {}): Promise<LabBox> {
  if (lab.console === null) throw new Error('the lab has no way to a console');
  const program = bundle();
  await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
  await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
  await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
  const folder = mkdtempSync(join(tmpdir(), `${lab.prefix}-box-`));
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
    chownSync(join(folder, part), user, user);
    chmodSync(join(folder, part), 0o755);
  }
  // as systems mount it: no program of it can be run
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
  const testConsole = await TestConsole.start({ address, told: address, serverName: address, ...key });
  const privileges = [
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
    `--bounding-set=-all,${capabilities}`,
  ];
  const identity = ['--reuid', `${user}`, '--regid', `${user}`, '--clear-groups', '--no-new-privs'];
  const rights = [...identity, ...privileges];
  const argv = (...args: string[]) => [...rights, process.execPath, program, ...args];
  if (supervised) install(join(folder, 'var/lib/yunxun-edge/program'), program);
  const again = ['sh', '-c', 'while :; do sh "$0" run; done', join(dirname(program), 'launch')];
  const env = ['env', `YUNXUN_EDGE_ROOT=${folder}`, 'setpriv'];
  const call = (...args: string[]) => lab.try('gw', env[0]!, ...env.slice(1), ...argv(...args));
  const enrolled = await call('enroll', testConsole.url, 'CODE');
  if (enrolled.code !== 0) throw new Error(`enroll: ${enrolled.stderr}`);
  let agent: ChildProcess | null = null;
  let text = '';
  const launch = () => {
    const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
    agent = lab.start('gw', 'setpriv', supervised ? [...rights, ...again] : argv('run'), { env });
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
  const box: LabBox = {
    console: testConsole,
    ...{ folder, call, launch },
    log: () => text,
    pid: () => pids().find(isAgent) ?? null,
    async start() {
      await box.end('SIGKILL');
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
      // whoever starts it again and again goes first
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
    told: () => `the agent:\n${tail(text)}\nthe console:\n${testConsole.told()}`,
    async stop() {
      agent?.kill('SIGKILL');
      // those too that the launcher started, and what they started: nobody writes into the folder any more
      for (const pid of pids()) if (belongsTo(pid, folder)) kill(pid);
      await testConsole.stop();
      execFileSync('umount', ['--lazy', mounted]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
  return box;
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

/** Whether a process is the agent itself, and not the launcher or something that it calls. */
function isAgent(pid: number): boolean {
  const [program = '', ...rest] = commandOf(pid).split(' ');
  return program === process.execPath && rest.at(-1) === 'run' && rest.some((word) => word.endsWith('yunxun-edge.mjs'));
}

const isLauncher = (pid: number) => commandOf(pid).includes('/dist/launch');

/** Whether a process of the gateway is the box's: it works on its folder, or was told of it. */
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
    // it ended by itself
  }
}

async function liveSession(testConsole: TestConsole): Promise<TestSession> {
  const over = performance.now() + testPatience;
  for (;;) {
    const session = testConsole.sessions.at(-1);
    const asked = session === undefined || session.closed ? null : session.command('ping', {}, 5000);
    if (session !== undefined && asked !== null && (await asked.then(Boolean, () => false))) return session;
    if (performance.now() > over) throw new Error(`no session over which the agent answers\n${testConsole.told()}`);
    await new Promise((turn) => setTimeout(turn, 100));
  }
}

async function configure(testConsole: TestConsole, document: { uuid: number }): Promise<Word> {
  const session = await liveSession(testConsole);
  const from = testConsole.sessions.indexOf(session);
  const { uuid } = document;
  const id = session.send('configure', { uuid, config: document });
  const over = performance.now() + 2 * testPatience;
  for (;;) {
    const now = testConsole.sessions.slice(from);
    const answer = now.flatMap(({ replies }) => replies).find((reply) => reply.id === id);
    if (answer !== undefined) return answer.result as unknown as Word;
    // an answer whose line was gone with the change: the session after says what runs
    const came = now.slice(1).flatMap(({ messages }) => messages.filter(({ method }) => method === 'connect'));
    if (came.some(({ params }) => params.uuid === uuid)) return { uuid, status: { error: 0 } };
    if (performance.now() > over) throw new Error(`no word on configuration ${uuid}\n${testConsole.told()}`);
    await new Promise((turn) => setTimeout(turn, 50));
  }
}

/** Puts the bundle in place as the first version. */
function install(folder: string, program: string): void {
  const versions = new Versions(folder);
  const version = execFileSync(process.execPath, [program, 'version'], { encoding: 'utf8' }).trim();
  versions.keep(version, readFileSync(program, 'utf8'));
  versions.install(version);
  execFileSync('chown', ['-R', `${user}:${user}`, folder]);
}

/** A configuration document, as far as labs change it. */
export interface LabDocument {
  uuid: number;
  interfaces: Record<string, unknown>[];
  metrics: object;
  'third-party': { yunxun: Record<string, unknown> };
}

/** A document: line 1 static, a LAN with a pool on LAN1. */
export function smallGateway(uuid: number, more: { wan?: object; section?: object } = {}): LabDocument {
  return {
    uuid,
    interfaces: [
      {
        name: 'WAN',
        role: 'upstream',
        ethernet: [{ 'select-ports': ['WAN1'] }],
        ipv4: {
          ...{ addressing: 'static', subnet: '198.51.100.3/24', gateway: '198.51.100.1' },
          'use-dns': ['192.0.2.53'],
          ...more.wan,
        },
      },
      {
        name: 'LAN',
        role: 'downstream',
        ethernet: [{ 'select-ports': ['LAN1'] }],
        ipv4: {
          ...{ addressing: 'static', subnet: '10.1.0.1/24' },
          dhcp: { 'lease-first': 100, 'lease-count': 50, 'lease-time': '1h' },
        },
      },
    ],
    metrics: { statistics: { interval: 60, types: [] } },
    'third-party': { yunxun: { confirm_s: 30, ...more.section } },
  };
}
