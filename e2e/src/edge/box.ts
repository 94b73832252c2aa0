import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestConsole, type TestSession } from '@yunxun/edge/testing';
import { Versions } from '../../../packages/edge/src/agent/versions.ts';
import type { Lab } from './lab.ts';

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
  /** Starts the agent and gives its session once it has said `connect`. */
  start(): Promise<TestSession>;
  /** Starts it without waiting for anything. */
  launch(): ChildProcess;
  /** Ends the agent's process. Resolves when it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Any other command of the agent's program. */
  call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  stop(): Promise<void>;
}

/** What a box is asked to be. */
export interface BoxOptions {
  /** Key (PEM) that the console tells it at enrolment. */
  signingKey?: string;
  /** Started by the launcher from its versions, again and again, as a service manager does. */
  supervised?: boolean;
}

/** Builds the agent once for all tests of a run. */
export function bundle(): string {
  const path = join(root, 'packages/edge/dist/yunxun-edge.mjs');
  if (!built || !existsSync(path)) execFileSync(process.execPath, [join(root, 'scripts/build-edge.mjs')]);
  built = true;
  return path;
}
let built = false;

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
  const again = ['sh', '-c', 'while :; do sh "$0" run; done', join(root, 'packages/edge/dist/launch')];
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
  return {
    console: testConsole,
    ...{ folder, call, launch },
    log: () => text,
    async start() {
      const connected = testConsole.connected();
      launch();
      return connected;
    },
    async end(signal) {
      const ending = agent;
      agent = null;
      if (ending === null || ending.exitCode !== null) return;
      const gone = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill(signal);
      await gone;
    },
    async stop() {
      agent?.kill('SIGKILL');
      await testConsole.stop();
      execFileSync('umount', ['--lazy', mounted]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Puts the bundle in place as the first version. */
function install(folder: string, program: string): void {
  const versions = new Versions(folder);
  const version = execFileSync(process.execPath, [program, 'version'], { encoding: 'utf8' }).trim();
  versions.keep(version, readFileSync(program, 'utf8'));
  versions.install(version);
  execFileSync('chown', ['-R', `${user}:${user}`, folder]);
}

/** A document: line 1 static, a LAN with a pool on LAN1. */
export function smallGateway(uuid: number, more: { wan?: object; section?: object } = {}): Record<string, unknown> {
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
