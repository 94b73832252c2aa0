import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Answer, expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { freePorts, inherited, root } from '../../../bench/lib/server.ts';
import { type Lab, type LabOptions, startLab } from './lab.ts';
import { tail, within } from './world.ts';

type Stop = () => unknown;

/** A lab whose gateway is a Linux box without the agent (198.51.100.9 on wan1), and the built console that it reaches. */
export interface LabConsole {
  lab: Lab;
  url: string;
  owner: Owner;
  /** `ENROLL_ROOT` of the box. */
  folder: string;
  /** A call of the owner's. */
  ask<T>(path: string, body: object): Promise<Answer<T>>;
  /** The line that its owner types on the box. */
  line(code: string, gwid: string): string;
  /** Starts what the service manager would. */
  startAgent(): void;
  /** Its line in the console is `online`; polls, so only inside of a test. */
  online(serial: string): Promise<void>;
  /** Every device of a job has got what it was sent. */
  applied(jobId: string): Promise<void>;
  /** The last words of the agent, of the console, and the gateway's network. */
  told(): Promise<string>;
  stop(): Promise<void>;
}

/** What takes a busy machine long: a box that comes online, a job of a trial. */
export const slowly = { timeout: 180_000, interval: 250 };

/** Starts both, and registers an owner. */
export async function startLabConsole(options: Omit<LabOptions, 'console'> = {}): Promise<LabConsole> {
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
    // once nobody writes there any more: the agent ends with the lab
    stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    const lab = await startLab({ ...options, console: true });
    stops.push(() => lab.stop());
    await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
    await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
    await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
    for (const part of ['tmp', 'run/yunxun-edge']) mkdirSync(join(folder, part), { recursive: true });
    const dataDir = mkdtempSync(join(tmpdir(), `${lab.prefix}-console-`));
    stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const { url, output } = await startConsole(dataDir, lab.console!, stops);
    const owner = await register(url, dataDir);
    const ask: LabConsole['ask'] = (path, body) => expectDone(post(url, path, body, owner.token));
    let agent = '';
    return {
      ...{ lab, url, owner, folder, stop, ask },
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
      },
      async applied(job_id) {
        const items = async () =>
          (await ask<{ items: { status: string }[] }>('/api/v3/job/detail', { job_id })).data.items;
        await expect
          .poll(
            async () =>
              (await items()).every(({ status }) => !['queued', 'waiting_offline', 'running'].includes(status)),
            slowly,
          )
          .toBe(true);
        expect(await items()).toMatchObject([{ status: 'applied', reason: null }]);
      },
      told: async () => `the agent:\n${tail(agent)}\nthe console:\n${tail(output(), 30)}\n${await lab.told()}`,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startConsole(
  dataDir: string,
  address: string,
  stops: Stop[],
): Promise<{ url: string; output(): string }> {
  const [httpPort, devicePort] = await freePorts(2);
  const at = `http://${address}:${httpPort}`;
  const child = spawn(process.execPath, [join(process.env.E2E_BUILD ?? root, 'packages/server/dist/main.js')], {
    env: {
      ...inherited(),
      YUNXUN_DATA: dataDir,
      YUNXUN_HOST: address,
      YUNXUN_PUBLIC_URL: at,
      YUNXUN_HTTP_PORT: String(httpPort),
      YUNXUN_DEVICE_PORT: String(devicePort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(async () => {
    if (child.exitCode !== null) return;
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
  return { url: at, output: () => output };
}
