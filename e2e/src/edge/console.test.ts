import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { freePorts, inherited, root } from '../../../bench/lib/server.ts';
import { bundle } from './box.ts';
import { type Lab, startLab } from './lab.ts';

/** A box under our own agent, from the console: what it is sent, and what it tells. */

const stops: (() => unknown)[] = [];
let lab: Lab;
let url: string;
let owner: Owner;
let folder: string;

beforeAll(async () => {
  bundle();
  lab = await startLab({ console: true, dhcpOnLines: true });
  stops.push(() => lab.stop());
  await lab.run('gw', 'ip', 'link', 'set', 'wan1', 'up');
  await lab.run('gw', 'ip', 'addr', 'add', '198.51.100.9/24', 'dev', 'wan1');
  await lab.run('gw', 'ip', 'route', 'add', 'default', 'via', '198.51.100.1');
  folder = mkdtempSync(join(tmpdir(), `${lab.prefix}-box-`));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['tmp', 'run/yunxun-edge']) mkdirSync(join(folder, part), { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), `${lab.prefix}-console-`));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
  url = await startConsole(dataDir, lab.console!);
  owner = await register(url, dataDir);
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

async function startConsole(dataDir: string, address: string): Promise<string> {
  const [httpPort, devicePort] = await freePorts(2);
  const at = `http://${address}:${httpPort}`;
  const child = spawn(process.execPath, [join(root, 'packages/server/dist/main.js')], {
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

const ask = <T>(path: string, body: object) => expectDone(post<T>(url, path, body, owner.token));

it('takes its configuration whole, and serves and counts who is behind it', async () => {
  const { data: network } = await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' });
  const { gwid } = network;
  const line = `curl -fsS ${url}/enroll.sh | ENROLL_ROOT=${folder} sh -s -- ${owner.bindingCode} ${gwid}`;
  await lab.run('gw', 'sh', '-c', line);
  const identity = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as {
    serial: string;
  };
  const { serial } = identity;
  const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
  lab.start('gw', join(folder, 'usr/lib/yunxun-edge/launch'), ['run'], { env, stdio: 'inherit' });
  const within = { timeout: 60_000, interval: 200 };
  await expect
    .poll(async () => (await ask<{ status: string }>('/api/v3/ap/detail', { serial })).data.status, within)
    .toBe('online');

  const settings = { gwid, version: 0, ssids: [], radios: [] };
  const { data: saved } = await ask<{ job_id: string }>('/api/v3/network/wireless/save', settings);
  const items = async () => (await ask<{ items: object[] }>('/api/v3/job/detail', saved)).data.items;
  await expect.poll(items, within).toMatchObject([{ serial, status: 'applied', reason: null }]);

  const lease = await lab.lease('a');
  expect(lease.address).toMatch(/^192\.168\.1\./);
  const detail = async () => {
    await ask('/api/v3/device/refresh', { serial });
    return (await ask<{ connections: number | null; lines: object[] | null }>('/api/v3/network/detail', { gwid })).data;
  };
  await expect
    .poll(detail, within)
    .toMatchObject({ gateway_reason: null, lines: [{ interface: 'up0v0', gateway: '198.51.100.1', alive: true }] });
  expect((await detail()).connections).toBeGreaterThan(0);

  const mac = lab.mac('a').replaceAll(':', '');
  const answer = await lab.call('a', { url: 'http://192.0.2.10/bytes/1000000' });
  expect(answer.status).toBe(200);
  const who = { tab: 'online', gwid, keyword: mac };
  // the agent tells what is safe on its disk: that is once a minute
  await expect
    .poll(
      async () => {
        await detail();
        return (await ask<{ list: { down: number | null }[] }>('/api/v3/user_online/list', who)).data.list;
      },
      { timeout: 150_000, interval: 3000 },
    )
    .toMatchObject([{ mac, band: 0, port: 'LAN1', ip: lease.address, down: expect.any(Number) }]);
  const [row] = (await ask<{ list: { down: number }[] }>('/api/v3/user_online/list', who)).data.list;
  // a million bytes, and the headers of their packets
  expect(row!.down).toBeGreaterThan(1_000_000);
  expect(row!.down).toBeLessThan(1_020_000);
}, 300_000);
