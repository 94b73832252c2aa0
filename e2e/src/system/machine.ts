import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Outcome } from '../edge/lab.ts';
import { tail, within } from '../edge/lab-fixture.ts';
import { resetNetwork } from './network.ts';

export interface Machine {
  /** Never rejects. Milliseconds, default 180,000. */
  try(line: string, timeout?: number): Promise<Outcome>;
  /** Rejects with the output on failure. */
  run(line: string): Promise<string>;
  reboot(): Promise<void>;
  logText(): Promise<string>;
  stop(): Promise<void>;
}

export interface MachineOptions {
  image: string;
  namespace: string;
  folder: string;
  files: Readonly<Record<string, string>>;
}

const restartCode = 133;
const bootTime = 120_000;
const environment = ['env', '-i', '-C', '/', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8'];

/** In its own mount namespace: disappears with the machine. */
const start = String.raw`mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/up,workdir=$2/work" "$2/root" &&
exec systemd-nspawn --quiet --boot --directory="$2/root" --machine=yx-box --register=no --keep-unit --capability=CAP_NET_ADMIN \
  --network-namespace-path="/run/netns/$3" --resolv-conf=off --timezone=off --link-journal=no --console=pipe`;

/** Rejects if systemd-nspawn cannot run. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { image, namespace, folder } = options;
  for (const part of ['up', 'work', 'root']) mkdirSync(join(folder, part), { recursive: true });
  for (const [path, text] of Object.entries(options.files)) {
    const file = join(folder, 'up', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  let screen = '';
  let container = boot();
  await booted();

  function boot(): ChildProcess {
    const child = spawn('unshare', ['-m', 'sh', '-c', start, 'sh', image, folder, namespace], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Debian 13 requires cgroup v2
      env: { ...process.env, SYSTEMD_NSPAWN_API_VFS_WRITABLE: 'yes', SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        screen += part.toString('utf8');
      });
    }
    return child;
  }

  async function booted(): Promise<void> {
    const ended = new Promise<never>((_, reject) => {
      container.once('exit', (code) => reject(new Error(`systemd-nspawn ended with ${code}`)));
    });
    ended.catch(() => {});
    const up = (async () => {
      for (;;) {
        if (leader() !== null) {
          const { stdout } = await attempt('systemctl is-system-running --wait');
          if (/^(running|degraded)/.test(stdout)) return;
        }
        await new Promise((turn) => setTimeout(turn, 100));
      }
    })();
    const limited = within(bootTime, 'a machine that has started', Promise.race([up, ended]));
    await limited.catch((error: unknown) => {
      container.kill('SIGKILL');
      const needs = 'The system lab needs root, systemd-container, overlayfs and cgroups on this machine.';
      throw new Error(`${needs} ${String(error)}\n${tail(screen, 20)}`);
    });
  }

  /** Host process id of the machine's systemd; null if none. */
  function leader(): number | null {
    const file = `/proc/${container.pid}/task/${container.pid}/children`;
    for (const child of existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean) : []) {
      try {
        if (readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd') return Number(child);
      } catch {
        // ended meanwhile
      }
    }
    return null;
  }

  function attempt(line: string, timeout = 180_000): Promise<Outcome> {
    const pid = leader();
    if (pid === null) return Promise.resolve({ code: -1, stdout: '', stderr: 'the machine does not run' });
    const argv = ['--target', `${pid}`, '--all', ...environment, 'sh', '-c', line];
    return new Promise((resolve) => {
      execFile('nsenter', argv, { maxBuffer: 64 << 20, timeout, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, stdout, stderr }),
      );
    });
  }

  return {
    try: attempt,
    async run(line) {
      const { code, stdout, stderr } = await attempt(line);
      if (code !== 0) throw new Error(`${line}: code ${code}: ${stderr || stdout}`);
      return stdout;
    },
    async reboot() {
      const gone = once(container, 'exit');
      await attempt('systemctl reboot');
      const [code] = await within(bootTime, 'the end of the machine', gone);
      if (code !== restartCode) throw new Error(`the machine ended with ${code} instead of a restart`);
      resetNetwork(namespace);
      container = boot();
      await booted();
    },
    async logText() {
      const looks =
        'systemctl --no-pager --failed; journalctl -b --no-pager -n 60 -o short-monotonic; cat /etc/resolv.conf; ip route';
      const { stdout, stderr } = await attempt(looks, 20_000);
      return `the machine:\n${tail(screen, 10)}\n${stdout}${stderr}`;
    },
    async stop() {
      if (container.exitCode !== null || container.signalCode !== null) return;
      const gone = once(container, 'exit');
      const pid = leader();
      if (pid === null) container.kill('SIGKILL');
      else execFileSync('kill', ['-KILL', `${pid}`]);
      await within(60_000, 'the end of the machine', gone);
    },
  };
}
