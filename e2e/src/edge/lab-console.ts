import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Answer, expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { freePorts } from '../../../bench/lib/free-ports.ts';
import { inherited, root } from '../../../bench/lib/server.ts';
import { type Lab, type LabOptions, startLab } from './lab.ts';
import { tail, within } from './lab-fixture.ts';

type Stop = () => unknown;

export interface LabConsole {
  lab: Lab;
  url: string;
  owner: Owner;
  /** `ENROLL_ROOT` of the host. */
  folder: string;
  ask<T>(path: string, body: object): Promise<Answer<T>>;
  line(code: string, gwid: string): string;
  startAgent(): void;
  /** Waits and confirms; only inside a test. */
  online(serial: string): Promise<void>;
  applied(jobId: string): Promise<void>;
  /** Applies the proposed settings of a gateway; only inside a test. */
  configure(gwid: string): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  logText(): Promise<string>;
  stop(): Promise<void>;
}

export const slowly = { timeout: 180_000, interval: 250 };

interface Wans {
  lines: readonly object[];
}

/** Lets the WANs ask the lab's DHCP server: the form begins with the host's own address, which a person set. */
export function byDhcp<S extends Wans>(settings: S): S {
  const leased = { addressing: 'dynamic', address: null, gateway: null, dns: [] };
  return { ...settings, lines: settings.lines.map((wan) => ({ ...wan, ...leased })) };
}

export async function startLabConsole(
  options: Omit<LabOptions, 'console'> & Pick<ConsoleOptions, 'settings'> = {},
): Promise<LabConsole> {
  const stops: Stop[] = [];
  const stop = async () => {
    const failed: unknown[] = [];
    for (const each of stops.splice(0).toReversed()) {
      try {
        await each();
      } catch (error) {
        failed.push(error);
      }
    }
    if (failed.length > 0) throw failed[0];
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), `yx${process.pid}-box-`));
    // after the agent has ended
    stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    const lab = await startLab({ ...options, console: true });
    stops.push(() => lab.stop());
    await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
    await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
    await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
    for (const part of ['tmp', 'run/yunxun-edge']) mkdirSync(join(folder, part), { recursive: true });
    const dataDir = mkdtempSync(join(tmpdir(), `${lab.prefix}-console-`));
    stops.push(() => removeData(dataDir));
    const [portalPort] = await freePorts(1);
    const { settings = {}, consoleName } = options;
    const hosts = join(folder, 'console-hosts');
    writeFileSync(hosts, `127.0.0.1 localhost\n${lab.console} ${consoleName ?? 'console'}\n`);
    const named = consoleName === undefined ? {} : { name: consoleName, hosts };
    const at = { dataDir, address: lab.console!, portalPort: portalPort!, settings, ...named };
    let running = await startConsole(at, stops);
    const { url, ports } = running;
    const owner = await register(url, dataDir);
    const ask: LabConsole['ask'] = (path, body) => expectDone(post(url, path, body, owner.token));
    const applied: LabConsole['applied'] = async (job_id) => {
      const items = async () =>
        (await ask<{ items: { status: string }[] }>('/api/v3/job/detail', { job_id })).data.items;
      await expect
        .poll(
          async () => (await items()).every(({ status }) => !['queued', 'waiting_offline', 'running'].includes(status)),
          slowly,
        )
        .toBe(true);
      expect(await items()).toMatchObject([{ status: 'applied', reason: null }]);
    };
    let agent = '';
    return {
      lab,
      url,
      owner,
      folder,
      stop,
      ask,
      line: (code, gwid) => `curl -fsS ${url}/enroll.sh | ENROLL_ROOT=${folder} sh -s -- ${code} ${gwid}`,
      startAgent() {
        const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
        const child = lab.start('gw', join(folder, 'usr/lib/yunxun-edge/launch'), ['run'], { env });
        for (const stream of [child.stdout, child.stderr]) {
          stream?.on('data', (part: Buffer) => {
            agent += part.toString('utf8');
          });
        }
      },
      async online(serial) {
        const status = async () => (await ask<{ status: string }>('/api/v3/ap/detail', { serial })).data.status;
        await expect.poll(status, slowly).toBe('online');
        // it enrols from another address than the owner's
        await ask('/api/v3/device/confirm', { serials: [serial] });
      },
      applied,
      async configure(gwid) {
        // joins the LAN: the provider behind it would answer DHCP too
        await lab.wan(2, 'carrier');
        const got = await ask<{ settings: Wans }>('/api/v3/network/gateway/get', { gwid });
        const settings = { ...byDhcp(got.data.settings), confirm_s: 30 };
        const saved = await ask<{ job_id: string }>('/api/v3/network/gateway/save', { gwid, version: 0, settings });
        await applied(saved.data.job_id);
      },
      kill: () => running.kill(),
      async restart() {
        running = await startConsole({ ...at, ports }, stops);
      },
      logText: async () =>
        `the agent:\n${tail(agent)}\nthe console:\n${tail(running.output(), 30)}\n${await lab.logText()}`,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Deletes its database too, unless that runs. */
export function removeData(dataDir: string): void {
  if (existsSync(join(dataDir, 'master.key')))
    spawnSync(process.execPath, [join(root, 'scripts/remove-data.mjs'), dataDir]);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

export interface ConsoleOptions {
  dataDir: string;
  address: string;
  name?: string;
  build?: string;
  ports?: readonly number[];
  /** Network namespace to run in; default: this one. */
  space?: string;
  /** Its hosts file; default: this machine's. */
  hosts?: string;
  /** Of the guests' pages; default: the program's own. */
  portalPort?: number;
  settings?: Readonly<Record<string, string>>;
}

export interface RunningConsole {
  url: string;
  publicUrl: string;
  ports: readonly [web: number, device: number];
  output(): string;
  kill(): Promise<void>;
}

export async function startConsole(options: ConsoleOptions, stops: Stop[]): Promise<RunningConsole> {
  const { dataDir, address, name = address, build = process.env.E2E_BUILD ?? root } = options;
  const [httpPort = 0, devicePort = 0] = options.ports ?? (await freePorts(2));
  const { portalPort, settings = {} } = options;
  const scheme = settings.YUNXUN_TLS_CERT === undefined ? 'http' : 'https';
  const at = `${scheme}://${address}:${httpPort}`;
  const publicUrl = `${scheme}://${name}:${httpPort}`;
  const mounted = 'mount --make-rprivate / && mount --bind "$0" /etc/hosts && exec "$@"';
  const own = options.hosts === undefined ? [] : ['unshare', '--mount', 'sh', '-c', mounted, options.hosts];
  const argv = [...own, process.execPath, join(build, 'packages/server/dist/main.js')];
  const [program = '', ...words] = options.space === undefined ? argv : ['ip', 'netns', 'exec', options.space, ...argv];
  const child = spawn(program, words, {
    env: {
      ...inherited(),
      YUNXUN_DATA: dataDir,
      YUNXUN_HOST: address,
      YUNXUN_PUBLIC_URL: publicUrl,
      YUNXUN_HTTP_PORT: String(httpPort),
      YUNXUN_DEVICE_PORT: String(devicePort),
      ...(portalPort === undefined ? {} : { YUNXUN_PORTAL_PORT: String(portalPort) }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await within(90_000, 'the end of the console', gone).catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
  });
  let output = '';
  const starting = new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (/is ready/.test(output)) ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => failed(new Error(`the console ended with ${code}:\n${output}`)));
  });
  await within(180_000, 'a console that is ready', starting).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${output}`);
  });
  const kill = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await within(10_000, 'the end of the console', gone);
  };
  return { url: at, publicUrl, ports: [httpPort, devicePort], output: () => output, kill };
}
