import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@yunxun/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectDone, type Owner, post, register } from '../../bench/lib/client.ts';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { inherited, root } from '../../bench/lib/server.ts';
import { startNats } from '../../packages/server/src/platform/bus/testing/nats-server.ts';
import { emptyDataDir } from './data-dir.ts';

/** Started together on an empty database. */

const stops: (() => Promise<unknown>)[] = [];
let dataDir: string;
let url: string;
let owner: Owner;
let gateway: Started;
let health: { gateway: number; worker: number };
let restartGateway: () => Promise<Started>;

beforeAll(async () => {
  dataDir = emptyDataDir();
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const nats = await startNats();
  stops.push(nats.stop);
  const databaseUrl = await startDatabase();
  const [httpPort, devicePort] = await freePorts(2);
  url = `http://127.0.0.1:${httpPort}`;
  const env = {
    YUNXUN_DATA: dataDir,
    YUNXUN_HOST: '127.0.0.1',
    YUNXUN_PUBLIC_URL: url,
    YUNXUN_DEVICE_HOST: 'localhost',
    YUNXUN_HTTP_PORT: String(httpPort),
    YUNXUN_DEVICE_PORT: String(devicePort),
    YUNXUN_DATABASE_URL: databaseUrl,
    YUNXUN_BUS_URL: nats.url,
  };
  const [gatewayHealth = 0, workerHealth = 0] = await freePorts(2);
  health = { gateway: gatewayHealth, worker: workerHealth };
  const startRole = (role: string) =>
    startProgram({
      ...env,
      YUNXUN_ROLES: role,
      ...(role in health && { YUNXUN_HTTP_PORT: String(health[role as keyof typeof health]) }),
    });
  restartGateway = () => startRole('gateway');
  const all = await Promise.all(['console', 'gateway', 'worker'].map(startRole));
  gateway = all[1] as Started;
  owner = await register(url, dataDir);
});

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

it('says of each process whether it is ready, and nothing else where there is no console', async () => {
  for (const [role, port] of Object.entries(health)) {
    const at = `http://127.0.0.1:${port}`;
    await expect
      .poll(async () => (await fetch(`${at}/readyz`)).json())
      .toEqual({
        status: 'ready',
        parts: { database: 'ready', migrations: 'ready', bus: 'ready', disk: 'ready', [role]: 'ready' },
      });
    expect((await fetch(`${at}/healthz`)).status).toBe(200);
    expect((await fetch(`${at}/metrics`)).status).toBe(200);
    expect((await fetch(`${at}/api/v3/user`)).status).toBe(404);
  }
});

it('lists in the console what connects at the gateway, and the worker configures it there', async () => {
  const { data: network } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Apart' });
  const fleet = await switchOn(network.gwid);
  const [device] = fleet.devices;
  await expect.poll(() => statusOf(device?.serial)).toBe('online');
  await call('/api/v3/device/confirm', { serials: [device?.serial] });

  const { data: wireless } = await call<{ version: number }>('/api/v3/network/wireless/get', { gwid: network.gwid });
  await call('/api/v3/network/wireless/save', {
    gwid: network.gwid,
    version: wireless.version,
    ssids: [{ ...lobby, name: 'Apart-Lobby' }],
    radios: [],
  });
  await expect.poll(() => fleet.status()[0]?.ssids).toContain('Apart-Lobby');
  await expect.poll(openJobs).toBe(0);

  await call('/api/v3/ap/blink', { serial: device?.serial, seconds: 5 });
  await call('/api/v3/ap/reboot', { serials: [device?.serial] });
  await expect.poll(openJobs).toBe(0);
  expect((await jobs()).map((job) => [job.type, job.status])).toEqual(
    expect.arrayContaining([
      ['reboot', 'succeeded'],
      ['configuration', 'succeeded'],
    ]),
  );

  gateway.child.kill('SIGKILL');
  await expect.poll(() => statusOf(device?.serial), { timeout: 240_000 }).toBe('offline');
  await restartGateway();
  await expect.poll(() => statusOf(device?.serial), { timeout: 120_000 }).toBe('online');
});

it('prints the set-up link in the console only, and ends with 0 on a signal', async () => {
  const running = started.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  expect(running.map(({ output }) => output().includes('/install?token=')).filter(Boolean)).toHaveLength(1);
  const codes = await Promise.all(
    running.map(async ({ child }) => {
      child.kill('SIGTERM');
      return (await once(child, 'exit')) as [number | null, string | null];
    }),
  );
  expect(codes).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
});

interface Started {
  child: ChildProcess;
  output(): string;
}
const started: Started[] = [];

async function startProgram(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [join(root, 'packages/server/dist/main.js')], {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const one = { child, output: () => output };
  started.push(one);
  stops.push(() => end(child));
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (/is ready/.test(output)) ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => failed(new Error(`${env.YUNXUN_ROLES} ended with ${code}:\n${output}`)));
  });
  return one;
}

/** Uses the other tests' script. @returns the address */
async function startDatabase(): Promise<string> {
  const script = spawn(
    'bash',
    [join(root, 'scripts/postgres15.sh'), 'sh', '-c', 'echo "$YUNXUN_TEST_DATABASE_URL"; exec sleep 3600'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  stops.push(() => end(script));
  return new Promise((resolve, failed) => {
    script.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    script.once('exit', (code) => failed(new Error(`PostgreSQL 15 did not start (${code})`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function switchOn(gwid: string): Promise<Fleet> {
  const fleet = await startFleet({
    consoleUrl: url,
    bindingCode: owner.bindingCode,
    gwid,
    aps: 1,
    seed: 'apart',
    speedUp: 30,
  });
  stops.push(async () => fleet.stop());
  return fleet;
}

const lobby = {
  enabled: true,
  bands: ['2G', '5G'],
  security: 'psk2',
  key: 'correct1horse',
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
};

const call = <T>(path: string, body: object) => expectDone(post<T>(url, path, body, owner.token));

async function statusOf(serial: string | undefined): Promise<string | undefined> {
  const { data } = await call<{ list: { serial: string; status: string }[] }>('/api/v3/ap/list', {});
  return data.list.find((row) => row.serial === serial)?.status;
}

async function jobs(): Promise<{ type: string; status: string; open: number }[]> {
  return (await call<{ list: { type: string; status: string; open: number }[] }>('/api/v3/job/list', { limit: 50 }))
    .data.list;
}

async function openJobs(): Promise<number> {
  return (await jobs()).filter((job) => job.open > 0).length;
}
