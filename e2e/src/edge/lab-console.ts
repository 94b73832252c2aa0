import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { freePorts, inherited, root } from '../../../bench/lib/server.ts';
import { bundle } from './box.ts';
import { type Lab, type LabOptions, startLab } from './lab.ts';

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
  stop(): Promise<void>;
}

/** Starts both, and registers an owner. */
export async function startLabConsole(options: Omit<LabOptions, 'console'> = {}): Promise<LabConsole> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    bundle();
    const lab = await startLab({ ...options, console: true });
    stops.push(() => lab.stop());
    await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
    await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
    await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
    const folder = mkdtempSync(join(tmpdir(), `${lab.prefix}-box-`));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    for (const part of ['tmp', 'run/yunxun-edge']) mkdirSync(join(folder, part), { recursive: true });
    const dataDir = mkdtempSync(join(tmpdir(), `${lab.prefix}-console-`));
    stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const url = await startConsole(dataDir, lab.console!, stops);
    const owner = await register(url, dataDir);
    return {
      ...{ lab, url, owner, folder, stop },
      ask: (path, body) => expectDone(post(url, path, body, owner.token)),
      line: (code, gwid) => `curl -fsS ${url}/enroll.sh | ENROLL_ROOT=${folder} sh -s -- ${code} ${gwid}`,
      startAgent() {
        const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
        lab.start('gw', join(folder, 'usr/lib/yunxun-edge/launch'), ['run'], { env, stdio: 'inherit' });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startConsole(dataDir: string, address: string, stops: Stop[]): Promise<string> {
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
    await gone;
  });
  let output = '';
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (/is ready/.test(output)) ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => failed(new Error(`the console ended with ${code}:\n${output}`)));
  });
  return at;
}
