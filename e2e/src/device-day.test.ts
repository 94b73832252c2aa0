import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { AccessPoint } from '../../packages/server/test/conformance/peer/access-point.ts';
import { makeKey, makeRequest } from '../../packages/server/test/conformance/peer/identity.ts';
import { emptyDataDir } from './data-dir.ts';

const root = resolve(import.meta.dirname, '../..');
const serial = '9c0000000075';
let folder: string;
let program: ChildProcess;
let url: string;
let token: string;
let output = '';

beforeAll(async () => {
  folder = emptyDataDir();
  const [httpPort, devicePort] = await freePorts(2);
  url = `http://127.0.0.1:${httpPort}`;
  program = spawn(process.execPath, [join(root, 'packages/server/dist/main.js')], {
    cwd: root,
    env: {
      ...process.env,
      YUNXUN_DATA: folder,
      YUNXUN_HOST: '127.0.0.1',
      YUNXUN_HTTP_PORT: String(httpPort),
      YUNXUN_DEVICE_PORT: String(devicePort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (text) => (output += text));
  await vi.waitUntil(() => output.includes('is ready'), { timeout: 120_000, interval: 100 });
  token = await register();
});

afterAll(async () => {
  if (program.exitCode === null) {
    const gone = new Promise((done) => program.once('exit', done));
    program.kill('SIGTERM');
    await gone;
  }
  await rm(folder, { recursive: true, force: true });
});

it('spends its day: enrolled, configured, idle for 75 s, still answering, offline when it goes', async () => {
  const { data: user } = await call<{ account_code: string }>('GET', '/api/v3/user');
  const key = makeKey();
  const request = { binding_code: user.account_code, serial, csr: makeRequest(serial, key) };
  const { data: enrolled } = await call<Enrolled>('POST', '/api/v3/device/enroll', request);
  const { certificate: cert, ca, server, port } = enrolled;
  const device = new AccessPoint({
    serial,
    key: key.keyPem,
    cert,
    ca,
    server,
    port,
    address: '127.0.0.1',
    validateHostname: true,
  });

  await device.connect();
  const row = await listedAs('online');

  const { data: network } = await call<{ version: number }>('POST', '/api/v3/network/wireless/get', { gwid: row.gwid });
  const ssids = Array.from({ length: 16 }, (_, at) => ({
    ...lobby,
    name: `Lobby-${at}`,
    bands: [at % 2 ? '2G' : '5G'],
  }));
  await call('POST', '/api/v3/network/wireless/save', { gwid: row.gwid, version: network.version, ssids, radios: [] });
  await expect.poll(() => JSON.stringify(device.running)).toContain('Lobby-15');

  let pongs = 0;
  device.socket?.on('pong', () => {
    pongs += 1;
  });
  const idleSince = Date.now();
  // silence except for the ping after 60 s
  await expect.poll(() => Date.now() - idleSince, { timeout: 90_000, interval: 1000 }).toBeGreaterThan(75_000);
  expect([device.socket !== null, pongs]).toEqual([true, 1]);
  await listedAs('online');
  expect(await call('POST', '/api/v3/ap/blink', { serial, seconds: 5 })).toMatchObject({ code: 2000 });

  device.cut();
  await listedAs('offline');
});

interface Enrolled {
  certificate: string;
  ca: string;
  server: string;
  port: number;
}

const lobby = {
  enabled: true,
  security: 'psk2',
  key: 'k'.repeat(63),
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: 100,
  down_mbps: null,
  up_mbps: null,
};

async function listed(): Promise<{ status: string; gwid: string } | undefined> {
  const { data } = await call<{ list: { serial: string; status: string; gwid: string }[] }>(
    'POST',
    '/api/v3/ap/list',
    {},
  );
  return data.list.find((row) => row.serial === serial);
}

async function listedAs(status: string): Promise<{ gwid: string }> {
  await expect.poll(listed).toMatchObject({ status });
  return (await listed()) as { gwid: string };
}

async function call<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<{ code: number; data: T; token?: string }> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await response.json()) as { code: number; data: T; token?: string };
}

async function register(): Promise<string> {
  const email = 'day@example.com';
  const outbox = join(folder, 'outbox.ndjson');
  await call('POST', '/api/v3/register/get_email_code', { email });
  await vi.waitUntil(() => existsSync(outbox), { timeout: 60_000 });
  const { params } = JSON.parse(readFileSync(outbox, 'utf8').trim().split('\n').at(-1) ?? '{}') as {
    params: { code: string };
  };
  const body = { email, email_code: params.code, password: 'correct1horse', confirm_password: 'correct1horse' };
  const { token: fresh } = await call('POST', '/api/v3/register', body);
  if (!fresh) throw new Error(`not registered: ${output}`);
  return fresh;
}
