import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { freePorts, inherited, root } from '../../../bench/lib/server.ts';
import { isSigned, type SignedVersion } from '../../../packages/edge/src/agent/upgrade.ts';
import { bundle } from './box.ts';
import { type Lab, startLab } from './lab.ts';

/** One line on a Linux box, as its owner types it, against the built console. */

const stops: (() => unknown)[] = [];
let lab: Lab;
let url: string;
let owner: Owner;
let folder: string;

beforeAll(async () => {
  bundle();
  lab = await startLab({ console: true });
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

it('makes the box a gateway that the console sees online in the network that was named', async () => {
  const { data: network } = await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' });
  const line = (code: string) => `curl -fsS ${url}/enroll.sh | ENROLL_ROOT=${folder} sh -s -- ${code} ${network.gwid}`;
  const refused = await lab.try('gw', 'sh', '-c', line('NOBODYS'));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('binding code');
  expect(refused.stderr).toContain('installed, but not bound');

  const done = await lab.try('gw', 'sh', '-c', line(owner.bindingCode));
  expect(done, done.stderr).toMatchObject({ code: 0 });
  const identityFile = join(folder, 'etc/yunxun-edge/identity.json');
  const identity = JSON.parse(readFileSync(identityFile, 'utf8')) as { serial: string; signingKey: string };
  expect(done.stdout).toContain(`${identity.serial} is enrolled`);
  expect(statSync(identityFile).mode & 0o077).toBe(0);
  expect(identity.serial).toBe(lab.mac('gw', 'wan1').replaceAll(':', ''));

  // what the service manager would start
  const env = { YUNXUN_EDGE_ROOT: folder, YUNXUN_EDGE_NODE: process.execPath };
  lab.start('gw', join(folder, 'usr/lib/yunxun-edge/launch'), ['run'], { env, stdio: 'inherit' });
  const seen = { kind: 'gateway', keyword: identity.serial, limit: 10 };
  await expect
    .poll(async () => (await ask<{ list: object[] }>('/api/v3/ap/list', seen)).data.list)
    .toMatchObject([{ serial: identity.serial, status: 'online', gwid: network.gwid }]);

  // the key that was pinned is the one that signs what the console gives
  const statement = (await (await fetch(`${url}/edge/yunxun-edge.mjs.sig`)).json()) as SignedVersion;
  expect(isSigned(statement, identity.signingKey)).toBe(true);
});
